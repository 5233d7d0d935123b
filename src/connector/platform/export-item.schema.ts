// The v3 export item as it comes over the wire (P1.8). Numbers arrive as text, because money is never a float.
import { z } from 'zod';
import { formatDecimal, parseDecimal } from '../../kernel/decimal.js';
import { cutText } from '../../kernel/text.js';
import { uuid } from './platform.schema.js';

/** Null and absent mean the same everywhere (P13). */
const optional = <T extends z.ZodType>(type: T) => type.nullish();
/** Cut, not refused: a long note must not fail an entry. */
const text = z.string().transform((value) => cutText(value, 2_000));
/** Of something beside the entry: in lower case where it is a UUID, as other operations of the platform may spell it. */
const identifier = text.transform((value) => (z.guid().safeParse(value).success ? value.toLowerCase() : value));
/**
 * A JSON number kept as its own digits by the parser; what has more of them is none of ours. One with an exponent is written out, as
 * lists and sums of the database want it.
 */
const number = z
  .string()
  .max(100)
  .transform((text) => (hasExponent(text) ? writtenOut(text) : text));

export function hasExponent(number: string): boolean {
  return number.includes('e') || number.includes('E');
}

function writtenOut(text: string): string {
  const decimal = parseDecimal(text);
  return decimal === undefined ? text : formatDecimal(decimal);
}

const money = z.object({ currency: z.string(), value: number });
const dual = z.object({ inSupplierCurrency: money, inWalletCurrency: money });
const account = z.object({
  id: identifier,
  name: optional(text),
  code: optional(text),
  identifier: optional(text),
});
const elements = <T extends z.ZodType>(type: T) =>
  optional(z.array(type.nullable()).transform((list) => list.filter((element) => element !== null)));

/** The address of its page. Nothing depends on it: where it is none that we can show, the item is the same without it. */
const links = z
  .object({ web: z.object({ exportItem: z.string().max(2_000) }) })
  .optional()
  .catch(undefined);

const line = z.object({
  accountingEntryLineId: identifier,
  lineAmount: dual,
  netAmount: dual,
  account: optional(account),
  tags: elements(z.object({ id: identifier, code: text, groupCode: text })),
  tax: optional(
    z.object({
      id: identifier,
      code: optional(text),
      rate: number,
      type: text,
      amount: dual,
      ingoingTaxAccount: optional(text),
      outgoingTaxAccount: optional(text),
    }),
  ),
});

export const exportItemSchema = z.object({
  accountingEntryId: uuid,
  companyId: uuid,
  type: text,
  subType: optional(text),
  date: z.string(),
  amount: dual,
  note: optional(text),
  accountingEntryLines: z.array(line).max(1_000),
  bookkeeping: optional(z.object({ method: optional(text) })),
  vendor: optional(
    z.object({
      id: identifier,
      name: text,
      defaultCurrency: text,
      code: optional(text),
      externalId: optional(text),
      country: optional(text),
      registrationNumber: optional(text),
      taxRegistrationNumber: optional(text),
    }),
  ),
  supplier: optional(
    z.object({
      name: optional(text),
      code: optional(text),
      account: optional(text),
      taxIdentifier: optional(text),
    }),
  ),
  contraAccount: optional(account),
  user: optional(z.object({ id: identifier, name: optional(text), code: optional(text) })),
  // A file that says too little fails by itself, or is left out: it does not fail the entry's data.
  files: elements(z.object({ url: optional(z.string()), type: optional(text), size: optional(number) })),
  servicePeriod: optional(z.object({ from: text, to: text })),
  additionalInformation: z.object({
    reconciliationId: text,
    reconciledEntries: elements(text),
    invoiceInformation: optional(
      z.object({
        invoiceNumber: optional(text),
        invoiceDate: optional(text),
        dueDate: optional(text),
        status: optional(text),
      }),
    ),
  }),
  _links: links,
});

export type WireExportItem = z.output<typeof exportItemSchema>;

const identity = z.object({ accountingEntryId: uuid });

/** @returns the id of an item that does not have to fit the schema, in lower case; undefined where it has none (P1.8) */
export function entryIdOf(element: unknown): string | undefined {
  return identity.safeParse(element).data?.accountingEntryId.toLowerCase();
}
