import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PlannedEntry, PlannedLine } from './posting-plan.js';
import { planItem } from './plan-item.js';
import {
  MAX_LINES,
  randomContext,
  randomItemOf,
  TYPE_ROWS,
  type Code,
  type LineDraft,
} from './random-items.fixtures.js';

// An entry that the ERP takes only in parts is, all parts together, the entry that it would have taken whole (B9.10).

const lineDrafts: fc.Arbitrary<LineDraft> = fc
  .record({
    minor: fc.integer({ min: -1_000_000, max: 5_000_000 }),
    percent: fc.constantFrom(0, 6, 25),
    tax: fc.constantFrom('none', 'inclusive', 'exclusive', 'reverse'),
    taxCode: fc.constantFrom('25', 'HALF', 'NONE'),
  })
  .map(({ percent, ...draft }) => ({
    ...draft,
    taxTenths: draft.tax === 'none' ? 0 : Math.trunc((draft.minor * percent) / 10),
  }));

const randomItems = fc
  .record({
    row: fc.constantFrom(...TYPE_ROWS.filter(({ debit, credit }) => debit === 'lines' || credit === 'lines')),
    code: fc.constantFrom<Code>('EUR', 'USD', 'JPY', 'KWD'),
    method: fc.constantFrom('journal', 'accounts_payable'),
    vendor: fc.constantFrom('V-7', 'V-9', 'E-3', undefined),
    reconciledEntries: fc.constant([]),
    drafts: fc.array(lineDrafts, { minLength: 1, maxLength: MAX_LINES }),
  })
  .map(randomItemOf);

const limits = fc.integer({ min: 2, max: 12 });

function forEveryDivision(check: (parts: readonly PlannedEntry[], whole: PlannedEntry, limit: number) => void): number {
  let divided = 0;
  fc.assert(
    fc.property(randomItems, limits, ({ item }, limit) => {
      const whole = planItem(item, randomContext);
      const plan = planItem(item, { ...randomContext, linesPerEntry: limit });
      if (whole.outcome !== 'post') return;
      if (plan.outcome !== 'post') {
        expect(plan).toMatchObject({ outcome: 'fail', failureType: 'accounting_system_validation_failure' });
        return;
      }
      const byRole = Map.groupBy(plan.entries, ({ role }) => role);
      expect([...byRole.keys()]).toEqual(whole.entries.map(({ role }) => role));
      for (const entry of whole.entries) {
        const parts = byRole.get(entry.role) ?? [];
        divided += parts.length > 1 ? 1 : 0;
        check(parts, entry, limit);
      }
    }),
    { numRuns: 1_500 },
  );
  return divided;
}

function totals(entries: readonly PlannedEntry[], of: (line: PlannedLine) => bigint): ReadonlyMap<string, bigint> {
  const lines = entries.flatMap((entry) => entry.lines);
  const byAccount = Map.groupBy(
    lines,
    ({ account, vendor, employee }) => `${account.code}·${vendor?.code ?? ''}·${employee ?? ''}`,
  );
  return new Map(
    [...byAccount]
      .map(([account, some]) => [account, sum(some.map(of))] as const)
      .filter(([, total]) => total !== 0n)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

describe('every divided entry', () => {
  it('has parts that balance in both currencies and are as short as the ERP wants them', () => {
    const divided = forEveryDivision((parts, _, limit) => {
      for (const { lines } of parts) {
        expect(lines.length).toBeLessThanOrEqual(limit);
        expect(lines.length).toBeGreaterThan(1);
        expect(sum(lines.map(({ amountMinor }) => amountMinor))).toBe(0n);
        expect(sum(lines.map(({ baseMinor }) => baseMinor))).toBe(0n);
        expect(lines.every(({ amountMinor, baseMinor }) => amountMinor * baseMinor >= 0n)).toBe(true);
        expect(lines.every(({ amountMinor, baseMinor }) => amountMinor !== 0n || baseMinor !== 0n)).toBe(true);
      }
    });
    expect(divided).toBeGreaterThan(0);
  });

  it('has the same amount on every account as the undivided entry, in both currencies', () => {
    forEveryDivision((parts, whole) => {
      expect(totals(parts, ({ amountMinor }) => amountMinor)).toEqual(
        totals([whole], ({ amountMinor }) => amountMinor),
      );
      expect(totals(parts, ({ baseMinor }) => baseMinor)).toEqual(totals([whole], ({ baseMinor }) => baseMinor));
    });
  });

  it('has the lines of each source line unchanged, together and in order', () => {
    forEveryDivision((parts, whole) => {
      const own = (entries: readonly PlannedEntry[]) =>
        entries.flatMap(({ lines }) => lines.filter(({ source }) => source !== undefined));
      expect(own(parts)).toEqual(own([whole]));
      const places = parts.map(({ lines }) => new Set(lines.flatMap(({ source }) => source ?? [])));
      expect(new Set(places.flatMap((some) => [...some])).size).toBe(
        places.reduce((count, some) => count + some.size, 0),
      );
    });
  });

  it('counts its parts, and keeps its settlements', () => {
    forEveryDivision((parts, whole) => {
      expect(parts.map(({ part }) => part)).toEqual(
        parts.length === 1 ? [undefined] : parts.map((_, index) => index + 1),
      );
      expect(sum(parts.map(({ settlement }) => settlement?.amountMinor ?? 0n))).toBe(
        whole.settlement?.amountMinor ?? 0n,
      );
    });
  });
});

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
