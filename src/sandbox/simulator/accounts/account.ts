import { z } from 'zod';
import { BATCH_REASONS } from './domain/batch-reasons.js';
import { dataOf, uuidResponseField } from '../wire/response-schemas.js';
import { distinctList, metadataField, textField, uuidField } from '../wire/request-fields.js';

/** Longest `externalId`, `name` and `code` in characters (P4). */
export const MAX_TEXT_LENGTH = 255;
const MAX_IN_BATCH = 1_000;
const MAX_FILTERED = 10_000;

export interface Account {
  readonly id: string;
  readonly companyId: string;
  readonly externalId: string;
  readonly name: string;
  readonly code: string | null;
  readonly archived: boolean;
  readonly taxCodeExternalId: string | null;
  readonly accountingSystem: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const shortText = textField.max(MAX_TEXT_LENGTH);

/** Body of an update: `externalId` and company never change. */
export const accountUpdateSchema = z.object({
  name: shortText,
  code: shortText.nullish(),
  archived: z.boolean(),
  taxCodeExternalId: textField.nullish(),
  metadata: metadataField.nullish(),
});
export type AccountUpdate = z.output<typeof accountUpdateSchema>;

export const newAccountSchema = accountUpdateSchema.extend({
  companyId: uuidField,
  externalId: shortText.min(1),
});
export type NewAccount = z.output<typeof newAccountSchema>;

/** Lengths are checked item by item, because a bad item fails alone. */
export const accountBatchSchema = z.object({
  companyId: uuidField,
  items: z
    .array(
      z.object({
        externalId: z.string(),
        name: z.string(),
        code: z.string().nullish(),
        archived: z.boolean(),
        taxCodeExternalId: z.string().nullish(),
        metadata: metadataField.nullish(),
      }),
    )
    .min(1)
    .max(MAX_IN_BATCH),
});
export type AccountBatchItem = z.output<typeof accountBatchSchema>['items'][number];

/** Unset, null and empty filters filter nothing. */
export const accountSearchSchema = z.object({
  companyId: uuidField,
  archived: z.boolean().nullish(),
  codes: z.array(textField).max(MAX_FILTERED).nullish(),
  code: textField.nullish(),
  externalId: textField.nullish(),
  ids: distinctList(uuidField.nullable(), MAX_FILTERED).nullish(),
  name: textField.nullish(),
  excludeIfAssignedToCategory: z.boolean().nullish(),
  excludeIfAssignedToContraAccount: z.boolean().nullish(),
});
export type AccountSearch = z.output<typeof accountSearchSchema>;

export const accountResponseSchema = z.object({
  id: uuidResponseField,
  companyId: uuidResponseField,
  externalId: z.string(),
  name: z.string(),
  code: z.string().nullable(),
  archived: z.boolean(),
  taxCodeExternalId: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  accountingSystem: z.string().optional(),
});
export const accountBatchResponseSchema = dataOf(
  z.object({
    created: z.array(accountResponseSchema),
    failed: z.array(z.object({ request: z.record(z.string(), z.unknown()), reasons: z.array(z.enum(BATCH_REASONS)) })),
  }),
);

/** Account of P4; nullable fields are present as null, `accountingSystem` only where there is one. */
export function accountWire(account: Account): object {
  const { id, companyId, externalId, name, code, archived, taxCodeExternalId, metadata, accountingSystem } = account;
  return {
    id,
    companyId,
    externalId,
    name,
    code,
    archived,
    taxCodeExternalId,
    metadata,
    ...(accountingSystem === null ? {} : { accountingSystem }),
  };
}
