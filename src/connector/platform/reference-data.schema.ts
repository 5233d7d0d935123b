// Wire shapes of the platform's reference data (P4 to P8), as tolerant as those of platform.schema.ts.
import { z } from 'zod';
import { uuid } from './platform.schema.js';

const textOrNull = z
  .string()
  .nullish()
  .transform((text) => text ?? null);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const metadata = z.record(z.string(), z.unknown());

export const accountSchema = z.object({
  id: uuid,
  externalId: z.string(),
  name: z.string(),
  code: textOrNull,
  archived: z.boolean(),
  taxCodeExternalId: textOrNull,
  metadata: metadata.nullish().transform((value) => value ?? null),
});
export type WireAccount = z.output<typeof accountSchema>;

/** Of what was created only the number counts; of what was not, why. */
export const accountBatchSchema = z.object({
  data: z.object({
    created: z.array(z.object({ externalId: z.string() })).max(1_000),
    failed: z
      .array(z.object({ request: z.object({ externalId: z.string() }), reasons: z.array(z.string()) }))
      .max(1_000),
  }),
});
export type WireAccountBatch = z.output<typeof accountBatchSchema>['data'];

export const taxCodeSchema = z.object({
  id: uuid,
  name: z.string(),
  code: textOrNull,
  rate: z.number(),
  type: z.string(),
  archived: flag,
  ingoingTaxAccount: textOrNull,
  outgoingTaxAccount: textOrNull,
});
export type WireTaxCode = z.output<typeof taxCodeSchema>;

export const tagGroupSchema = z.object({
  id: uuid,
  code: z
    .string()
    .nullish()
    .transform((code) => code ?? ''),
  name: z.string(),
  archived: flag,
  metadata: metadata.nullish().transform((value) => value ?? {}),
});
export type WireTagGroup = z.output<typeof tagGroupSchema>;

export const tagGroupsSchema = z.object({ data: z.array(tagGroupSchema).max(10_000) });

export const tagSchema = z.object({
  id: uuid,
  code: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  archived: flag,
});
export type WireTag = z.output<typeof tagSchema>;

export const vendorSchema = z.object({
  id: uuid,
  state: z.string(),
  name: z.string(),
  defaultCurrency: z.string(),
  code: textOrNull,
  externalId: textOrNull,
  country: z
    .string()
    .nullish()
    .transform((country) => country ?? 'UNDEFINED'),
  registrationNumber: textOrNull,
  taxRegistrationNumber: textOrNull,
});
export type WireVendor = z.output<typeof vendorSchema>;

export const offeredCompanySchema = z.object({
  id: uuid,
  organizationId: z.string().nullish(),
  name: z.string(),
  registrationNumber: textOrNull,
  address: z
    .object({ country: textOrNull, locality: textOrNull })
    .nullish()
    .transform((address) => address ?? { country: null, locality: null }),
});
export type WireCompany = z.output<typeof offeredCompanySchema>;
