// The ledger's reference data in the words of bookkeeping.
import type { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';
import { toErpAccountId, toErpTaxCodeId, toErpVendorId } from '../../../kernel/ids.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import type {
  ErpAccount,
  ErpDimension,
  ErpPeriod,
  ErpTaxCode,
  ErpVendor,
  ExchangeRate,
} from '../../bookkeeping/item/bookkeeping-context.js';
import type {
  accountSchema,
  dimensionSchema,
  dimensionValueSchema,
  LedgerVendor,
  periodSchema,
  rateSchema,
  taxCodeSchema,
} from './ledger-wire.schema.js';

export function accountOf(account: z.output<typeof accountSchema>): ErpAccount {
  return { ...account, externalId: toErpAccountId(account.externalId) };
}

export function taxCodeOf(taxCode: z.output<typeof taxCodeSchema>): ErpTaxCode {
  const { code, name, active, deductible, inputAccountCode, outputAccountCode } = taxCode;
  return {
    externalId: toErpTaxCodeId(taxCode.externalId),
    code,
    name,
    active,
    deductible,
    ...(inputAccountCode == null ? {} : { inputAccount: inputAccountCode }),
    ...(outputAccountCode == null ? {} : { outputAccount: outputAccountCode }),
  };
}

export function dimensionsOf(
  dimensions: readonly z.output<typeof dimensionSchema>[],
  values: readonly z.output<typeof dimensionValueSchema>[],
): readonly ErpDimension[] {
  const byDimension = Map.groupBy(values, (value) => value.dimensionCode);
  return dimensions.map(({ code, active }) => ({ code, active, values: byDimension.get(code) ?? [] }));
}

export function vendorOf(vendor: LedgerVendor): ErpVendor {
  const { externalId, country, taxRegistrationNumber, payableAccountCode } = vendor;
  return {
    id: toErpVendorId(vendor.id),
    code: vendor.number,
    name: vendor.name,
    blocked: vendor.blocked || vendor.archived,
    isEmployee: vendor.isEmployee,
    ...(externalId == null ? {} : { externalId }),
    ...(country == null ? {} : { country }),
    ...(taxRegistrationNumber == null ? {} : { taxNumber: taxRegistrationNumber }),
    ...(payableAccountCode == null ? {} : { payablesAccount: payableAccountCode }),
  };
}

/** @returns nothing for a period with unreadable days: postings dated in no period fail with a clear message */
export function periodOf(period: z.output<typeof periodSchema>): readonly ErpPeriod[] {
  const from = parseLocalDate(period.from);
  const to = parseLocalDate(period.to);
  return from === undefined || to === undefined
    ? []
    : [{ name: `${from} to ${to}`, from, to, open: period.state === 'open' }];
}

/** @returns nothing for a rate that cannot be read: an entry that needs it fails and names pair and date */
export function rateOf(rate: z.output<typeof rateSchema>): readonly ExchangeRate[] {
  const from = parseCurrency(rate.from);
  const to = parseCurrency(rate.to);
  const date = parseLocalDate(rate.date);
  return from === undefined || to === undefined || date === undefined ? [] : [{ from, to, date, rate: rate.rate }];
}
