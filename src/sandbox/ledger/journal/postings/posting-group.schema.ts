// The wire shape of posting requests. Validated with zod, group by group: class-validator is too slow for 500 groups of
// entries and lines, and one malformed group must not refuse the others.
import { z } from 'zod';
import { parseCurrency } from '../../../../kernel/currency.js';
import { parseLocalDate } from '../../../../kernel/local-date.js';
import { isStorable } from '../../http/field.js';
import { MAX_DOCUMENTS } from '../domain/place-documents.js';
import type { PostingGroup } from '../domain/posting-group.js';

export const MAX_GROUPS = 500;
export const MAX_KEY_LENGTH = 255;
const MAX_ENTRIES = 20;
const MAX_LINES = 500;
const MAX_GROUP_LINES = 5_000;
const MAX_CODE = 100;

const code = z.string().min(1).max(MAX_CODE);
const date = z
  .string()
  .max(10)
  .refine((text) => parseLocalDate(text) !== undefined, 'must be a calendar day YYYY-MM-DD')
  .meta({ format: 'date' });
/** Documents are matched by it; surrounding blanks are ignored. */
const documentNumber = z.string().trim().min(1).max(255);
const currency = z
  .string()
  .max(3)
  .refine((text) => parseCurrency(text) !== undefined, 'must be an ISO 4217 code');
/** Decimal text, because many JSON readers lose digits of numbers of this size. */
const minor = z
  .string()
  .regex(/^-?\d{1,18}$/, 'must be a whole number of minor units as text, at most 18 digits')
  .transform(BigInt);

const share = z.string().regex(/^(0(\.\d{1,30})?|1(\.0{1,30})?)$/, 'must be a decimal from 0 to 1 as text');

/** What a tax return needs. Amounts have the sign of the line. */
const lineTax = z.strictObject({
  /** `input` and `output`: the line is that tax. `expense`: nothing of the tax is deducted, so that it has no line. */
  place: z.enum(['input', 'output', 'expense']),
  reverseCharge: z.boolean(),
  rate: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/, 'must be a decimal as text')
    .nullish(),
  /** The share of the tax that is deducted. */
  deductible: share,
  /** What the tax is on, whatever the share: minor units of the entry's currency. */
  taxableMinor: minor,
  /** The same in minor units of the functional currency. */
  taxableBaseMinor: minor,
  /** The tax before the share. */
  taxMinor: minor,
  taxBaseMinor: minor,
});

const line = z.strictObject({
  accountCode: code,
  /** Minor units of the entry's currency, debit positive. */
  amountMinor: minor,
  /** Minor units of the company's functional currency, debit positive. */
  baseMinor: minor,
  vendorNumber: code.nullish(),
  employee: z.string().min(1).max(255).nullish(),
  taxCode: code.nullish(),
  tax: lineTax.nullish(),
  /** Dimension code → value code. */
  dimensions: z.record(code, code).default({}),
});

const settlement = z.strictObject({
  kind: z.enum(['within', 'settles', 'reopens']),
  vendorNumber: code,
  /** Document numbers of the open items meant; empty for "within". */
  numbers: z.array(documentNumber).max(1_000),
  currency,
  amountMinor: minor,
  /** Where a difference in base goes when the settlement is carried out. */
  realizedFxAccountCode: code.nullish(),
});

const entry = z.strictObject({
  role: z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt']),
  /** Entries of one role are the parts of one that is too long. */
  part: z.int().min(1).max(MAX_ENTRIES).default(1),
  state: z.enum(['draft', 'posted']),
  postingDate: date,
  documentDate: date.nullish(),
  dueDate: date.nullish(),
  documentNumber: documentNumber.nullish(),
  currency,
  description: z.string().max(1_000),
  reference: z.string().max(255).nullish(),
  metadata: z.record(z.string().max(100), z.unknown()).default({}),
  lines: z.array(line).min(2).max(MAX_LINES),
  settlement: settlement.nullish(),
});

const document = z.strictObject({
  /** As the ledger returned it when the document was stored. */
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
  fileName: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => !text.includes('\0'), 'must not contain the character NUL'),
});

const key = z
  .string()
  .min(1)
  .max(MAX_KEY_LENGTH)
  .refine(isStorable, 'must not contain the character NUL or half a pair of surrogates');

export const postingGroupSchema: z.ZodType<PostingGroup> = z
  .strictObject({
    /** Names this effect within the company. */
    key,
    /** The next one may be posted once everything of the one before is reversed or discarded. */
    revision: z.int().min(1).max(1_000).default(1),
    /** Digest of the content that the entries were made from; distinguishes a repetition from a conflict. */
    contentDigest: z.string().min(1).max(255),
    entries: z.array(entry).min(1).max(MAX_ENTRIES),
    /** Attached to the entry, invoice or credit note, in order. */
    documents: z.array(document).max(MAX_DOCUMENTS).default([]),
  })
  .refine(
    (group) =>
      new Set(group.entries.map(({ role, part }) => `${role} ${part.toString()}`)).size === group.entries.length,
    {
      path: ['entries'],
      message: 'must have a different role or part each',
    },
  )
  .refine((group) => group.entries.reduce((sum, each) => sum + each.lines.length, 0) <= MAX_GROUP_LINES, {
    path: ['entries'],
    message: `must have at most ${MAX_GROUP_LINES.toString()} lines together`,
  });

export const postRequestSchema = z.strictObject({
  groups: z
    .array(z.looseObject({ key }))
    .min(1)
    .max(MAX_GROUPS)
    .refine(differentKeys, 'must have a different key each'),
});

export const lookupRequestSchema = z.strictObject({ keys: z.array(key).min(1).max(MAX_GROUPS) });

const namedKeys = z
  .array(key)
  .min(1)
  .max(MAX_GROUPS)
  .refine((keys) => new Set(keys).size === keys.length, 'must name each key once');

export const reverseRequestSchema = z.strictObject({
  keys: namedKeys,
  /** Kept with the reversals. */
  reason: z.string().min(1).max(255).nullish(),
});

export const settleRequestSchema = z.strictObject({
  keys: namedKeys,
  /** Where a difference in base goes when the entries name no active account for it. */
  realizedFxAccountCode: code.nullish(),
});

/** As the OpenAPI page shows it. */
export const documentedPostRequest = z.strictObject({
  groups: z.array(postingGroupSchema).min(1).max(MAX_GROUPS),
});

function differentKeys(groups: readonly { readonly key: string }[]): boolean {
  return new Set(groups.map((group) => group.key)).size === groups.length;
}
