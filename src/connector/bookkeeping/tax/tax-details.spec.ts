import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PlannedEntry, PlannedLine } from '../item/posting-plan.js';
import { contextWith, itemOf, post } from '../item/planning.fixtures.js';

// What lines keep for the tax return (B9.8): "account code place, taxable / tax, × share". Amounts in minor units.

function taxesOf(entries: readonly PlannedEntry[]): readonly string[] {
  return entries.flatMap(({ lines }) =>
    lines.flatMap(({ account, taxCode, tax }) =>
      tax === undefined
        ? []
        : `${account.code} ${taxCode?.code ?? '–'} ${tax.place}${tax.reverseCharge ? ' reverse' : ''} ${tax.rate ?? '?'}: ${tax.taxableMinor.toString()} / ${tax.taxMinor.toString()} × ${tax.deductible}`,
    ),
  );
}

const oneLine = (
  type: string,
  amount: string,
  account: string,
  tax: Parameters<typeof itemOf>[0]['lines'] extends readonly (infer L)[] | undefined
    ? L extends { readonly tax?: infer T }
      ? NonNullable<T>
      : never
    : never,
  net?: string,
) => itemOf({ type, amount, lines: [{ amount, account, tax, ...(net !== undefined && { net }) }] });

describe('the tax of the worked examples', () => {
  it.each([
    [
      '1',
      oneLine('card_purchase', '12500', '6071', { type: 'inclusive', amount: '2500' }),
      ['2641 25 input 0.25: 10000 / 2500 × 1'],
    ],
    [
      '3',
      oneLine('card_purchase', '100000', '6540', { type: 'reverse', amount: '25000' }),
      ['2641 25 input reverse 0.25: 100000 / 25000 × 1', '2614 25 output reverse 0.25: -100000 / -25000 × 1'],
    ],
    [
      '5',
      oneLine('out_of_pocket', '8000', '7690', { type: 'exclusive', amount: '1600' }, '6400'),
      ['2641 25 input 0.25: 6400 / 1600 × 1'],
    ],
    [
      '17',
      oneLine('card_purchase', '-4000', '6071', { type: 'inclusive', amount: '-800' }),
      ['2641 25 input 0.25: -3200 / -800 × 1'],
    ],
    [
      '18',
      oneLine('refund', '100000', '6540', { type: 'reverse', amount: '25000' }),
      ['2641 25 input reverse 0.25: -100000 / -25000 × 1', '2614 25 output reverse 0.25: 100000 / 25000 × 1'],
    ],
    [
      '21, half of it deductible: the base is the full one',
      oneLine('card_purchase', '10000', '6070', { type: 'inclusive', amount: '2000', code: 'HALF' }),
      ['2641 HALF input 0.25: 8000 / 2000 × 0.5'],
    ],
    [
      'none of it deductible: on the expense',
      oneLine('card_purchase', '10000', '6070', { type: 'inclusive', amount: '2000', code: 'NONE' }),
      ['6070 NONE expense 0.25: 8000 / 2000 × 0'],
    ],
    [
      'a reverse charge, none of it deductible',
      oneLine('card_purchase', '10000', '6070', { type: 'reverse', amount: '2500', code: 'NONE' }),
      ['6070 NONE expense reverse 0.25: 10000 / 2500 × 0', '2614 NONE output reverse 0.25: -10000 / -2500 × 0'],
    ],
    [
      'a rate of 0',
      oneLine('card_purchase', '10000', '6070', { type: 'inclusive', amount: '0', rate: '0' }),
      ['6070 25 expense 0: 10000 / 0 × 1'],
    ],
    [
      'customs: a tax on nothing',
      oneLine('card_purchase', '2000', '6070', { type: 'exclusive', amount: '2000' }, '0'),
      ['2641 25 input 0.25: 0 / 2000 × 1'],
    ],
    [
      'a rate that is no number',
      oneLine('card_purchase', '12500', '6071', { type: 'inclusive', amount: '2500', rate: 'high' }),
      ['2641 25 input ?: 10000 / 2500 × 1'],
    ],
  ])('example %s', (_, item, taxes) => {
    expect(taxesOf(post(item).entries)).toEqual(taxes);
  });

  it('example 12: an invoice, and its payment without tax', () => {
    const invoice = { invoiceNumber: 'A-17', status: 'ready' };
    const lines = [{ amount: '62500', net: '50000', account: '4010', tax: { type: 'exclusive', amount: '12500' } }];
    const shared = { method: 'accounts_payable', vendor: 'V-7', invoice, amount: '62500' };
    const entries = [itemOf({ ...shared, type: 'invoice', lines }), itemOf({ ...shared, type: 'invoice_payment' })];
    expect(entries.map((item) => taxesOf(post(item).entries))).toEqual([['2641 25 input 0.25: 50000 / 12500 × 1'], []]);
  });

  it('example 22: in a foreign currency also in base, each amount converted by itself', () => {
    const tax = { type: 'inclusive', amount: '13636' };
    const item = itemOf({
      type: 'card_purchase',
      amount: '150000',
      currency: 'JPY',
      contra: '1937',
      lines: [{ amount: '150000', account: '5800', tax }],
    });
    expect(post(item).entries[0]?.lines.find(({ account }) => account.code === '2641')?.tax).toEqual({
      place: 'input',
      reverseCharge: false,
      rate: '0.25',
      deductible: '1',
      taxableMinor: 1364n,
      taxableBaseMinor: 832n,
      taxMinor: 136n,
      taxBaseMinor: 83n,
    });
  });

  it('is not planned for an ERP that does not keep it', () => {
    const item = oneLine('card_purchase', '12500', '6071', { type: 'inclusive', amount: '2500' });
    expect(taxesOf(post(item, contextWith({ taxDetails: false })).entries)).toEqual([]);
  });
});

// A sender that computes tax as tax is computed: base × rate, rounded.
const RATES = { '0.25': 25n, '0.12': 12n, '0.06': 6n, '0': 0n } as const;
const taxedLines = fc.array(
  fc.record({
    net: fc.bigInt({ min: -3_000_000n, max: 9_000_000n }).filter((net) => net !== 0n),
    rate: fc.constantFrom(...(Object.keys(RATES) as (keyof typeof RATES)[])),
    type: fc.constantFrom('inclusive', 'exclusive', 'reverse'),
    code: fc.constantFrom('25', 'HALF', 'NONE'),
  }),
  { minLength: 1, maxLength: 8 },
);

function itemWith(
  lines: readonly {
    readonly net: bigint;
    readonly rate: keyof typeof RATES;
    readonly type: string;
    readonly code: string;
  }[],
) {
  const texts = lines.map(({ net, rate, type, code }) => {
    const percent = RATES[rate];
    // Of an inclusive tax the line is what is round, and the tax is taken out of it.
    const tax = type === 'inclusive' ? rounded(net * percent, 100n + percent) : rounded(net * percent, 100n);
    const amount = (type === 'exclusive' ? net + tax : net).toString();
    return { amount, net: net.toString(), account: '6071', tax: { type, amount: tax.toString(), rate, code } };
  });
  const total = texts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return itemOf({ type: 'card_purchase', amount: total.toString(), lines: texts });
}

function rounded(numerator: bigint, denominator: bigint): bigint {
  const sign = numerator < 0n ? -1n : 1n;
  return (sign * (2n * sign * numerator + denominator)) / (2n * denominator);
}

const absolute = (value: bigint) => (value < 0n ? -value : value);
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe('every taxed line', () => {
  it('has a tax that is its base × its rate within one minor unit, with the sign of the line', () => {
    fc.assert(
      fc.property(taxedLines, (lines) => {
        for (const { amountMinor, tax } of linesOf(lines)) {
          if (tax === undefined) continue;
          const percent = RATES[(tax.rate ?? '0') as keyof typeof RATES];
          expect(absolute(tax.taxableMinor * percent - tax.taxMinor * 100n)).toBeLessThanOrEqual(100n);
          expect(tax.taxableMinor * amountMinor >= 0n && tax.taxMinor * amountMinor >= 0n).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is reported once: its base and tax on the input side, a reverse charge also on the output side', () => {
    fc.assert(
      fc.property(taxedLines, (lines) => {
        const planned = linesOf(lines);
        const item = itemWith(lines);
        const input = planned.flatMap(({ tax }) => (tax && tax.place !== 'output' ? [tax] : []));
        const output = planned.flatMap(({ tax }) => (tax?.place === 'output' ? [tax] : []));
        const sent = item.accountingEntryLines.map(({ lineAmount, tax }) => {
          const taxMinor = BigInt(tax?.amount.inWalletCurrency.value ?? '0');
          const line = BigInt(lineAmount.inWalletCurrency.value);
          return { type: tax?.type, taxMinor, base: tax?.type === 'reverse' ? line : line - taxMinor };
        });
        expect(input).toHaveLength(sent.length);
        expect(sum(input.map((tax) => tax.taxableMinor))).toBe(sum(sent.map(({ base }) => base)));
        expect(sum(input.map((tax) => tax.taxMinor))).toBe(sum(sent.map(({ taxMinor }) => taxMinor)));
        const reverse = sent.filter(({ type, taxMinor }) => type === 'reverse' && taxMinor !== 0n);
        expect(sum(output.map((tax) => -tax.taxableMinor))).toBe(sum(reverse.map(({ base }) => base)));
        expect(sum(output.map((tax) => -tax.taxMinor))).toBe(sum(reverse.map(({ taxMinor }) => taxMinor)));
      }),
      { numRuns: 500 },
    );
  });

  it('reconciles with the tax accounts: their postings equal what the lines deduct or owe', () => {
    fc.assert(
      fc.property(taxedLines, (lines) => {
        const planned = linesOf(lines);
        const movement = (code: string) =>
          sum(planned.filter(({ account }) => account.code === code).map(({ amountMinor }) => amountMinor));
        const taxOn = (place: string) => planned.filter(({ tax }) => tax?.place === place);
        expect(movement('2641')).toBe(sum(taxOn('input').map(({ amountMinor }) => amountMinor)));
        expect(movement('2614')).toBe(sum(taxOn('output').map(({ tax }) => tax?.taxMinor ?? 0n)));
      }),
      { numRuns: 300 },
    );
  });
});

function linesOf(lines: Parameters<typeof itemWith>[0]): readonly PlannedLine[] {
  return post(itemWith(lines)).entries.flatMap((entry) => entry.lines);
}
