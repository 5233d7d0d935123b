import { describe, expect, it } from '@jest/globals';
import type { DemoOutcome } from './demo-outcome.js';
import { showResult } from './show-result.js';

const row = {
  accountCode: '6430',
  accountName: 'Coffee and kitchen',
  currency: 'EUR',
  debitMinor: '5000',
  creditMinor: '0',
  balanceMinor: '5000',
  baseBalanceMinor: '5000',
};

const outcome: DemoOutcome = {
  company: 'Saltholm Disain OÜ',
  exportJob: {
    id: '11111111-2222-4333-8444-555555555555',
    status: 'completed_with_errors',
    numberOfItems: 4,
    successful: 3,
    failed: 1,
  },
  posted: [
    { type: 'card_purchase', items: 12 },
    { type: 'fee', items: 1 },
  ],
  items: [
    {
      accountingEntryId: '5a170000-0009-4000-8000-000000000001',
      type: 'card_purchase',
      subject: 'Kootud Kampsun, Pullovers, 2026-10-29',
      failureType: 'account_unknown',
      reason: 'Line 1: account 6475 is not active. Create it.',
      intended: 'account_unknown',
    },
  ],
  ledger: {
    entries: 3,
    trialBalance: {
      EUR: { debitMinor: '5000', creditMinor: '5000' },
      JPY: { debitMinor: '1500', creditMinor: '1400' },
    },
    functional: { currency: 'EUR', debitMinor: '5840', creditMinor: '5840' },
    accounts: [
      row,
      {
        ...row,
        accountCode: '1132',
        accountName: 'Card wallet JPY',
        currency: 'JPY',
        debitMinor: '0',
        creditMinor: '1500',
        balanceMinor: '-1500',
        baseBalanceMinor: '-840',
      },
    ],
  },
  asIntended: true,
};

describe('result of the demo as text', () => {
  it('tells the job, the posted types, what to mend, and the books in columns', () => {
    expect(showResult(outcome).join('\n')).toBe(
      `Export job 11111111-2222-4333-8444-555555555555 of Saltholm Disain OÜ: completed with errors
4 entries: 3 posted, 1 to be mended, as the demo intends

Posted
  card purchase  12
  fee             1

To be mended
  card purchase: Kootud Kampsun, Pullovers, 2026-10-29 (account_unknown)
    Line 1: account 6475 is not active. Create it.

Trial balance over 3 journal entries
  Account  Name                     Debit  Credit  Balance  in EUR
  6430     Coffee and kitchen  EUR  50.00    0.00    50.00   50.00
  1132     Card wallet JPY     JPY      0    1500    -1500   -8.40

Debit and credit in total
  EUR         50.00  =  50.00
  JPY          1500  ≠   1400
  all in EUR  58.40  =  58.40`,
    );
  });

  it('tells of another company the job and the totals alone', () => {
    const other: DemoOutcome = {
      ...outcome,
      company: 'Öresund Form AB',
      exportJob: { id: 'j-2', status: 'completed', numberOfItems: 6, successful: 6, failed: 0 },
      ledger: {
        entries: 6,
        accounts: [],
        trialBalance: {},
        functional: { currency: 'SEK', debitMinor: '100', creditMinor: '100' },
      },
    };
    const alone = showResult(outcome);
    expect(showResult(outcome, other).slice(alone.length)).toEqual([
      '',
      'Export job j-2 of Öresund Form AB: completed',
      '6 entries: 6 posted, 0 to be mended, as the demo intends',
      'Debit and credit in total',
      '  all in SEK  1.00  =  1.00',
    ]);
  });

  it('has no trial balance of another accounting system', () => {
    const text = showResult({ ...outcome, ledger: undefined }).join('\n');
    expect(text).not.toContain('Trial balance');
    expect(text).toContain('is in the accounting system');
  });

  it('leaves the list of failures out when there are none', () => {
    const text = showResult({ ...outcome, items: [], asIntended: false }).join('\n');
    expect(text).not.toContain('To be mended');
    expect(text).not.toContain('as the demo intends');
  });
});
