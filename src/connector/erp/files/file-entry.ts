// A journal entry as it is kept until a batch gives it out, and after that.
import { z } from 'zod';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import type { JsonValue } from '../../../kernel/json.js';
import { parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import type { LineTax, PlannedEntry } from '../../bookkeeping/item/posting-plan.js';

const minorUnits = z.string().regex(/^-?\d+$/);
const amount = minorUnits.transform(BigInt);
const day = z.string().transform((text, context): LocalDate => {
  const found = parseLocalDate(text);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: `no day: ${text}` });
  return z.NEVER;
});
const currency = z.string().transform((text, context): CurrencyCode => {
  const found = parseCurrency(text);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: `no currency: ${text}` });
  return z.NEVER;
});

const taxSchema = z
  .object({
    place: z.enum(['input', 'output', 'expense']),
    reverseCharge: z.boolean(),
    rate: z.string().optional(),
    deductible: z.string(),
    taxableMinor: amount,
    taxableBaseMinor: amount,
    taxMinor: amount,
    taxBaseMinor: amount,
  })
  .transform(({ rate, ...tax }): LineTax => ({ ...tax, ...(rate !== undefined && { rate }) }));

const lineSchema = z
  .object({
    accountCode: z.string(),
    /** Minor units of the entry's currency, debit positive. */
    amountMinor: amount,
    /** Minor units of the functional currency, debit positive. */
    baseMinor: amount,
    vendorCode: z.string().optional(),
    employee: z.string().optional(),
    taxCode: z.string().optional(),
    tax: taxSchema.optional(),
    /** Dimension code → value code. */
    dimensions: z.record(z.string(), z.string()),
  })
  .readonly();

const receiptSchema = z
  .object({
    /** What the stored receipt is called. */
    documentId: z.string(),
    /** As it was named by the sender. */
    fileName: z.string(),
  })
  .readonly();

const entrySchema = z
  .object({
    /** From 1, over all entries of the connection; numbers of discarded entries stay unused. */
    number: z.int().positive(),
    key: z.string(),
    revision: z.int().positive(),
    role: z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt', 'reversal']),
    /** Number of the entry that this one reverses. */
    reverses: z.int().positive().optional(),
    postingDate: day,
    documentDate: day.optional(),
    dueDate: day.optional(),
    /** From which a closed period has moved it to its posting date. */
    originalDate: day.optional(),
    documentNumber: z.string().optional(),
    currency,
    functionalCurrency: currency,
    description: z.string(),
    reference: z.string(),
    lines: z.array(lineSchema).readonly(),
    /** Behind this entry, in their order; one that comes later is added at the end. */
    receipts: z.array(receiptSchema).readonly(),
    /** Taken back before any batch: it is given out in none. */
    discarded: z.boolean(),
  })
  .readonly();

export type FileLine = z.output<typeof lineSchema>;
export type FileEntry = z.output<typeof entrySchema>;
export type EntryReceipt = z.output<typeof receiptSchema>;

export function fileEntry(
  { key, revision }: { readonly key: string; readonly revision: number },
  number: number,
  planned: PlannedEntry,
  receipts: readonly EntryReceipt[] = [],
): FileEntry {
  const { role, postingDate, documentDate, dueDate, originalDate, documentNumber } = planned;
  const { currency, functionalCurrency } = planned;
  return {
    number,
    key,
    revision,
    role,
    postingDate,
    ...(documentDate === undefined ? {} : { documentDate }),
    ...(dueDate === undefined ? {} : { dueDate }),
    ...(originalDate === undefined ? {} : { originalDate }),
    ...(documentNumber === undefined ? {} : { documentNumber }),
    currency,
    functionalCurrency,
    description: planned.description,
    reference: planned.reference,
    lines: planned.lines.map((line) => ({
      accountCode: line.account.code,
      amountMinor: line.amountMinor,
      baseMinor: line.baseMinor,
      ...(line.vendor === undefined ? {} : { vendorCode: line.vendor.code }),
      ...(line.employee === undefined ? {} : { employee: line.employee }),
      ...(line.taxCode === undefined ? {} : { taxCode: line.taxCode.code }),
      ...(line.tax === undefined ? {} : { tax: line.tax }),
      dimensions: Object.fromEntries(line.dimensions.map(({ dimension, value }) => [dimension, value])),
    })),
    receipts,
    discarded: false,
  };
}

/** The entry with its sides exchanged, and without its receipts. */
export function reversalEntry(entry: FileEntry, number: number, postingDate: LocalDate): FileEntry {
  return {
    ...entry,
    originalDate: postingDate === entry.postingDate ? undefined : entry.postingDate,
    number,
    role: 'reversal',
    reverses: entry.number,
    postingDate,
    description: `Reversal of ${entry.number.toString()}: ${entry.description}`,
    lines: entry.lines.map((line) => ({
      ...line,
      amountMinor: -line.amountMinor,
      baseMinor: -line.baseMinor,
      ...(line.tax && { tax: reversedTax(line.tax) }),
    })),
    receipts: [],
  };
}

function reversedTax(tax: LineTax): LineTax {
  return {
    ...tax,
    taxableMinor: -tax.taxableMinor,
    taxableBaseMinor: -tax.taxableBaseMinor,
    taxMinor: -tax.taxMinor,
    taxBaseMinor: -tax.taxBaseMinor,
  };
}

export function entryToJson(entry: FileEntry): JsonValue {
  // Leaves out what is undefined.
  const text = JSON.stringify(entry, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return JSON.parse(text) as JsonValue;
}

/** @throws ZodError for what `entryToJson` has not written */
export function entryFromJson(value: JsonValue): FileEntry {
  return entrySchema.parse(value);
}
