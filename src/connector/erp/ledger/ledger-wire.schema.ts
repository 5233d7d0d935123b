// The ledger's responses, as far as the connector uses them. Unknown members are dropped.
import { z } from 'zod';
import { cutText } from '../../../kernel/text.js';

const text = z.string().max(1_000);
const textOrNull = text.nullish();
/** For people: what is too long is no reason to know nothing of the other outcomes. */
const sentence = z.string().transform((all) => cutText(all, 1_000));

export const companySchema = z.object({
  id: text,
  name: text,
  registrationNumber: textOrNull,
  functionalCurrency: text,
  timeZone: text,
});

export const accountSchema = z.object({
  code: text,
  externalId: text,
  name: text,
  active: z.boolean(),
  type: z.enum(['asset', 'liability', 'equity', 'income', 'expense']).optional(),
});

export const taxCodeSchema = z.object({
  code: text,
  externalId: text,
  name: text,
  inputAccountCode: textOrNull,
  outputAccountCode: textOrNull,
  deductible: text,
  active: z.boolean(),
});

export const dimensionSchema = z.object({ code: text, active: z.boolean() });

export const dimensionValueSchema = z.object({ dimensionCode: text, code: text, active: z.boolean() });

export const vendorSchema = z.object({
  id: text,
  number: text,
  externalId: textOrNull,
  name: text,
  country: textOrNull,
  taxRegistrationNumber: textOrNull,
  payableAccountCode: textOrNull,
  isEmployee: z.boolean(),
  blocked: z.boolean(),
  archived: z.boolean(),
});

export const periodSchema = z.object({ from: text, to: text, state: z.enum(['open', 'closed']) });

export const rateSchema = z.object({ from: text, to: text, date: text, rate: text });

export const createdVendorSchema = z.object({
  outcome: z.enum(['created', 'existed']),
  vendor: vendorSchema,
});

export const storedDocumentSchema = z.object({ digest: text });

const role = z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt']);
const revision = z.int().min(1);

const postedEntrySchema = z.object({
  id: text,
  role,
  state: z.enum(['draft', 'posted', 'reversed', 'discarded']),
  number: text.nullable(),
  url: z.string().max(1_000).startsWith('/'),
  reversedBy: z.object({ id: text, number: text.nullable(), postingDate: text }).optional(),
});

/** At least one entry: a group that exists without any would count as posted and could not be shown. */
const postedEntries = z.array(postedEntrySchema).min(1);

/** Nothing in them decides anything, so warnings that cannot be read count as none. */
const warnings = z.array(z.object({ message: z.string() })).catch([]);

const minor = z.string().regex(/^-?\d{1,18}$/);
const contentSchema = z.object({
  role,
  postingDate: text,
  currency: text,
  lines: z.array(z.object({ accountCode: text, amountMinor: minor })),
});

export const outcomesSchema = z.object({
  outcomes: z.array(
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('created'), key: text, revision, entries: postedEntries, warnings }),
      z.object({ outcome: z.literal('existed'), key: text, revision, entries: postedEntries, warnings }),
      z.object({
        outcome: z.literal('refused'),
        key: text,
        code: text,
        message: sentence,
        field: text.nullish(),
      }),
      z.object({
        outcome: z.literal('conflict'),
        key: text,
        existingContentDigest: text,
        revision,
        entries: postedEntries,
        /** Shown to people only: a conflict is as certain without it. */
        existing: z.array(contentSchema).catch([]),
      }),
    ]),
  ),
});

export const lookupSchema = z.object({
  data: z.array(
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('absent'), key: text }),
      z.object({
        outcome: z.literal('found'),
        key: text,
        contentDigest: text,
        revision,
        reversed: z.boolean(),
        entries: postedEntries,
        warnings,
      }),
    ]),
  ),
});

export const reversalsSchema = z.object({
  outcomes: z.array(
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.enum(['reversed', 'already-reversed', 'absent']), key: text }),
      z.object({ outcome: z.literal('refused'), key: text, message: sentence }),
    ]),
  ),
});

export const settlementsSchema = z.object({
  outcomes: z.array(
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.enum(['settled', 'nothing-to-settle']), key: text }),
      z.object({ outcome: z.literal('refused'), key: text, message: sentence }),
    ]),
  ),
});

export const problemSchema = z.object({ detail: z.string() });

export type LedgerVendor = z.output<typeof vendorSchema>;
export type LedgerPostedEntry = z.output<typeof postedEntrySchema>;
export type LedgerOutcome = z.output<typeof outcomesSchema>['outcomes'][number];
export type LedgerContent = z.output<typeof contentSchema>;
export type LedgerFoundGroup = Extract<z.output<typeof lookupSchema>['data'][number], { readonly outcome: 'found' }>;
export type LedgerReversal = z.output<typeof reversalsSchema>['outcomes'][number];
