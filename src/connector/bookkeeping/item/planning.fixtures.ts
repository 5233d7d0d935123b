import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { toErpAccountId, toErpTaxCodeId, toErpVendorId } from '../../../kernel/ids.js';
import { parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import { indexContext, type BookkeepingContext, type BookkeepingData, type ErpVendor } from './bookkeeping-context.js';
import type { DualAmount, ExportItem, ItemAccount, ItemLine, ItemTag, ItemTax, ItemVendor } from './export-item.js';
import type { PostingPlan, PlannedEntry, PlannedLine } from './posting-plan.js';
import { planItem } from './plan-item.js';

// The company of the worked examples in B8, and short ways to write its items and read its entries.

const ACCOUNTS: readonly (readonly [code: string, name: string])[] = [
  ['1930', 'Bank in transit'],
  ['1935', 'Wallet EUR'],
  ['1936', 'Wallet USD'],
  ['1937', 'Wallet JPY'],
  ['2440', 'Trade payables'],
  ['2441', 'Trade payables, subsidiaries'],
  ['2614', 'Output tax, reverse charge'],
  ['2641', 'Input tax'],
  ['2642', 'Input tax, imports'],
  ['2890', 'Owed to employees'],
  ['3730', 'Discounts'],
  ['3960', 'FX rounding'],
  ['4010', 'Goods'],
  ['5410', 'Equipment'],
  ['5611', 'Fuel'],
  ['5800', 'Travel'],
  ['6070', 'Entertaining'],
  ['6071', 'Meals'],
  ['6110', 'Office'],
  ['6540', 'Software'],
  ['6570', 'Bank charges'],
  ['7690', 'Staff costs'],
  ['7960', 'Realized FX'],
];

const company: BookkeepingData = {
  functionalCurrency: currency('EUR'),
  timeZone: 'Europe/Copenhagen',
  descriptionLimit: 100,
  taxDetails: true,
  accounts: [
    ...ACCOUNTS.map(([code, name]) => ({
      externalId: toErpAccountId(`acc-${code}`),
      code,
      name,
      active: true,
    })),
    { externalId: toErpAccountId('acc-9999'), code: '9999', name: 'Closed account', active: false },
  ],
  taxCodes: [
    taxCode('25', { inputAccount: '2641', outputAccount: '2614' }),
    taxCode('HALF', { inputAccount: '2641', outputAccount: '2614', deductible: '0.5' }),
    taxCode('NONE', { outputAccount: '2614', deductible: '0' }),
    taxCode('BARE', {}),
    { ...taxCode('OLD', { inputAccount: '2641' }), active: false },
  ],
  dimensions: [
    { code: 'CC', active: true, values: ['100', '200', 'Nord'].map((code) => ({ code, active: true })) },
    {
      code: 'PROJ',
      active: true,
      values: [
        { code: 'P1', active: true },
        { code: 'P0', active: false },
      ],
    },
    { code: 'GONE', active: false, values: [{ code: '1', active: true }] },
  ],
  vendors: [
    vendor('V-7'),
    vendor('V-8'),
    vendor('V-9', { payablesAccount: '2441' }),
    vendor('E-3', { isEmployee: true }),
  ],
  periods: [
    { name: '2026-01', from: day('2026-01-01'), to: day('2026-01-31'), open: false },
    { name: '2026-02', from: day('2026-02-01'), to: day('2026-02-28'), open: true },
    { name: '2026-03', from: day('2026-03-01'), to: day('2026-03-31'), open: true },
  ],
  rates: [
    { from: currency('USD'), to: currency('EUR'), date: day('2026-02-10'), rate: '0.9123' },
    { from: currency('JPY'), to: currency('EUR'), date: day('2026-02-10'), rate: '0.0061' },
  ],
  settings: {
    wallets: { EUR: '1935' },
    companyBank: '1930',
    companyBankByCurrency: {},
    outOfPocket: '2890',
    accountsPayable: '2440',
    fxRounding: '3960',
    realizedFx: '7960',
    fallbackAccounts: { fee: '6570' },
  },
  policies: {
    unknownVendor: 'fail',
    closedPeriod: 'fail',
    postingState: 'draft',
    conflicts: 'fail',
    receipts: 'fail',
    reversedInErp: 'repost',
  },
  rules: [],
  mappingVersion: 4,
};

type CompanyChanges = Omit<Partial<BookkeepingData>, 'settings' | 'policies'> & {
  readonly settings?: Partial<BookkeepingData['settings']>;
  readonly policies?: Partial<BookkeepingData['policies']>;
  /** Settings to leave empty. */
  readonly without?: readonly ('companyBank' | 'outOfPocket' | 'accountsPayable' | 'fxRounding' | 'realizedFx')[];
};

/** The company of the examples, changed in what a test is about. */
export function contextWith({ settings, policies, without = [], ...changes }: CompanyChanges = {}): BookkeepingContext {
  const merged = { ...company.settings, ...settings };
  const kept = Object.fromEntries(Object.entries(merged).filter(([name]) => !without.some((gone) => gone === name)));
  return indexContext({
    ...company,
    ...changes,
    settings: {
      wallets: merged.wallets,
      companyBankByCurrency: merged.companyBankByCurrency,
      fallbackAccounts: merged.fallbackAccounts,
      ...kept,
    },
    policies: { ...company.policies, ...policies },
  });
}

export const companyData = company;

export function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code);
  if (parsed === undefined) throw new Error(`${code} is no currency`);
  return parsed;
}

export function day(text: string): LocalDate {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(`${text} is no day`);
  return parsed;
}

export function taxCode(
  code: string,
  more: { readonly inputAccount?: string; readonly outputAccount?: string; readonly deductible?: string },
): BookkeepingData['taxCodes'][number] {
  return { externalId: toErpTaxCodeId(`tax-${code}`), code, name: `Tax ${code}`, active: true, ...more };
}

export function vendor(code: string, more: Partial<ErpVendor> = {}): ErpVendor {
  return {
    id: toErpVendorId(`erp-${code}`),
    code,
    name: `Vendor ${code}`,
    blocked: false,
    isEmployee: false,
    ...more,
  };
}

/** Wire money; `value` in hundredths as the platform sends it. */
export function dual(value: string, code = 'EUR'): DualAmount {
  return { inSupplierCurrency: { currency: code, value }, inWalletCurrency: { currency: code, value } };
}

export function account(code: string, more: Partial<ItemAccount> = {}): ItemAccount {
  return { id: `platform-${code}`, name: `Name of ${code}`, code, identifier: null, ...more };
}

export function tag(text: string): ItemTag {
  const [groupCode = '', code = ''] = text.split('=');
  return { id: `tag-${text}`, groupCode, code };
}

export function itemVendor(code: string, more: Partial<ItemVendor> = {}): ItemVendor {
  return { id: `platform-${code}`, name: `Vendor ${code}`, defaultCurrency: 'EUR', code, ...more };
}

interface TaxText {
  readonly type: string;
  readonly amount: string;
  readonly code?: string | null;
  readonly rate?: string;
  readonly id?: string;
  readonly ingoing?: string;
  readonly outgoing?: string;
}

export interface LineText {
  /** In hundredths. */
  readonly amount: string;
  readonly net?: string;
  readonly account?: string | ItemAccount | null;
  readonly tax?: TaxText;
  readonly tags?: readonly string[];
}

/** One source line in the currency; the account by its code, tags as "GROUP=CODE". */
export function line(text: LineText, code = 'EUR'): ItemLine {
  return {
    accountingEntryLineId: `line-${text.amount}`,
    lineAmount: dual(text.amount, code),
    netAmount: dual(text.net ?? text.amount, code),
    account: typeof text.account === 'string' ? account(text.account) : text.account,
    tags: text.tags?.map(tag),
    tax: text.tax && itemTax(text.tax, code),
  };
}

function itemTax(text: TaxText, code: string): ItemTax {
  return {
    id: text.id ?? 'tax-id',
    code: text.code === undefined ? '25' : text.code,
    rate: text.rate ?? '0.25',
    type: text.type,
    amount: dual(text.amount, code),
    ingoingTaxAccount: text.ingoing,
    outgoingTaxAccount: text.outgoing,
  };
}

interface ItemText extends Partial<Omit<ExportItem, 'amount' | 'bookkeeping' | 'vendor' | 'additionalInformation'>> {
  readonly type: string;
  /** In hundredths. */
  readonly amount: string;
  readonly currency?: string;
  readonly lines?: readonly LineText[];
  readonly method?: string | null;
  readonly vendor?: string | ItemVendor;
  readonly invoice?: NonNullable<ExportItem['additionalInformation']['invoiceInformation']>;
  readonly reconciledEntries?: readonly string[];
  readonly reconciliationId?: string;
  readonly employee?: string;
  readonly contra?: string;
}

/** An item of 10 February 2026 with one line over everything unless the text says otherwise. */
export function itemOf(text: ItemText): ExportItem {
  const { amount, currency: code = 'EUR', lines, method, invoice, reconciledEntries, employee, contra, ...rest } = text;
  return {
    accountingEntryId: '018f2f6a-3c1e-7d2b-9a4e-0123456789ab',
    date: '2026-02-10T12:00:00Z',
    accountingEntryLines: (lines ?? [{ amount, account: '5410' }]).map((one) => line(one, code)),
    ...rest,
    amount: dual(amount, code),
    bookkeeping: method === undefined ? { method: 'journal' } : { method },
    vendor: typeof text.vendor === 'string' ? itemVendor(text.vendor) : text.vendor,
    user: text.user ?? (employee === undefined ? null : { id: 'user-id', name: 'Ann', code: employee }),
    contraAccount: text.contraAccount ?? (contra === undefined ? null : account(contra)),
    additionalInformation: {
      reconciliationId: text.reconciliationId ?? 'R-1',
      reconciledEntries,
      invoiceInformation: invoice,
    },
  };
}

type PostPlan = Extract<PostingPlan, { outcome: 'post' }>;
type FailPlan = Extract<PostingPlan, { outcome: 'fail' }>;

/** Plans an item that must be postable. */
export function post(item: ExportItem, context = contextWith()): PostPlan {
  const plan = planItem(item, context);
  if (plan.outcome !== 'post') throw new Error(`not posted: ${JSON.stringify(plan)}`);
  return plan;
}

/** Plans an item that must fail. */
export function fail(item: ExportItem, context = contextWith()): FailPlan {
  const plan = planItem(item, context);
  if (plan.outcome !== 'fail') throw new Error(`did not fail but ended as ${plan.outcome}`);
  return plan;
}

/** The only entry of a plan. */
export function onlyEntry(plan: PostPlan): PlannedEntry {
  const [entry, ...others] = plan.entries;
  if (entry === undefined || others.length > 0) throw new Error(`${plan.entries.length.toString()} entries`);
  return entry;
}

/** Lines in the notation of B8: "2440·V-7 -62500", "5611 +6000 {CC:100}"; amounts in minor units. */
export function linesOf(entry: PlannedEntry): readonly string[] {
  return entry.lines.map((planned) => `${sideText(planned)} ${signed(planned.amountMinor)}${dimensionText(planned)}`);
}

/** The same with functional minor units. */
export function baseOf(entry: PlannedEntry): readonly string[] {
  return entry.lines.map((planned) => `${sideText(planned)} ${signed(planned.baseMinor)}`);
}

/** All entries of a plan as "role: line · line". */
export function bookOf(plan: PostPlan): readonly string[] {
  return plan.entries.map((entry) => `${entry.role}: ${linesOf(entry).join(' · ')}`);
}

function sideText({ account: { code }, vendor: owner, employee }: PlannedLine): string {
  return [code, owner?.code, employee].filter((part) => part !== undefined).join('·');
}

function signed(minor: bigint): string {
  return minor > 0n ? `+${minor.toString()}` : minor.toString();
}

function dimensionText({ dimensions }: PlannedLine): string {
  return dimensions.length === 0
    ? ''
    : ` {${dimensions.map(({ dimension, value }) => `${dimension}:${value}`).join(' ')}}`;
}
