// Reference data as the control accepts it: all but the essential fields may be left out, and values that the API would
// refuse (too many groups, an exclusive tax code, any state) are accepted, so that a test can begin in any state.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import type { Employee } from '../employees/employee.repository.js';
import type { TagGroup } from '../tags/tag-group.js';
import type { Tag } from '../tags/tag.js';
import { TAX_TYPES } from '../tax-codes/domain/tax-breakdown.js';
import type { TaxCode } from '../tax-codes/tax-code.js';
import { UNDEFINED_COUNTRY } from '../vendors/domain/country-codes.js';
import { countryField, VENDOR_STATES, type Vendor } from '../vendors/vendor.js';
import {
  currencyField,
  keyField,
  MAX_KEY_LENGTH,
  metadataField,
  textField,
  uuidField,
} from '../wire/request-fields.js';

/** Maximum number of elements of one call; tags are counted over all groups. */
export const MAX_SEEDS = 25_000;

const text = textField.nullable().default(null);
const id = uuidField.optional();
const list = <Seed extends z.ZodType>(seed: Seed) => z.array(seed).min(1).max(MAX_SEEDS);

export const accountSeeds = list(
  z.strictObject({
    id,
    externalId: textField.min(1).max(255),
    name: textField.max(255).optional(),
    code: textField.max(255).nullable().default(null),
    archived: z.boolean().default(false),
    taxCodeExternalId: text,
    accountingSystem: text,
    metadata: metadataField.nullish(),
  }),
);
export const categorySeeds = list(
  z.strictObject({ id, name: textField.min(1).max(255), accountId: uuidField.nullable().default(null) }),
);
export const taxCodeSeeds = list(
  z.strictObject({
    id,
    name: textField,
    code: text,
    rate: z.number().min(0).max(1),
    type: z.enum(TAX_TYPES).default('inclusive'),
    archived: z.boolean().default(false),
    ingoingTaxAccount: text,
    outgoingTaxAccount: text,
    accountingIntegrationSystem: text,
  }),
);
export const vendorSeeds = list(
  z.strictObject({
    id,
    name: textField.min(1),
    state: z.enum(VENDOR_STATES).default('ACTIVE'),
    defaultCurrency: currencyField.default('EUR'),
    country: countryField.default(UNDEFINED_COUNTRY),
    code: text,
    externalId: keyField.nullable().default(null),
    registrationNumber: text,
    taxRegistrationNumber: text,
    accountingSystem: text,
  }),
);
export const employeeSeeds = list(
  z.strictObject({
    id,
    email: textField,
    firstName: textField,
    lastName: textField,
    code: text,
    jobTitle: text,
    phone: text,
  }),
);
export const tagGroupSeeds = list(
  z.strictObject({
    id,
    name: textField,
    code: textField,
    archived: z.boolean().default(false),
    metadata: metadataField.default({}),
    tags: z
      .array(
        z.strictObject({ id, code: textField.max(MAX_KEY_LENGTH), name: text, archived: z.boolean().default(false) }),
      )
      .max(MAX_SEEDS)
      .default([]),
  }),
).refine(
  (groups) => groups.reduce((sum, group) => sum + group.tags.length, 0) <= MAX_SEEDS,
  `may hold at most ${MAX_SEEDS.toString()} tags`,
);

type Seeds<Schema extends z.ZodType> = z.output<Schema>;

export function seededAccounts(companyId: string, seeds: Seeds<typeof accountSeeds>, now: Date): Account[] {
  return seeds.map((seed) => ({
    ...identity(companyId, seed, now),
    externalId: seed.externalId,
    name: seed.name ?? seed.externalId,
    code: seed.code,
    archived: seed.archived,
    taxCodeExternalId: seed.taxCodeExternalId,
    accountingSystem: seed.accountingSystem,
    metadata: seed.metadata ?? null,
  }));
}

export function seededTaxCodes(companyId: string, seeds: Seeds<typeof taxCodeSeeds>, now: Date): TaxCode[] {
  return seeds.map((seed) => ({ ...seed, ...identity(companyId, seed, now), rate: seed.rate.toString() }));
}

export function seededVendors(companyId: string, seeds: Seeds<typeof vendorSeeds>, now: Date): Vendor[] {
  return seeds.map((seed) => ({ ...seed, ...identity(companyId, seed, now) }));
}

export function seededEmployees(companyId: string, seeds: Seeds<typeof employeeSeeds>): Employee[] {
  return seeds.map((seed) => ({ ...seed, id: seed.id ?? randomUUID(), companyId }));
}

/** @returns the groups, and the tags of all of them */
export function seededTagGroups(
  companyId: string,
  seeds: Seeds<typeof tagGroupSeeds>,
  now: Date,
): { readonly groups: readonly TagGroup[]; readonly tags: readonly Tag[] } {
  const seeded = seeds.map(({ tags, ...seed }) => {
    const group: TagGroup = { ...seed, ...identity(companyId, seed, now) };
    const own = tags.map((tag): Tag => ({ ...tag, ...identity(companyId, tag, now), groupId: group.id }));
    return { group, own };
  });
  return { groups: seeded.map(({ group }) => group), tags: seeded.flatMap(({ own }) => own) };
}

function identity(companyId: string, seed: { readonly id?: string | undefined }, now: Date) {
  return { id: seed.id ?? randomUUID(), companyId, createdAt: now, updatedAt: now };
}
