import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contentOf } from './content-of.js';
import type { DualAmount, ExportItem, ItemLine } from './export-item.js';
import { contextWith, currency, day, dual, itemOf, line } from './planning.fixtures.js';
import { planItem } from './plan-item.js';

// What holds for every item, whatever it is.

const ALL_TYPES = [
  'card_purchase',
  'card_invoice',
  'atm_withdrawal',
  'fee',
  'refund',
  'chargeback',
  'cashback',
  'out_of_pocket',
  'mileage',
  'per_diem',
  'direct_reimbursement',
  'external_reimbursement',
  'personal_spend',
  'invoice',
  'invoice_payment',
  'wallet_topup',
  'wallet_unload',
];
const DIGITS = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };
const context = contextWith({
  settings: { wallets: { EUR: '1935', USD: '1936', JPY: '1937', KWD: '1936' } },
  rates: Object.entries({ USD: '0.91237', JPY: '0.0061311', KWD: '2.98765' }).map(([code, rate]) => ({
    from: currency(code),
    to: currency('EUR'),
    date: day('2026-02-10'),
    rate,
  })),
});

interface LineDraft {
  readonly minor: number;
  readonly taxShare: number;
  readonly tax: 'none' | 'inclusive' | 'exclusive' | 'reverse';
  readonly code: '25' | 'HALF' | 'NONE';
  readonly account: string;
  readonly tags: readonly string[];
}

const lineDrafts: fc.Arbitrary<LineDraft> = fc.record({
  minor: fc.integer({ min: -5_000_000, max: 5_000_000 }),
  taxShare: fc.double({ min: 0, max: 1, noNaN: true }),
  tax: fc.constantFrom('none', 'inclusive', 'exclusive', 'reverse'),
  code: fc.constantFrom('25', 'HALF', 'NONE'),
  account: fc.constantFrom('5410', '6110', '6071'),
  tags: fc.constantFrom([], ['CC=100'], ['CC=100', 'PROJ=P1']),
});

/** Items that are in order, except that their amounts may cancel out to nothing. */
const soundItems: fc.Arbitrary<ExportItem> = fc
  .record({
    type: fc.constantFrom(...ALL_TYPES),
    code: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
    method: fc.constantFrom('journal', 'none', 'accounts_payable', null),
    vendor: fc.constantFrom('V-7', 'V-9', 'E-3'),
    drafts: fc.array(lineDrafts, { minLength: 1, maxLength: 6 }),
  })
  .map(({ type, code, method, vendor, drafts }) => {
    const total = drafts.reduce((sum, draft) => sum + draft.minor, 0);
    const invoice = { invoiceNumber: 'A-1', invoiceDate: '2026-02-01', status: 'ready' };
    const item = itemOf({ type, amount: hundredths(total, code), currency: code, method, vendor, invoice });
    return { ...item, accountingEntryLines: drafts.map((draft) => lineOf(draft, code)) };
  });

function lineOf({ minor, taxShare, tax, code: taxCode, account, tags }: LineDraft, code: string): ItemLine {
  const taxMinor = Math.trunc(minor * taxShare);
  const text = { amount: hundredths(minor, code), account, tags };
  if (tax === 'none') return line(text, code);
  const net = hundredths(minor - taxMinor, code);
  return line({ ...text, net, tax: { type: tax, amount: hundredths(taxMinor, code), code: taxCode } }, code);
}

/** Minor units as the wire's hundredths, without a float. */
function hundredths(minor: number, code: string): string {
  const digits = new Map(Object.entries(DIGITS)).get(code) ?? 2;
  return `${minor.toString()}e${(2 - digits).toString()}`;
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

describe('every plan', () => {
  it('balances in both currencies, without a line of 0 except the rounding line', () => {
    fc.assert(
      fc.property(soundItems, (item) => {
        const plan = planItem(item, context);
        if (plan.outcome !== 'post') {
          expectNothingToPost(plan);
          return;
        }
        expect(plan.entries.length).toBeGreaterThan(0);
        for (const { lines } of plan.entries) {
          expect(lines.length).toBeGreaterThan(1);
          expect(sum(lines.map((one) => one.amountMinor))).toBe(0n);
          expect(sum(lines.map((one) => one.baseMinor))).toBe(0n);
          expect(
            lines.filter((one) => one.amountMinor === 0n).every((one) => one.account.code === '3960'),
          ).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has the item’s total on the money side', () => {
    fc.assert(
      fc.property(soundItems, (item) => {
        const plan = planItem(item, context);
        if (plan.outcome !== 'post') return;
        const counters = ['1930', '1935', '1936', '1937', '2440', '2441', '2890'];
        const [minorText = ''] = item.amount.inWalletCurrency.value.split('e');
        const total = BigInt(minorText.replace('-', ''));
        for (const { lines } of plan.entries) {
          const money = lines.filter((one) => counters.includes(one.account.code) && one.amountMinor !== 0n);
          for (const one of money)
            expect(one.amountMinor < 0n ? -one.amountMinor : one.amountMinor).toBe(total);
          expect(money.length > 0).toBe(total !== 0n);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is the same when it is made again', () => {
    fc.assert(
      fc.property(soundItems, (item) => {
        expect(planItem(item, context)).toEqual(planItem(structuredClone(item), context));
      }),
    );
  });

  it('of the opposite amounts is the opposite entry, or for noise the same', () => {
    const noise = ['refund', 'chargeback', 'cashback', 'direct_reimbursement', 'external_reimbursement'];
    noise.push('invoice_payment', 'wallet_topup', 'wallet_unload');
    const journals = soundItems.map((item) => ({ ...item, bookkeeping: { method: 'journal' } }));
    fc.assert(
      fc.property(journals, (item) => {
        const plan = planItem(item, context);
        const opposite = planItem(negated(item), context);
        if (plan.outcome !== 'post' || opposite.outcome !== 'post') return;
        // A total of 0 has no direction that could be noise.
        if (item.amount.inWalletCurrency.value.startsWith('0e')) return;
        const factor = noise.includes(item.type) ? 1n : -1n;
        const amounts = amountsByAccount(plan.entries[0]?.lines ?? []);
        const mirrored = amountsByAccount(opposite.entries[0]?.lines ?? []);
        expect(mirrored).toEqual(amounts.map(([code, amount]) => [code, factor * amount]));
      }),
    );
  });
});

describe('the content', () => {
  it('changes with every amount and with nothing about spelling', () => {
    fc.assert(
      fc.property(soundItems, fc.nat(5), (item, position) => {
        const respelled = withValues(item, (value) => value.replace('e0', '.00'));
        expect(contentOf(respelled)).toBe(contentOf(item));
        const lines = item.accountingEntryLines;
        const changed = lines[position % lines.length] ?? line({ amount: '0' });
        const more = { ...changed, lineAmount: dual('999999999') };
        const other = { ...item, accountingEntryLines: lines.map((one) => (one === changed ? more : one)) };
        expect(contentOf(other)).not.toBe(contentOf(item));
      }),
    );
  });
});

describe('any garbage', () => {
  const words = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('card_purchase', 'invoice', 'EUR', '0', '-1', '1e2'),
  );
  const garbage: fc.Arbitrary<ExportItem> = fc
    .record({
      type: words,
      amount: words,
      code: words,
      date: words,
      tax: words,
      account: words,
      method: words,
    })
    .map(({ type, amount, code, date, tax, account, method }) =>
      itemOf({
        type,
        amount,
        currency: code,
        date,
        method,
        lines: [{ amount, account, tax: { type: tax, amount } }],
      }),
    );

  it('ends in a plan that says what is wrong, never in an exception', () => {
    fc.assert(
      fc.property(garbage, (item) => {
        const plan = planItem(item, context);
        if (plan.outcome === 'fail') expect(plan.issues[0]?.type).toBe(plan.failureType);
        expect(contentOf(item)).toBe(contentOf(item));
      }),
      { numRuns: 500 },
    );
  });
});

function expectNothingToPost(plan: ReturnType<typeof planItem>): void {
  expect(plan).toMatchObject({ outcome: 'fail', failureType: 'validation_failure' });
  expect(plan.outcome === 'fail' && plan.message).toContain('nothing to post');
}

function negated(item: ExportItem): ExportItem {
  return withValues(item, (value) => (value.startsWith('-') ? value.slice(1) : `-${value}`));
}

function withValues(item: ExportItem, change: (value: string) => string): ExportItem {
  const changed = ({ inWalletCurrency: { currency: code, value } }: DualAmount) => dual(change(value), code);
  return {
    ...item,
    amount: changed(item.amount),
    accountingEntryLines: item.accountingEntryLines.map((one) => ({
      ...one,
      lineAmount: changed(one.lineAmount),
      netAmount: changed(one.netAmount),
      tax: one.tax && { ...one.tax, amount: changed(one.tax.amount) },
    })),
  };
}

function amountsByAccount(
  lines: readonly { readonly account: { readonly code: string }; readonly amountMinor: bigint }[],
): readonly (readonly [string, bigint])[] {
  const amounts = new Map<string, bigint>();
  for (const { account, amountMinor } of lines) {
    amounts.set(account.code, (amounts.get(account.code) ?? 0n) + amountMinor);
  }
  return [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
