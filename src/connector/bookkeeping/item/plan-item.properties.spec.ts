import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contentOf } from './content-of.js';
import type { DualAmount, ExportItem } from './export-item.js';
import type { PostingPlan, PlannedEntry, PlannedLine } from './posting-plan.js';
import { dual, itemOf, line } from './planning.fixtures.js';
import { planItem } from './plan-item.js';
import {
  halfEven,
  MAX_LINES,
  movedBetween,
  randomContext,
  randomItemOf,
  TYPE_ROWS,
  WALLETS,
  type Code,
  type LineDraft,
  type RandomItem,
  type Side,
} from './random-items.fixtures.js';

// What holds for every item, whatever it is.

const RUNS = { numRuns: 500 };

const lineDrafts: fc.Arbitrary<LineDraft> = fc
  .record({
    minor: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -5_000_000, max: 5_000_000 }) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    share: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1)),
    tax: fc.constantFrom('none', 'inclusive', 'exclusive', 'reverse'),
    taxCode: fc.constantFrom('25', 'HALF', 'NONE'),
  })
  .map(({ minor, share, tax, taxCode }) => {
    const taxTenths = tax === 'none' ? 0 : Math.trunc(minor * 10 * share);
    return { minor, tax, taxTenths, taxCode };
  });

const randomItems: fc.Arbitrary<RandomItem> = fc
  .record({
    row: fc.constantFrom(...TYPE_ROWS),
    code: fc.constantFrom<Code>('EUR', 'USD', 'JPY', 'KWD'),
    method: fc.constantFrom('journal', 'none', 'accounts_payable', null),
    vendor: fc.constantFrom('V-7', 'V-9', 'E-3', undefined),
    reconciledEntries: fc.constantFrom([], ['R-7'], ['R-7', 'R-8']),
    drafts: fc.array(lineDrafts, { minLength: 1, maxLength: MAX_LINES }),
  })
  .map(randomItemOf);

/** Runs a check on every random item that is booked; the others must have nothing to post. */
function forEveryPlan(check: (entries: readonly PlannedEntry[], random: RandomItem) => void): void {
  fc.assert(
    fc.property(randomItems, (random) => {
      const plan = planItem(random.item, randomContext);
      if (plan.outcome === 'post') check(plan.entries, random);
      else expectNothingToPost(plan);
    }),
    RUNS,
  );
}

describe('every plan', () => {
  it('balances in both currencies, without a line of 0 except the rounding line', () => {
    forEveryPlan((entries) => {
      expect(entries.length).toBeGreaterThan(0);
      for (const { lines } of entries) {
        expect(lines.length).toBeGreaterThan(1);
        expect(sum(lines.map((one) => one.amountMinor))).toBe(0n);
        expect(sum(lines.map((one) => one.baseMinor))).toBe(0n);
        const empty = lines.filter((one) => one.amountMinor === 0n);
        expect(empty.every((one) => one.account.code === '3960' && one.baseMinor !== 0n)).toBe(true);
      }
    });
  });

  it('has base amounts equal to its amounts in the functional currency', () => {
    forEveryPlan((entries) => {
      const lines = entries.filter((entry) => entry.currency === 'EUR').flatMap((entry) => entry.lines);
      expect(lines.map((one) => one.baseMinor)).toEqual(lines.map((one) => one.amountMinor));
    });
  });

  it('moves the total from the credit to the debit side of its type, by the sign rule of the type', () => {
    forEveryPlan((entries, random) => {
      const { row, totalMinor } = random;
      const moved = row.noise && totalMinor < 0n ? -totalMinor : totalMinor;
      const { debit, credit } = movedBetween(random);
      const expected = new Map([
        [debit, moved],
        [credit, -moved],
      ]);
      const found = movements(entries);
      for (const side of ['lines', 'wallet', 'out-of-pocket', 'bank', 'payables'] as const) {
        expect([side, found.get(side) ?? 0n]).toEqual([side, expected.get(side) ?? 0n]);
      }
    });
  });

  it('is called a credit note and receipt exactly when money comes back', () => {
    forEveryPlan((entries, { row, totalMinor }) => {
      const isReturn = row.debit === 'wallet' || row.debit === 'bank';
      const isComingBack = isReturn !== (totalMinor < 0n && !row.noise);
      const roles = entries.map(({ role }) => role).filter((role) => role !== 'entry');
      const names = isComingBack ? ['credit-note', 'receipt'] : ['invoice', 'payment'];
      expect(roles.filter((role) => !names.includes(role))).toEqual([]);
    });
  });

  it('accounts for every minor unit of each source line, in the expense and tax of that line', () => {
    forEveryPlan((entries, { row, drafts, totalMinor }) => {
      const lines = documentLines(entries);
      const isPosting = row.debit === 'lines' || row.credit === 'lines';
      const factor = directionOf(row, totalMinor);
      drafts.forEach((draft, index) => {
        const { expense, input, output } = ofSourceLine(lines, index + 1);
        const all = sum([expense, input, output].flat().map((one) => one.amountMinor));
        expect(all).toBe(isPosting ? factor * BigInt(draft.minor) : 0n);
        if (isPosting) expectTax(draft, factor, input, output);
      });
    });
  });

  it('merges nothing and keeps the order of the source lines', () => {
    forEveryPlan((entries, { totalMinor }) => {
      const places = documentLines(entries).map(placeOf);
      expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b));
      for (const { lines } of entries) {
        const others = lines.filter((one) => !isOwn(one));
        const counters = others.filter((one) => one.amountMinor !== 0n);
        const total = totalMinor < 0n ? -totalMinor : totalMinor;
        expect(counters.every((one) => one.amountMinor === total || one.amountMinor === -total)).toBe(true);
        expect(counters).toHaveLength(totalMinor === 0n ? 0 : lines.some(isOwn) ? 1 : 2);
        const rounding = others.filter((one) => one.amountMinor === 0n);
        expect(rounding).toEqual(rounding.length === 0 ? [] : [lines.at(-1)]);
      }
    });
  });

  it('settles the amount it posts to the vendor, with the document of the same item or with others', () => {
    forEveryPlan((entries, { totalMinor }) => {
      for (const { settlement, lines, currency } of entries) {
        if (settlement === undefined) continue;
        const onVendor = lines.filter((one) => one.vendor?.id === settlement.vendor.id);
        const total = totalMinor < 0n ? -totalMinor : totalMinor;
        expect(onVendor.map((one) => (one.amountMinor < 0n ? -one.amountMinor : one.amountMinor))).toEqual([total]);
        expect([settlement.amountMinor, settlement.currency]).toEqual([total, currency]);
        const isForeign = settlement.kind !== 'within' && currency !== 'EUR';
        expect(settlement.realizedFx?.code).toBe(isForeign ? '7960' : undefined);
      }
    });
  });

  it('is deterministic', () => {
    fc.assert(
      fc.property(randomItems, ({ item }) => {
        expect(planItem(item, randomContext)).toEqual(planItem(structuredClone(item), randomContext));
      }),
    );
  });

  it('for the opposite amounts is the opposite entry, or the same where the type ignores the sign', () => {
    fc.assert(
      fc.property(randomItems, ({ item, row, totalMinor }) => {
        // A total of 0 has no direction that could be noise.
        if (totalMinor === 0n) return;
        const journal = { ...item, bookkeeping: { method: 'journal' } };
        const plan = planItem(journal, randomContext);
        const opposite = planItem(negated(journal), randomContext);
        if (plan.outcome !== 'post' || opposite.outcome !== 'post') throw new Error('not posted');
        const factor = row.noise ? 1n : -1n;
        const amounts = amountsByAccount(plan.entries[0]?.lines ?? []);
        const mirrored = amountsByAccount(opposite.entries[0]?.lines ?? []);
        expect(mirrored).toEqual(amounts.map(([code, amount]) => [code, factor * amount]));
      }),
      RUNS,
    );
  });
});

describe('the content', () => {
  it('changes with every amount and never with spelling', () => {
    fc.assert(
      fc.property(randomItems, fc.nat(MAX_LINES - 1), ({ item }, position) => {
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

  it('is the same for the same item with its lines in any order', () => {
    const shuffled = randomItems.chain(({ item }) => {
      const lines = item.accountingEntryLines;
      return fc.shuffledSubarray([...lines], { minLength: lines.length }).map((order) => ({ item, order }));
    });
    fc.assert(
      fc.property(shuffled, ({ item, order }) => {
        expect(contentOf(structuredClone(item))).toBe(contentOf(item));
        expect(contentOf({ ...item, accountingEntryLines: order })).toBe(contentOf(item));
      }),
      RUNS,
    );
  });

  it('differs with one line more or less', () => {
    fc.assert(
      fc.property(randomItems, ({ item }) => {
        const [first, ...rest] = item.accountingEntryLines;
        if (first === undefined) throw new Error('an item without lines');
        for (const accountingEntryLines of [rest, [first, first, ...rest]]) {
          expect(contentOf({ ...item, accountingEntryLines })).not.toBe(contentOf(item));
        }
      }),
    );
  });
});

describe('malformed input', () => {
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

  it('produces a plan that states what is wrong, never an exception', () => {
    fc.assert(
      fc.property(garbage, (item) => {
        const plan = planItem(item, randomContext);
        if (plan.outcome === 'fail') expect(plan.problems[0]?.type).toBe(plan.failureType);
        expect(contentOf(item)).toBe(contentOf(item));
      }),
      RUNS,
    );
  });
});

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

const OWN = new RegExp(`^([LIO])([1-${MAX_LINES.toString()}])$`);

function isOwn(planned: PlannedLine): boolean {
  return OWN.test(planned.account.code);
}

/** Expense, input tax, output tax of source line 1, then those of source line 2, … */
function placeOf(planned: PlannedLine): number {
  const [, kind = '', position = ''] = OWN.exec(planned.account.code) ?? [];
  return Number(position) * 3 + 'LIO'.indexOf(kind);
}

/** The item's own lines; only one of its entries may have any. */
function documentLines(entries: readonly PlannedEntry[]): readonly PlannedLine[] {
  const documents = entries.filter(({ lines }) => lines.some(isOwn));
  expect(documents.length).toBeLessThan(2);
  return (documents[0]?.lines ?? []).filter(isOwn);
}

function ofSourceLine(lines: readonly PlannedLine[], position: number) {
  const on = (letter: string) => lines.filter((one) => one.account.code === letter + position.toString());
  return { expense: on('L'), input: on('I'), output: on('O') };
}

/** 1 where the item's lines are debited as they are, −1 where they are credited. */
function directionOf(row: RandomItem['row'], totalMinor: bigint): bigint {
  const side = row.debit === 'lines' ? 1n : -1n;
  return row.noise && totalMinor < 0n ? -side : side;
}

/** The amounts of B2: half-even where a tax is between two minor units, and the share that is deducted. */
function expectTax(
  { tax, taxTenths, taxCode, minor }: LineDraft,
  factor: bigint,
  input: readonly PlannedLine[],
  output: readonly PlannedLine[],
): void {
  // A reverse charge without an amount is computed from its rate of 25 %.
  const isComputed = tax === 'reverse' && taxTenths === 0;
  const taxMinor = isComputed ? halfEven(BigInt(minor), 4n) : halfEven(BigInt(taxTenths), 10n);
  const deducted = { '25': taxMinor, HALF: halfEven(taxMinor, 2n), NONE: 0n }[taxCode];
  expect(sum(input.map((one) => one.amountMinor))).toBe(factor * deducted);
  expect(sum(output.map((one) => one.amountMinor))).toBe(tax === 'reverse' ? -factor * taxMinor : 0n);
}

function movements(entries: readonly PlannedEntry[]): ReadonlyMap<Side, bigint> {
  const moved = new Map<Side, bigint>();
  for (const planned of entries.flatMap(({ lines }) => lines)) {
    if (planned.account.code === '3960') continue;
    const side = sideOf(planned);
    moved.set(side, (moved.get(side) ?? 0n) + planned.amountMinor);
  }
  return moved;
}

function sideOf(planned: PlannedLine): Side {
  const { code } = planned.account;
  if (isOwn(planned)) return 'lines';
  if (Object.values(WALLETS).includes(code)) return 'wallet';
  const side = new Map<string, Side>([
    ['2890', 'out-of-pocket'],
    ['1930', 'bank'],
    ['2440', 'payables'],
    ['2441', 'payables'],
  ]).get(code);
  if (side === undefined) throw new Error(`no side: ${code}`);
  return side;
}

function expectNothingToPost(plan: PostingPlan): void {
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

function amountsByAccount(lines: readonly PlannedLine[]): readonly (readonly [string, bigint])[] {
  const amounts = new Map<string, bigint>();
  for (const { account, amountMinor } of lines) {
    amounts.set(account.code, (amounts.get(account.code) ?? 0n) + amountMinor);
  }
  return [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
