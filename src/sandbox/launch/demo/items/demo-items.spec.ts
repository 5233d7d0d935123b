import { describe, expect, it } from '@jest/globals';
import { addDays, localDateIn, parseLocalDate } from '../../../../kernel/local-date.js';
import { demoPeriods, demoRates, periodsSinceNovember } from './demo-calendar.js';
import { demoAccounts, demoDimensionValues, demoTaxCodes } from '../demo-chart.js';
import { demoCompany, demoWallets } from '../demo-company.js';
import type { DemoEntry } from './demo-entry.js';
import { demoItems, type DemoItem } from './demo-items.js';
import { demoPlatformVendors, demoVendors } from '../demo-vendors.js';

const intended = demoItems.filter(({ entry }) => entry.failsWith !== undefined);
const toBePosted = demoItems.filter(({ entry }) => entry.failsWith === undefined);

function counts(valuesOf: (each: DemoItem) => readonly (string | undefined)[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const value of demoItems.flatMap(valuesOf)) {
    found[value ?? 'none'] = (found[value ?? 'none'] ?? 0) + 1;
  }
  return found;
}

function localDay({ item }: DemoItem): string {
  return localDateIn(new Date(item.date), demoCompany.timeZone);
}

describe('demo items', () => {
  it('are of all seventeen types', () => {
    expect(counts(({ item }) => [item.type])).toEqual({
      card_purchase: 64,
      card_invoice: 4,
      out_of_pocket: 9,
      mileage: 5,
      per_diem: 4,
      external_reimbursement: 4,
      direct_reimbursement: 7,
      invoice: 11,
      invoice_payment: 8,
      chargeback: 2,
      refund: 6,
      cashback: 3,
      atm_withdrawal: 2,
      wallet_topup: 7,
      wallet_unload: 2,
      personal_spend: 3,
      fee: 6,
    });
  });

  it('are of all six subtypes', () => {
    expect(counts(({ item }) => [item.subType ?? undefined])).toEqual({
      none: 130,
      reimbursement_to_employee: 5,
      reimbursement_to_employee_refund: 2,
      reimbursement_to_company: 2,
      invoice_payment_sent: 6,
      invoice_payment_returned: 1,
      interest: 1,
    });
  });

  it('have every kind of tax, every method and three wallets', () => {
    const taxes = counts(({ item }) => item.accountingEntryLines.map(({ tax }) => tax?.type));
    expect(Object.keys(taxes).sort()).toEqual(['exclusive', 'inclusive', 'none', 'reverse']);
    expect(Object.keys(counts(({ entry }) => [entry.method ?? 'absent'])).sort()).toEqual([
      'absent',
      'accounts_payable',
      'journal',
      'none',
    ]);
    expect(Object.keys(counts(({ item }) => [item.amount.inWalletCurrency.currency])).sort()).toEqual([
      'EUR',
      'JPY',
      'USD',
    ]);
  });

  it('have refunds, purchases and reimbursements of both signs', () => {
    const signs = (type: DemoEntry['type']) =>
      new Set(
        demoItems
          .filter(({ entry }) => entry.type === type)
          .map(({ item }) => Math.sign(item.amount.inWalletCurrency.value)),
      );
    for (const type of ['refund', 'card_purchase', 'external_reimbursement', 'invoice'] as const) {
      expect(signs(type)).toEqual(new Set([1, -1]));
    }
  });

  it('have unique ids', () => {
    const ids = demoItems.flatMap(({ item }) => [
      item.accountingEntryId,
      ...item.accountingEntryLines.map((line) => line.accountingEntryLineId),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
    const references = demoItems.map(({ item }) => item.additionalInformation.reconciliationId);
    expect(new Set(references).size).toBe(references.length);
    expect(demoItems[0]?.item.accountingEntryId).toBe('5a170000-0009-4000-8000-000000000001');
  });

  it('fail five times, each with another reason', () => {
    expect(intended.map(({ entry }) => entry.failsWith)).toEqual([
      'account_unknown',
      'tax_code_unknown',
      'tag_unknown',
      'vendor_unknown',
      'validation_failure',
    ]);
  });
});

describe('every entry that is to be posted', () => {
  it.each(toBePosted)('adds up: $entry.at $entry.note', ({ item }) => {
    const lines = item.accountingEntryLines.map(({ lineAmount }) => lineAmount.inWalletCurrency.value);
    expect(lines.reduce((sum, value) => sum + value, 0)).toBe(item.amount.inWalletCurrency.value);
    for (const { lineAmount, netAmount, tax } of item.accountingEntryLines) {
      const onTop = tax?.type === 'exclusive' ? tax.amount.inWalletCurrency.value : 0;
      expect(netAmount.inWalletCurrency.value + onTop).toBe(lineAmount.inWalletCurrency.value);
    }
  });

  it('is in an open period and has a rate of the last seven days', () => {
    const problems = toBePosted.filter((each) => {
      const day = localDay(each);
      const period = demoPeriods.find(({ from, to }) => from <= day && day <= to);
      const { currency } = each.item.amount.inWalletCurrency;
      return period?.state !== 'open' || (currency !== 'EUR' && !hasRate(currency, day));
    });
    expect(problems).toEqual([]);
  });

  it.each(['2026-12-01', '2026-12-31', '2027-01-01', '2031-07-15', '2036-12-31'])(
    'can be tried on %s, in an open period of both companies',
    (today) => {
      for (const periods of [demoPeriods, periodsSinceNovember]) {
        const of = periods.filter(({ from, to }) => from <= today && today <= to);
        expect(of.map(({ state }) => state)).toEqual(['open']);
      }
    },
  );

  it('uses only active records of the ledger', () => {
    const accounts = new Set(demoAccounts.filter(({ active }) => active).map(({ externalId }) => externalId));
    const taxCodes = new Set(demoTaxCodes.filter((each) => !('active' in each)).map(({ code }): string => code));
    const tags = new Set(demoDimensionValues.map(({ dimensionCode, code }) => `${dimensionCode}:${code}`));
    const lines = toBePosted.flatMap(({ item }) => item.accountingEntryLines);
    expect(lines.filter(({ account }) => account && !accounts.has(account.identifier))).toEqual([]);
    expect(lines.filter(({ tax }) => tax && !taxCodes.has(tax.code))).toEqual([]);
    const used = lines.flatMap((line) => line.tags);
    expect(used.filter((tag) => !tags.has(`${tag.groupCode.toUpperCase()}:${tag.code}`))).toEqual([]);
  });
});

describe('every reimbursement', () => {
  it.each(demoItems.filter(({ entry }) => entry.reimburses !== undefined))(
    'pays what was spent: $entry.at $entry.note',
    ({ item }) => {
      const { reconciledEntries } = item.additionalInformation;
      const spent = demoItems.filter((other) =>
        reconciledEntries?.includes(other.item.additionalInformation.reconciliationId),
      );
      const sum = spent.reduce((total, other) => total + other.item.amount.inWalletCurrency.value, 0);
      expect(Math.abs(item.amount.inWalletCurrency.value)).toBe(sum);
    },
  );
});

describe('the demo company', () => {
  it('has on the platform each vendor that an item names, as the item names it', () => {
    const vendors = new Map(demoPlatformVendors.map((vendor) => [vendor.id, vendor]));
    const named = demoItems.flatMap(({ item }) => item.vendor ?? []);
    expect(named).not.toEqual([]);
    expect(named.map(({ id }) => vendors.get(id))).toMatchObject(named);
  });

  it('has an account of its chart for every wallet, bank and vendor', () => {
    const codes = new Set(demoAccounts.map(({ code }) => code));
    const named = [
      ...demoWallets.flatMap(({ account, bank }) => [account, bank]),
      ...demoVendors.flatMap(({ payableAccountCode }) => payableAccountCode ?? []),
    ];
    expect(named.filter((code) => !codes.has(code))).toEqual([]);
    expect(codes.size).toBe(demoAccounts.length);
  });
});

function hasRate(currency: string, day: string): boolean {
  const to = parseLocalDate(day);
  return demoRates.some(({ from, date }) => {
    const since = parseLocalDate(date);
    return from === currency && since && to ? since <= to && to <= addDays(since, 7) : false;
  });
}
