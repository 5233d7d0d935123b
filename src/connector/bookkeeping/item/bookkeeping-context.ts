import type { CurrencyCode } from '../../../kernel/currency.js';
import { parseDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { ErpAccountId, ErpTaxCodeId, ErpVendorId } from '../../../kernel/ids.js';
import { addDays, localDateIn, type LocalDate } from '../../../kernel/local-date.js';
import { normalizedTaxNumber, vendorNameKey } from '../accounts/vendor-keys.js';
import { CodeIndex } from '../accounts/code-index.js';
import { indexRules, sourceKeyOf, tagKeyOf, type MappingRule, type RuleIndex } from '../accounts/rule-index.js';

// Everything besides the item that decides how it is booked, as one immutable value: a job is mapped with exactly one
// of these from start to end.

export interface ErpAccount {
  readonly externalId: ErpAccountId;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** Absent where the ERP does not tell. */
  readonly type?: AccountType | undefined;
}

export type AccountType = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

export interface ErpTaxCode {
  readonly externalId: ErpTaxCodeId;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** External id or code of the account. */
  readonly inputAccount?: string;
  readonly outputAccount?: string;
  /** Decimal text from "0" to "1": the share of the input tax that may be deducted. */
  readonly deductible?: string;
}

export interface ErpDimension {
  readonly code: string;
  readonly active: boolean;
  readonly values: readonly { readonly code: string; readonly active: boolean }[];
}

export interface ErpVendor {
  readonly id: ErpVendorId;
  readonly code: string;
  readonly externalId?: string;
  readonly name: string;
  /** ISO 3166 alpha-2. */
  readonly country?: string;
  readonly taxNumber?: string;
  /** External id or code of the vendor's own payables account. */
  readonly payablesAccount?: string;
  readonly blocked: boolean;
  readonly isEmployee: boolean;
}

/** Both days belong to the period. */
export interface ErpPeriod {
  readonly name: string;
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly open: boolean;
}

/** `rate` is decimal text: main units of `to` for one main unit of `from`. */
export interface ExchangeRate {
  readonly from: CurrencyCode;
  readonly to: CurrencyCode;
  readonly date: LocalDate;
  readonly rate: string;
}

/** Each account is named by its external id or its code in the ERP. */
export interface BookkeepingSettings {
  readonly wallets: Readonly<Record<string, string>>;
  readonly companyBank?: string;
  readonly companyBankByCurrency: Readonly<Record<string, string>>;
  readonly outOfPocket?: string;
  readonly accountsPayable?: string;
  readonly fxRounding?: string;
  readonly realizedFx?: string;
  /** By item type, for lines that name no account. */
  readonly fallbackAccounts: Readonly<Record<string, string>>;
}

export interface BookkeepingPolicies {
  readonly unknownVendor: 'create' | 'fail';
  readonly closedPeriod: 'fail' | 'next-open';
  readonly postingState: 'draft' | 'posted';
  /** What happens to an entry that is in the books already, with other content (B7.3). */
  readonly conflicts: 'fail' | 'reverse-and-repost';
  /** What happens to an entry when one of its receipts does not get into the ERP. */
  readonly receipts: 'fail' | 'post-without';
  /** What happens to an unchanged entry that was reversed in the ERP since it was posted (B9.1). */
  readonly reversedInErp: 'repost' | 'fail';
}

export interface BookkeepingData {
  readonly functionalCurrency: CurrencyCode;
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** Characters the ERP takes in an entry's description. */
  readonly descriptionLimit: number;
  /** Lines the ERP takes in one entry; undefined: as many as there are. */
  readonly linesPerEntry?: number;
  /** Whether the ERP keeps what a tax return needs of a line (B9.8). */
  readonly taxDetails?: boolean;
  /** Whether the ERP refuses a line on an account for vendors that names none. */
  readonly payablesNeedVendor?: boolean;
  readonly accounts: readonly ErpAccount[];
  readonly taxCodes: readonly ErpTaxCode[];
  readonly dimensions: readonly ErpDimension[];
  readonly vendors: readonly ErpVendor[];
  /** What is known to be the platform's vendor of this id, whatever else the two have in common. */
  readonly vendorsByPlatformId?: ReadonlyMap<string, ErpVendor>;
  readonly periods: readonly ErpPeriod[];
  readonly rates: readonly ExchangeRate[];
  /** Whether they are uploaded to the connector, since the ERP has none. */
  readonly ratesAreUploaded?: boolean;
  readonly settings: BookkeepingSettings;
  readonly policies: BookkeepingPolicies;
  readonly rules: readonly MappingRule[];
  readonly mappingVersion: number;
}

export interface DimensionValue {
  readonly dimension: string;
  readonly value: string;
}

/** Ways to find an ERP vendor; what two of them share finds neither. */
export interface VendorIndexes {
  readonly vendorsByCode: CodeIndex<ErpVendor>;
  readonly vendorsByExternalId: CodeIndex<ErpVendor>;
  readonly vendorsByTaxNumber: CodeIndex<ErpVendor>;
  readonly vendorsByName: CodeIndex<ErpVendor>;
}

/** The data with its look-up tables. Accounts, tax codes and dimension values in them are active ones only. */
export interface BookkeepingContext extends Omit<BookkeepingData, 'rules' | 'rates' | 'dimensions'>, VendorIndexes {
  readonly accountsById: ReadonlyMap<string, ErpAccount>;
  readonly accountsByCode: CodeIndex<ErpAccount>;
  readonly taxCodesById: ReadonlyMap<string, ErpTaxCode>;
  readonly taxCodesByCode: CodeIndex<ErpTaxCode>;
  readonly dimensionValues: CodeIndex<DimensionValue>;
  /** The rate to the functional currency in force on a day, by wallet currency. */
  readonly ratesByCurrency: ReadonlyMap<string, ReadonlyMap<LocalDate, Decimal>>;
  readonly ruleIndex: RuleIndex;
  /** Accounts on which the ERP needs a vendor, by their id; empty where it needs none. */
  readonly vendorAccounts: ReadonlySet<string>;
}

/** How old the last earlier rate may be for a day without one (B4). */
export const MAX_RATE_AGE_DAYS = 7;

/**
 * Builds the look-up tables once, so that planning an item costs a few map look-ups however large the ERP is.
 *
 * @throws RangeError when the time zone does not exist.
 */
export function indexContext(data: BookkeepingData): BookkeepingContext {
  localDateIn(new Date(0), data.timeZone);
  const { rules, rates, dimensions, ...kept } = data;
  const accounts = data.accounts.filter((account) => account.active);
  const taxCodes = data.taxCodes.filter((taxCode) => taxCode.active);
  const accountsById = uniqueIndex(accounts, (account) => [account.externalId]);
  const accountsByCode = uniqueIndex(accounts, (account) => [account.code]);
  return {
    ...kept,
    periods: data.periods.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    accountsById,
    accountsByCode,
    vendorAccounts: new Set(
      (data.payablesNeedVendor === true
        ? [data.settings.accountsPayable, ...data.vendors.map((vendor) => vendor.payablesAccount)]
        : []
      ).flatMap((reference = '') => (accountsById.get(reference) ?? accountsByCode.get(reference))?.externalId ?? []),
    ),
    taxCodesById: uniqueIndex(taxCodes, (taxCode) => [taxCode.externalId]),
    taxCodesByCode: uniqueIndex(taxCodes, (taxCode) => [taxCode.code]),
    dimensionValues: indexDimensions(dimensions),
    ...indexVendors(data.vendors),
    ratesByCurrency: indexRates(rates, data.functionalCurrency),
    ruleIndex: indexRules(rules),
  };
}

export function indexVendors(vendors: readonly ErpVendor[]): VendorIndexes {
  return {
    vendorsByCode: uniqueIndex(vendors, (vendor) => [vendor.code.trim()]),
    vendorsByExternalId: uniqueIndex(vendors, (vendor) => [vendor.id, vendor.externalId?.trim()]),
    vendorsByTaxNumber: uniqueIndex(vendors, (vendor) => [normalizedTaxNumber(vendor.taxNumber)]),
    vendorsByName: uniqueIndex(vendors, (vendor) => [vendorNameKey(vendor.name, vendor.country)]),
  };
}

function uniqueIndex<T>(values: readonly T[], keysOf: (value: T) => readonly (string | undefined)[]): CodeIndex<T> {
  const index = new CodeIndex<T>();
  const ambiguous = new Set<string>();
  for (const value of values) {
    for (const key of new Set(keysOf(value).map((code) => code && sourceKeyOf(code)))) {
      if (key === undefined || key === '') continue;
      if (index.has(key)) ambiguous.add(key);
      else index.set(key, value);
    }
  }
  for (const key of ambiguous) index.markAmbiguous(key);
  return index;
}

function indexDimensions(dimensions: readonly ErpDimension[]): CodeIndex<DimensionValue> {
  const active = dimensions
    .filter((dimension) => dimension.active)
    .flatMap(({ code: dimension, values }) =>
      values.filter((value) => value.active).map(({ code: value }): DimensionValue => ({ dimension, value })),
    );
  return uniqueIndex(active, ({ dimension, value }) => [tagKeyOf({ groupCode: dimension, code: value })]);
}

// Each day gets the rate in force on it: its own, or the last one of the days before, as long as that may be used.
// A rate that is not a positive number is ignored; the item then needs the rate by pair and day.
function indexRates(rates: readonly ExchangeRate[], functional: CurrencyCode): Map<string, Map<LocalDate, Decimal>> {
  const index = new Map<string, Map<LocalDate, Decimal>>();
  for (const { from, to, date, rate } of rates.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    const decimal = parseDecimal(rate);
    if (to !== functional || decimal === undefined || decimal.coefficient <= 0n) continue;
    const byDay = index.get(from) ?? new Map<LocalDate, Decimal>();
    index.set(from, byDay);
    for (let age = 0; age <= MAX_RATE_AGE_DAYS; age += 1) byDay.set(addDays(date, age), decimal);
  }
  return index;
}
