import { describe, expect, it } from '@jest/globals';
import { Findings } from './findings.js';
import { readInvoiceDates } from './item-dates.js';
import { contextWith, day, fail, itemOf, onlyEntry, post } from './planning.fixtures.js';

const purchase = { type: 'card_purchase', amount: '1000' };
const nextOpen = contextWith({ policies: { closedPeriod: 'next-open' } });

describe('posting date', () => {
  it.each([
    ['2026-02-28T22:59:59Z', '2026-02-28'],
    ['2026-02-28T23:00:00Z', '2026-03-01'], // midnight in Copenhagen
    ['2026-02-28T23:30:00.123456789+01:00', '2026-02-28'],
    ['2026-02-10T12:00Z', '2026-02-10'],
    ['2026-02-10', '2026-02-10'],
  ])('%s is posted on %s in Copenhagen', (date, expected) => {
    const entry = onlyEntry(post(itemOf({ ...purchase, date })));
    expect(entry.postingDate).toBe(expected);
    expect(entry).not.toHaveProperty('originalDate');
  });

  it('follows the company’s time zone', () => {
    const newYork = contextWith({ timeZone: 'America/New_York' });
    expect(onlyEntry(post(itemOf({ ...purchase, date: '2026-03-01T03:00:00Z' }), newYork)).postingDate).toBe(
      '2026-02-28',
    );
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-02-30T12:00:00Z',
    '2026-02-10T12:00:00',
    '10.02.2026',
    '0026-02-10',
    '2026-02-10T25:00:00Z',
    '2026-02-10T12:00:00Z (noon)',
    '0000-01-01T12:00:00Z',
    // A day of the year 999 in every time zone.
    '1000-01-01T00:00:00+14:00',
  ])('"%s" is not a date', (date) => {
    const plan = fail(itemOf({ ...purchase, date }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toBe(`The date "${date}" of the entry is not a date: correct it on the platform.`);
  });

  it('an unknown time zone is reported before the first item', () => {
    expect(() => contextWith({ timeZone: 'Europe/Atlantis' })).toThrow(RangeError);
  });
});

describe('closed periods', () => {
  it('fail and name the period', () => {
    const plan = fail(itemOf({ ...purchase, date: '2026-01-15' }));
    expect(plan.failureType).toBe('accounting_system_validation_failure');
    expect(plan.message).toBe(
      "The entry's day 2026-01-15 is in period 2026-01, which is closed: open a period in the accounting system, or change the date on the platform.",
    );
  });

  it('a day outside all periods fails', () => {
    const plan = fail(itemOf({ ...purchase, date: '2025-12-31' }));
    expect(plan.failureType).toBe('accounting_system_validation_failure');
    expect(plan.message).toContain('2025-12-31 is in no accounting period');
  });

  it.each([
    ['2026-01-15', 'is in period 2026-01, which is closed'],
    ['2025-06-01', 'is in no accounting period'],
  ])('%s moves to the first day of the next open period', (date, why) => {
    const item = itemOf({ ...purchase, date, method: 'accounts_payable', vendor: 'V-7' });
    const plan = post(item, nextOpen);
    expect(plan.entries.map((entry) => [entry.postingDate, entry.originalDate])).toEqual([
      ['2026-02-01', date],
      ['2026-02-01', date],
    ]);
    expect(plan.warnings).toMatchObject([
      {
        kind: 'moved-to-open-period',
        message: `The entry's day ${date} ${why}: it was posted on 2026-02-01, the first day of the open period 2026-02.`,
      },
    ]);
  });

  it('the next open period is the earliest one, in any input order', () => {
    const period = (month: string, open: boolean) => ({
      name: month,
      from: day(`${month}-01`),
      to: day(`${month}-28`),
      open,
    });
    const periods = [
      period('2026-05', true),
      period('2026-02', false),
      period('2026-04', true),
      period('2026-03', false),
    ];
    const context = contextWith({ periods, policies: { closedPeriod: 'next-open' } });
    expect(onlyEntry(post(itemOf(purchase), context)).postingDate).toBe('2026-04-01');
  });

  it('fails when no later period is open', () => {
    const plan = fail(itemOf({ ...purchase, date: '2026-04-01' }), nextOpen);
    expect(plan.failureType).toBe('accounting_system_validation_failure');
    expect(plan.message).toContain('2026-04-01 is in no accounting period and no later period is open');
  });

  it('the invoice date does not move', () => {
    const invoice = { invoiceNumber: 'A-1', invoiceDate: '2026-01-10', status: 'ready' };
    const item = itemOf({ type: 'invoice', amount: '1000', date: '2026-01-15', invoice });
    const entry = onlyEntry(post(item, nextOpen));
    expect([entry.postingDate, entry.originalDate, entry.documentDate]).toEqual([
      '2026-02-01',
      '2026-01-15',
      '2026-01-10',
    ]);
  });
});

describe('dates of an invoice', () => {
  const invoiceWith = (invoiceDate: string | null, dueDate: string | null = null) =>
    itemOf({
      type: 'invoice',
      amount: '1000',
      invoice: { invoiceNumber: 'A-1', invoiceDate, dueDate, status: 'ready' },
    });

  it.each([
    ['2026-02-03', '2026-02-03'],
    ['2026-02-03T00:00:00Z', '2026-02-03'],
    ['2026-02-03T23:59:59Z', '2026-02-03'],
    [null, undefined],
    [' ', undefined],
  ])('%j is %j', (written, expected) => {
    const entry = onlyEntry(post(invoiceWith(written, written)));
    expect([entry.documentDate, entry.dueDate]).toEqual([expected, expected]);
  });

  it.each([
    ['payable', true],
    ['payable-without-vendor', true],
    ['journal', false],
  ] as const)('other than its own is read for an item that is %s: %s', (kind, isRead) => {
    const item = itemOf({
      type: 'card_purchase',
      amount: '1000',
      invoice: { invoiceNumber: 'A-1', invoiceDate: '2026-02-03', dueDate: '2026-03-03', status: 'ready' },
    });
    const treatment = { kind } as Parameters<typeof readInvoiceDates>[2];
    expect(readInvoiceDates(item, undefined, treatment, new Findings())).toEqual(
      isRead ? { documentDate: '2026-02-03' } : {},
    );
  });

  it.each(['03.02.2026', '2026-02-30', '2026-02-03 12:00', 'soon'])('"%s" fails', (written) => {
    const plan = fail(invoiceWith(written, written));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain(`The invoice date "${written}" is not a date`);
    expect(plan.message).toContain(`The due date "${written}" is not a date`);
  });
});
