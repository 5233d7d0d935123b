// From the short form of an entry to the export item as the platform sends it (P1.8).
import { multiplyToMinor, parseDecimal } from '../../../../kernel/decimal.js';
import { Bug } from '../../../../kernel/faults.js';
import { accountIdentifier, demoAccounts, type Account } from '../demo-chart.js';
import { demoCompany, demoPeople, type PersonName } from '../demo-company.js';
import { demoTaxes, type DemoEntry, type DemoLine, type DemoTax } from './demo-entry.js';
import { demoId } from './demo-id.js';
import { platformVendors } from '../demo-vendors.js';

/** Hundredths of the main unit for every currency, as the platform writes money. */
interface WireMoney {
  readonly currency: string;
  readonly value: number;
}

interface DualAmount {
  readonly inSupplierCurrency: WireMoney;
  readonly inWalletCurrency: WireMoney;
}

/** Makes both currencies of an amount given in hundredths of the wallet's. */
type ToDual = (walletHundredths: bigint) => DualAmount;

interface ItemOwner {
  readonly companyId: string;
  readonly accounts: readonly Account[];
}

const DEMO_COMPANY: ItemOwner = { companyId: demoCompany.id, accounts: demoAccounts };

/** A category of the platform whose account does not exist in the ledger. */
const CATEGORY_WITHOUT_ACCOUNT = 'Team merchandise';
const MAX_TAGS_PER_LINE = 10;
const MAX_LINES = 100;

/**
 * One export item of version 3, contra account left to the platform's settings.
 *
 * @param number of the entry, from 1; makes its ids.
 * @param owner whose entry it is, and the accounts that its platform shows.
 */
export function exportItemOf(entry: DemoEntry, number: number, owner: ItemOwner = DEMO_COMPANY) {
  const amounts = entry.lines.map(([, amount]) => hundredths(amount));
  const total = entry.total === undefined ? amounts.reduce((sum, each) => sum + each, 0n) : hundredths(entry.total);
  const toDual = dualAmounts(entry, total);
  return {
    accountingEntryId: demoId('entry', number),
    companyId: owner.companyId,
    type: entry.type,
    subType: entry.subType ?? null,
    date: `${entry.at}:00Z`,
    amount: toDual(total),
    note: entry.note,
    accountingEntryLines: entry.lines.map((line, index) => wireLine(line, number * MAX_LINES + index, toDual, owner)),
    bookkeeping: entry.method === undefined ? null : { method: entry.method },
    vendor: entry.vendor === undefined ? null : platformVendors[entry.vendor],
    supplier: entry.supplier === null ? null : { name: entry.supplier },
    user: entry.by === null ? null : wireUser(entry.by),
    team: null,
    files: null,
    servicePeriod: servicePeriodOf(entry),
    additionalInformation: {
      reconciliationId: reconciliationIdOf(entry.at),
      attendees: entry.attendees ?? null,
      reconciledEntries: entry.reimburses?.map(reconciliationIdOf) ?? null,
      invoiceInformation: invoiceInformationOf(entry),
    },
  };
}

export type ExportItem = ReturnType<typeof exportItemOf>;

function wireLine(line: DemoLine, number: number, toDual: ToDual, owner: ItemOwner) {
  const [account, amount, tax, ...tags] = line;
  const lineAmount = hundredths(amount);
  const chosen = tax == null ? undefined : demoTaxes[tax];
  const taxAmount = chosen === undefined ? 0n : taxOf(lineAmount, chosen);
  return {
    accountingEntryLineId: demoId('line', number),
    lineAmount: toDual(lineAmount),
    netAmount: toDual(chosen?.type === 'exclusive' ? lineAmount - taxAmount : lineAmount),
    account: account === null ? null : wireAccount(account, owner),
    tags: tags.map((tag, index) => wireTag(tag, number * MAX_TAGS_PER_LINE + index)),
    tax: chosen === undefined ? null : wireTax(chosen, toDual(taxAmount)),
  };
}

function taxOf(lineAmount: bigint, tax: DemoTax): bigint {
  if (tax.isAmountLeftOut === true) return 0n;
  const percent = BigInt(tax.percent);
  return tax.type === 'reverse'
    ? divideRounded(lineAmount * percent, 100n)
    : divideRounded(lineAmount * percent, 100n + percent);
}

function wireTax(tax: DemoTax, amount: DualAmount) {
  return {
    id: demoId('taxCode', tax.number),
    code: tax.code,
    rate: tax.percent / 100,
    type: tax.type,
    amount,
  };
}

function wireAccount(code: string, { accounts }: ItemOwner) {
  const known = accounts.find((account) => account.code === code);
  return {
    id: demoId('account', Number(code)),
    name: known?.name ?? CATEGORY_WITHOUT_ACCOUNT,
    code,
    identifier: accountIdentifier(code),
  };
}

function wireTag(tag: string, number: number) {
  const [groupCode = '', code = ''] = tag.split(':');
  return { id: demoId('tag', number), code, groupCode };
}

function wireUser(name: PersonName) {
  const { id, firstName, lastName, code } = demoPeople[name];
  return { id, name: `${firstName} ${lastName}`, code };
}

function servicePeriodOf({ service }: DemoEntry) {
  return service === undefined ? null : { from: `${service[0]}T00:00:00Z`, to: `${service[1]}T00:00:00Z` };
}

function invoiceInformationOf({ type, invoice }: DemoEntry) {
  if (invoice === undefined) return null;
  const [invoiceNumber, invoiceDate, dueDate] = invoice;
  return { invoiceNumber, invoiceDate, dueDate, status: type === 'invoice' ? 'ready' : 'paid' };
}

/** The platform's own reference of an entry, made of its time: SD-20261103-0714. */
function reconciliationIdOf(at: string): string {
  return `SD-${at.replaceAll(/[-:]/g, '').replace('T', '-')}`;
}

/** A part costs the supplier's currency as much as its share of the whole. */
function dualAmounts({ wallet = 'EUR', charged }: DemoEntry, total: bigint): ToDual {
  const money = (currency: string, value: bigint) => ({ currency, value: Number(value) });
  return (amount) => ({
    inSupplierCurrency:
      charged === undefined
        ? money(wallet, amount)
        : money(charged[0], divideRounded(amount * hundredths(charged[1]), total)),
    inWalletCurrency: money(wallet, amount),
  });
}

/** @throws Bug for a text of the tables that is no amount with at most two decimals */
function hundredths(amount: string): bigint {
  const decimal = parseDecimal(amount);
  if (decimal === undefined || decimal.scale > 2) throw new Bug(`"${amount}" is no amount`);
  return multiplyToMinor(100n, decimal, 0);
}

/** Rounds half away from zero, as receipts do. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [absolute(numerator), absolute(denominator)];
  const quotient = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -quotient : quotient;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
