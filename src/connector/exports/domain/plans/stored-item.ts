// What we keep of an item after its job: enough to plan it again and to find it, and nothing about a person.
import { parseCurrency } from '../../../../kernel/currency.js';
import { minorFromHundredths } from '../../../../kernel/money.js';
import { contentOf } from '../../../bookkeeping/item/content-of.js';
import type { ExportItem, ItemLine } from '../../../bookkeeping/item/export-item.js';

/** What an inbox counts of an item. */
export interface ItemFacts {
  readonly itemType: string;
  readonly currency: string;
  /** Minor units; undefined where the amount cannot be read. */
  readonly amountMinor: bigint | undefined;
}

/**
 * The item without names of persons and merchants, note and receipts. Planned again it gives the same entries but for their
 * description; its `contentOf` is the same text.
 */
export function toStoredItem(item: ExportItem): ExportItem {
  const { user, supplier } = item;
  return {
    accountingEntryId: item.accountingEntryId,
    type: item.type,
    subType: item.subType,
    date: item.date,
    amount: item.amount,
    accountingEntryLines: item.accountingEntryLines.map(toStoredLine),
    bookkeeping: item.bookkeeping && { method: item.bookkeeping.method },
    vendor: item.vendor,
    supplier: supplier && {
      code: supplier.code,
      account: supplier.account,
      taxIdentifier: supplier.taxIdentifier,
    },
    contraAccount: item.contraAccount,
    user: user && { id: user.id, code: user.code },
    servicePeriod: item.servicePeriod,
    additionalInformation: item.additionalInformation,
    _links: item._links,
  };
}

/** @returns the amount in the wallet's currency, which is what a bookkeeper knows the item by */
export function factsOf({ type, amount }: ExportItem): ItemFacts {
  const { currency, value } = amount.inWalletCurrency;
  const code = parseCurrency(currency);
  return { itemType: type, currency, amountMinor: code && minorFromHundredths(value, code) };
}

/** Whether both say the same to the books. */
export function sameContent(one: ExportItem, other: ExportItem): boolean {
  return contentOf(one) === contentOf(other);
}

function toStoredLine(line: ItemLine): ItemLine {
  const { accountingEntryLineId, lineAmount, netAmount, account, tags, tax } = line;
  return { accountingEntryLineId, lineAmount, netAmount, account, tags, tax };
}
