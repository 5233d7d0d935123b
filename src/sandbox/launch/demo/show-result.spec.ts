import { describe, expect, it } from '@jest/globals';
import type { DemoOutcome } from './demo-outcome.js';
import { PassThrough } from 'node:stream';
import { showResult, showTrialBalance } from './show-result.js';

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

/** No terminal: no colors. */
const file = new PassThrough();

describe('the result of the demo on one screen', () => {
  it('shows verdict, companies with totals, and what failed and why', () => {
    const other: DemoOutcome = {
      ...outcome,
      company: 'Öresund Form AB',
      exportJob: { id: 'j-2', status: 'completed', numberOfItems: 6, successful: 6, failed: 0 },
      items: [],
      ledger: {
        entries: 6,
        accounts: [],
        trialBalance: {},
        functional: { currency: 'SEK', debitMinor: '100', creditMinor: '90' },
      },
    };
    expect(showResult([outcome, other], 41.25, file).join('\n')).toBe(
      `Everything ended as the demo intends: 9 of 10 entries posted, 1 need attention (41.3 s)

  Saltholm Disain OÜ  completed with errors  3 posted  1 failed  debit 58.40 = credit 58.40 EUR
  Öresund Form AB     completed              6 posted  0 failed  debit 1.00 ≠ credit 0.90 SEK

Needs attention
  account_unknown  card purchase: Kootud Kampsun, Pullovers, 2026-10-29
    Line 1: account 6475 is not active. Create it.`,
    );
  });

  it('reports what did not end as intended', () => {
    const text = showResult([outcome, { ...outcome, asIntended: false, items: [] }], 1, file).join('\n');
    expect(text).toContain('Not everything ended as the demo intends');
  });

  it('lists nothing to resolve when nothing failed, and no totals of another accounting system', () => {
    const text = showResult([{ ...outcome, ledger: undefined, items: [] }], 1, file).join('\n');
    expect(text).not.toContain('Needs attention');
    expect(text).toContain('1 failed  in another accounting system');
  });

  it('shortens a long reason to one line', () => {
    const items = outcome.items.map((item) => ({ ...item, reason: 'word '.repeat(40) }));
    const lines = showResult([{ ...outcome, items }], 1, file);
    expect(lines.at(-1)).toMatch(/^ {4}word .*word…$/);
    expect(lines.at(-1)).toHaveLength(99);
  });
});

describe('the trial balance', () => {
  it('has what was posted, the accounts in columns, and the totals', () => {
    expect(showTrialBalance(outcome).join('\n')).toBe(
      `Posted
  card purchase  12
  fee             1

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

  it('is not shown for another accounting system', () => {
    expect(showTrialBalance({ ...outcome, ledger: undefined }).at(-1)).toContain('in the accounting system');
  });
});
