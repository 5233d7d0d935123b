import { z } from 'zod';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';
import { currencyField, distinctList, keyField, textField, uuidField } from '../wire/request-fields.js';
import { COUNTRY_CODES } from './domain/country-codes.js';

/** `DRAFT` has still to be created in the accounting system (P6). */
export const VENDOR_STATES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;
export type VendorState = (typeof VENDOR_STATES)[number];

export interface Vendor {
  readonly id: string;
  readonly companyId: string;
  readonly state: VendorState;
  readonly name: string;
  /** ISO 4217 code. */
  readonly defaultCurrency: string;
  readonly country: string;
  readonly code: string | null;
  readonly externalId: string | null;
  readonly registrationNumber: string | null;
  readonly taxRegistrationNumber: string | null;
  readonly accountingSystem: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const MAX_FILTERED = 100;
const MAX_STATES = 4;

export const countryField = z.enum(COUNTRY_CODES);

export const newVendorSchema = z.object({
  companyId: uuidField,
  defaultCurrency: currencyField,
  name: textField.min(1),
  code: textField.nullish(),
  country: countryField.nullish(),
  externalId: keyField.nullish(),
  registrationNumber: textField.nullish(),
  taxRegistrationNumber: textField.nullish(),
});
export type NewVendor = z.output<typeof newVendorSchema>;

export const vendorUpdateSchema = newVendorSchema.extend({
  externalId: keyField,
  state: z.enum(VENDOR_STATES),
});
export type VendorUpdate = z.output<typeof vendorUpdateSchema>;

export const vendorActivationSchema = z.object({ externalId: keyField, code: textField.nullish() });
export type VendorActivation = z.output<typeof vendorActivationSchema>;

/** A filter that is left out or null is empty. */
function filterOf<Values extends z.ZodArray>(values: Values) {
  return values.nullish().transform((given) => given ?? []);
}
const filter = filterOf(z.array(textField).max(MAX_FILTERED));

/** Empty filters filter nothing. */
export const vendorSearchSchema = z.object({
  ids: filterOf(z.array(uuidField).max(MAX_FILTERED)),
  codes: filter,
  externalIds: filter,
  countries: filterOf(z.array(countryField).max(MAX_FILTERED)),
  states: filterOf(distinctList(z.enum(VENDOR_STATES), MAX_STATES)),
  taxRegistrationNumbers: filter,
  accountingSystems: filter,
  name: textField.nullish(),
});
export type VendorSearch = z.output<typeof vendorSearchSchema>;

export const vendorResponseSchema = z.object({
  id: uuidResponseField,
  companyId: uuidResponseField,
  state: z.enum(VENDOR_STATES),
  name: z.string(),
  defaultCurrency: z.string(),
  country: countryField,
  code: z.string().optional(),
  externalId: z.string().optional(),
  registrationNumber: z.string().optional(),
  taxRegistrationNumber: z.string().optional(),
  accountingSystem: z.string().optional(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});

/** VendorResponse of P6; what is not known is left out. */
export function vendorWire(vendor: Vendor): object {
  const { code, externalId, registrationNumber, taxRegistrationNumber, accountingSystem } = vendor;
  const known = { code, externalId, registrationNumber, taxRegistrationNumber, accountingSystem };
  return {
    id: vendor.id,
    companyId: vendor.companyId,
    state: vendor.state,
    name: vendor.name,
    defaultCurrency: vendor.defaultCurrency,
    country: vendor.country,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)),
    createdAt: vendor.createdAt.toISOString(),
    updatedAt: vendor.updatedAt.toISOString(),
  };
}

/**
 * The `data` of `v1.vendor.created` (P2.3).
 * @param createdBy employee who created it, null when an integration did
 */
export function announcedVendor(vendor: Vendor, createdBy: string | null): object {
  return {
    id: vendor.id,
    companyId: vendor.companyId,
    name: vendor.name,
    country: vendor.country,
    registrationNumber: vendor.registrationNumber ?? '',
    taxRegistrationNumber: vendor.taxRegistrationNumber ?? '',
    code: vendor.code,
    state: vendor.state,
    defaultCurrency: vendor.defaultCurrency,
    createdBy,
    createdAt: vendor.createdAt.toISOString(),
    updatedAt: vendor.updatedAt.toISOString(),
    deletedAt: null,
  };
}
