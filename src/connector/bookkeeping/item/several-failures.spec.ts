import { describe, expect, it } from '@jest/globals';
import type { ExportItem } from './export-item.js';
import { contextWith, currency, day, fail, itemOf, itemVendor } from './planning.fixtures.js';

// Everything that is wrong is reported at once; the type is that of the first in the order of B5.3.

const usdRate = { from: currency('USD'), to: currency('EUR'), date: day('2025-01-01'), rate: '0.9' };

describe('several problems of one item', () => {
  it('of an invoice without a known vendor are not looked for on the account of payables, which depends on the vendor', () => {
    const item = itemOf({
      type: 'invoice',
      amount: '1000',
      method: 'accounts_payable',
      vendor: 'V-404',
      invoice: { invoiceNumber: 'A-1' },
    });
    const plan = fail(item, contextWith({ without: ['accountsPayable'] }));
    expect(plan.problems.map(({ type }) => type)).toEqual(['vendor_unknown']);
  });

  it('of an invoice with everything but its type wrong are all reported', () => {
    const item = itemOf({
      type: 'invoice',
      amount: '2000',
      currency: 'USD',
      date: '2026-01-15',
      method: 'accounts_payable',
      vendor: itemVendor('V-404'),
      invoice: { status: 'voided_by_user' },
      lines: [
        {
          amount: '1000',
          account: '404',
          tax: { type: 'inclusive', amount: '200', code: '404' },
          tags: ['NO=1'],
        },
        { amount: '999', account: '405', tags: ['NO=2'] },
      ],
    });
    const plan = fail(item, contextWith({ rates: [usdRate] }));
    expect(plan.problems.map(({ type, message }) => [type, message.slice(0, 36)])).toEqual([
      ['validation_failure', 'The lines add up to 19.99, the entry'],
      ['validation_failure', 'The invoice has the status "voided_b'],
      ['validation_failure', 'The invoice has no number, without w'],
      ['vendor_unknown', 'Vendor V-404 (Vendor V-404) is not i'],
      ['account_unknown', 'Line 1: account 404 (Name of 404) is'],
      ['tax_code_unknown', 'Line 1: tax code 404 is not active i'],
      ['tag_unknown', 'Line 1: tag 1 of group NO is not an '],
      ['account_unknown', 'Line 2: account 405 (Name of 405) is'],
      ['tag_unknown', 'Line 2: tag 2 of group NO is not an '],
      ['accounting_system_validation_failure', "The entry's day 2026-01-15 is in per"],
      ['missing_configuration', 'There is no exchange rate USD to EUR'],
    ]);
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toBe(plan.problems.map(({ message }) => message).join(' '));
  });

  it('of a purchase are reported anew after each fix', () => {
    const context = contextWith({ rates: [usdRate] });
    const worst = itemOf({
      type: 'card_purchase',
      amount: '1000',
      currency: 'USD',
      date: 'never',
      contra: '406',
      method: 'accounts_payable',
      vendor: 'V-404',
      lines: [
        {
          amount: '999',
          account: '404',
          tax: { type: 'inclusive', amount: '200', code: '404' },
          tags: ['NO=1'],
        },
      ],
    });
    const good = itemOf({ type: 'card_purchase', amount: '1000', currency: 'USD' });
    const [badLine] = worst.accountingEntryLines;
    if (badLine === undefined) throw new Error('the item has a line');
    const lineWith = (more: object): Partial<ExportItem> => ({
      accountingEntryLines: [{ ...badLine, ...more }],
    });
    const lineAmount = good.amount;
    const mends: readonly [string, Partial<ExportItem>][] = [
      ['validation_failure', lineWith({ lineAmount })],
      ['vendor_unknown', { vendor: itemVendor('V-7') }],
      ['account_unknown', lineWith({ lineAmount, account: null, tax: badLine.tax })],
      ['account_unknown', lineWith({ lineAmount, account: good.accountingEntryLines[0]?.account })],
      ['tax_code_unknown', lineWith({ lineAmount, account: good.accountingEntryLines[0]?.account, tax: null })],
      ['tag_unknown', { accountingEntryLines: good.accountingEntryLines }],
      ['account_unknown', { contraAccount: { id: 'c', code: '1936' } }],
      ['validation_failure', { date: '2026-01-15' }],
      ['accounting_system_validation_failure', { date: '2026-02-15' }],
    ];
    let item = worst;
    for (const [type, mend] of mends) {
      expect(fail(item, context).failureType).toBe(type);
      item = { ...item, ...mend };
    }
    expect(fail(item, context).problems.map(({ type }) => type)).toEqual(['missing_configuration']);
  });

  it('with an unknown type are reported with the type first, then what does not depend on it', () => {
    const plan = fail(
      itemOf({ type: 'barter', amount: '1000', method: 'swap', date: 'never', lines: [{ amount: '999' }] }),
    );
    expect(plan.problems.map(({ message }) => message.slice(0, 30))).toEqual([
      'The connector does not know ho',
      'The bookkeeping method "swap" ',
      'The lines add up to 9.99, the ',
      'The date "never" of the entry ',
    ]);
  });

  it('include a missing wallet beside an unknown vendor', () => {
    const item = itemOf({
      type: 'refund',
      amount: '1000',
      method: 'accounts_payable',
      vendor: 'V-404',
      contra: '404',
    });
    expect(fail(item).problems.map(({ type }) => type)).toEqual(['vendor_unknown', 'account_unknown']);
  });

  it('include an unknown account beside an invalid currency', () => {
    const item = itemOf({
      type: 'card_purchase',
      amount: '1000',
      currency: 'XXX',
      lines: [{ amount: '1000', account: '404' }],
    });
    expect(fail(item).problems.map(({ type }) => type)).toEqual(['validation_failure', 'account_unknown']);
  });

  it.each(['wallet_topup', 'wallet_unload'])(
    'include the missing account of the bank beside a wrong method: %s',
    (type) => {
      const item = itemOf({ type, amount: '1000', method: 'barter' });
      const plan = fail(item, contextWith({ without: ['companyBank'] }));
      expect(plan.problems.map(({ issue }) => issue.reference)).toEqual(['method', 'company-bank']);
    },
  );

  it('report a setting missing for two entries once', () => {
    const context = contextWith({ without: ['accountsPayable'] });
    const item = itemOf({ type: 'card_purchase', amount: '1000', method: 'accounts_payable', vendor: 'V-7' });
    expect(fail(item, context).problems).toHaveLength(1);
  });
});
