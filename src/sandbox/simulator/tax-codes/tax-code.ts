import { z } from 'zod';
import { dataOf, instantResponseField, uuidResponseField } from '../wire/response-schemas.js';
import { currencyField, distinctList, textField, uuidField } from '../wire/request-fields.js';
import { wireTime } from '../wire/wire-time.js';
import { TAX_TYPES, type TaxType } from './domain/tax-breakdown.js';

export interface TaxCode {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly code: string | null;
  /** Decimal text of a share: `0.25` is 25 %. */
  readonly rate: string;
  readonly type: TaxType;
  readonly archived: boolean;
  readonly ingoingTaxAccount: string | null;
  readonly outgoingTaxAccount: string | null;
  readonly accountingIntegrationSystem: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const MAX_FILTERED = 10_000;
const MAX_AMOUNTS = 1_000;
/** Gross may be twice the amount, and is a JSON number. */
const MAX_AMOUNT = Math.floor(Number.MAX_SAFE_INTEGER / 2);

/** Body of create and update (P5). A rate above 1 is a percentage by mistake. */
export const taxCodeSchema = z.object({
  companyId: uuidField,
  name: textField.min(1),
  code: textField.nullish(),
  rate: z.number().min(0).max(1),
  type: z.enum(TAX_TYPES).refine((type) => type !== 'exclusive', 'exclusive tax codes are not supported'),
  archived: z.boolean(),
  ingoingTaxAccount: textField.nullish(),
  outgoingTaxAccount: textField.nullish(),
});
export type TaxCodeRequest = z.output<typeof taxCodeSchema>;

/** Unset, null and empty filters filter nothing. */
export const taxCodeSearchSchema = z.object({
  archived: z.boolean().nullish(),
  code: textField.nullish(),
  taxCodeIds: distinctList(uuidField, MAX_FILTERED).nullish(),
  type: z.enum(TAX_TYPES).nullish(),
});
export type TaxCodeSearch = z.output<typeof taxCodeSearchSchema>;

const amountSchema = z.object({
  id: z.string(),
  amount: z.object({ currency: currencyField, minors: z.int().min(-MAX_AMOUNT).max(MAX_AMOUNT) }),
});

export const taxCalculationSchema = z.object({
  amountsByTaxCodeId: z
    .record(uuidField, z.array(amountSchema))
    .refine(
      (amounts) => Object.values(amounts).flat().length <= MAX_AMOUNTS,
      `may hold at most ${MAX_AMOUNTS.toString()} amounts`,
    ),
});
export type TaxCalculation = z.output<typeof taxCalculationSchema>;

export const taxCodeResponseSchema = z.object({
  id: uuidResponseField,
  companyId: uuidResponseField,
  name: z.string(),
  code: z.string().nullable(),
  rate: z.number(),
  type: z.enum(TAX_TYPES),
  archived: z.boolean(),
  ingoingTaxAccount: z.string().nullable(),
  outgoingTaxAccount: z.string().nullable(),
  accountingIntegrationSystem: z.string().nullable(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});
const moneyResponseSchema = z.object({ currency: z.string(), minors: z.int() });
export const taxCalculationResponseSchema = dataOf(
  z.object({
    taxes: z.record(
      z.string(),
      z.array(
        z.object({
          id: z.string(),
          amountTaxBreakdown: z.object({
            gross: moneyResponseSchema,
            net: moneyResponseSchema,
            tax: moneyResponseSchema,
          }),
        }),
      ),
    ),
  }),
);

/** TaxCode of P5; nullable fields are present as null. */
export function taxCodeWire(taxCode: TaxCode): object {
  const { rate, createdAt, updatedAt, ...rest } = taxCode;
  return { ...rest, rate: Number(rate), createdAt: wireTime(createdAt), updatedAt: wireTime(updatedAt) };
}
