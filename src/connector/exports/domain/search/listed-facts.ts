import { employeeOf, textOf, type ExportItem } from '../../../bookkeeping/item/export-item.js';

/** What lists show of an item while it is kept; each null where it is not, or the platform did not say. */
export interface ListedFacts {
  /** 'YYYY-MM-DD', as the platform writes the instant. */
  readonly date: string | null;
  readonly type: string | null;
  /** Name of the vendor, or of the supplier where there is none. */
  readonly supplier: string | null;
  /** The person's code, or the platform's id of a person without one. */
  readonly person: string | null;
  readonly documentNumber: string | null;
  /** Address of the expense's page on the platform. */
  readonly expenseUrl: string | null;
  readonly accounts: readonly { readonly code: string; readonly name: string | null }[];
}

/** @param item as it is kept; undefined: it is not */
export function listedFactsOf(item: ExportItem | undefined): ListedFacts {
  const accounts = (item?.accountingEntryLines ?? []).flatMap(({ account }) => {
    const code = textOf(account?.code);
    return code === undefined ? [] : [[code, { code, name: textOf(account?.name) ?? null }] as const];
  });
  return {
    date: item?.date.slice(0, 10) ?? null,
    type: item?.type ?? null,
    supplier: textOf(item?.vendor?.name) ?? textOf(item?.supplier?.name) ?? null,
    person: (item && employeeOf(item)) ?? null,
    documentNumber: textOf(item?.additionalInformation.invoiceInformation?.invoiceNumber) ?? null,
    expenseUrl: webAddressOf(item) ?? null,
    accounts: [...new Map(accounts).values()],
  };
}

/** Web addresses only: a link with a script in it would run on our page. */
const WEB_ADDRESS = /^https?:\/\/[^\s"'<>]+$/;

function webAddressOf(item: ExportItem | undefined): string | undefined {
  const address = item?._links?.web.exportItem;
  return address !== undefined && WEB_ADDRESS.test(address) ? address : undefined;
}
