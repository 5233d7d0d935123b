import { z } from 'zod';
import { dataOf, instantAnswer, uuidAnswer } from '../wire/answer-schemas.js';
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

const MOST_FILTERED = 10_000;
const MOST_AMOUNTS = 1_000;
/** Gross may be twice the amount, and is a JSON number. */
const LARGEST_AMOUNT = Math.floor(Number.MAX_SAFE_INTEGER / 2);

/** Body of create and update (wire-facts §5). A rate above 1 is a percentage by mistake. */
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
  taxCodeIds: distinctList(uuidField, MOST_FILTERED).nullish(),
  type: z.enum(TAX_TYPES).nullish(),
});
export type TaxCodeSearch = z.output<typeof taxCodeSearchSchema>;

const amountSchema = z.object({
  id: z.string(),
  amount: z.object({ currency: currencyField, minors: z.int().min(-LARGEST_AMOUNT).max(LARGEST_AMOUNT) }),
});

export const taxCalculationSchema = z.object({
  amountsByTaxCodeId: z
    .record(uuidField, z.array(amountSchema))
    .refine(
      (amounts) => Object.values(amounts).flat().length <= MOST_AMOUNTS,
      `may hold at most ${MOST_AMOUNTS.toString()} amounts`,
    ),
});
export type TaxCalculation = z.output<typeof taxCalculationSchema>;

export const taxCodeAnswer = z.object({
  id: uuidAnswer,
  companyId: uuidAnswer,
  name: z.string(),
  code: z.string().nullable(),
  rate: z.number(),
  type: z.enum(TAX_TYPES),
  archived: z.boolean(),
  ingoingTaxAccount: z.string().nullable(),
  outgoingTaxAccount: z.string().nullable(),
  accountingIntegrationSystem: z.string().nullable(),
  createdAt: instantAnswer,
  updatedAt: instantAnswer,
});
const moneyAnswer = z.object({ currency: z.string(), minors: z.int() });
export const taxCalculationAnswer = dataOf(
  z.object({
    taxes: z.record(
      z.string(),
      z.array(
        z.object({
          id: z.string(),
          amountTaxBreakdown: z.object({ gross: moneyAnswer, net: moneyAnswer, tax: moneyAnswer }),
        }),
      ),
    ),
  }),
);

/** TaxCode of wire-facts §5; nullable fields stand with null. */
export function taxCodeWire(taxCode: TaxCode): object {
  const { rate, createdAt, updatedAt, ...rest } = taxCode;
  return { ...rest, rate: Number(rate), createdAt: wireTime(createdAt), updatedAt: wireTime(updatedAt) };
}
