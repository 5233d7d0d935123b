import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OpenItem } from './open-item.js';
import { planSettlements } from './plan-settlements.js';
import { DAYS, invoice, InMemoryBooks, payment, receipt } from './settlement.fixtures.js';

// What holds for all items, in whatever order and in whatever company they are posted. InMemoryBooks itself refuses a plan
// that mixes vendors or currencies, takes more than is open, leaves something in base on a closed item, or an account with another balance than its open items.

const RUNS = { numRuns: 400 };
const KINDS = { invoice, payment, receipt } as const;
type Kind = keyof typeof KINDS;

interface Draft {
  readonly kind: Kind;
  readonly minor: bigint;
  readonly base: bigint;
  readonly number: string;
  readonly vendorNumber: string;
  readonly currency: string;
  readonly accountCode: string;
  readonly postedOn: string;
}

const minor = fc.bigInt({ min: 1n, max: 2_000n });

const draft = (numbers: readonly string[], vendors: readonly string[]): fc.Arbitrary<Draft> =>
  fc.record({
    kind: fc.constantFrom<Kind>('invoice', 'payment', 'receipt'),
    minor,
    base: fc.bigInt({ min: 0n, max: 2_000n }),
    number: fc.constantFrom(...numbers),
    vendorNumber: fc.constantFrom(...vendors),
    currency: fc.constantFrom('USD', 'SEK'),
    accountCode: fc.constantFrom('2440', '2440', '2441'),
    postedOn: fc.constantFrom(...DAYS),
  });

const itemFrom = ({ kind, minor, number, ...options }: Draft, name: string): OpenItem =>
  kind === 'invoice' ? invoice(name, number, minor, options) : KINDS[kind](name, [number], minor, options);

/** Items, cut into postings. */
const postings = (
  numbers: readonly string[],
  vendors: readonly string[],
): fc.Arbitrary<readonly (readonly OpenItem[])[]> =>
  fc
    .array(fc.array(draft(numbers, vendors), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
    .map((steps) =>
      steps.map((step, nth) => step.map((each, index) => itemFrom(each, `${nth.toString()}.${index.toString()}`))),
    );

const many = postings(['A-17', 'A-18', 'A-19'], ['V-7', 'V-9']);

const book = (steps: readonly (readonly OpenItem[])[]): InMemoryBooks => {
  const books = new InMemoryBooks();
  for (const step of steps) books.post(...step);
  return books;
};

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

describe('for any postings', () => {
  it('the base amounts of settlements add up to the exchange differences', () => {
    fc.assert(
      fc.property(many, (steps) => {
        const books = book(steps);
        const posted = new Map(steps.flat().map((item) => [item.entryId, item.openBaseMinor]));
        const settledBase = sum(books.all.map((item) => (posted.get(item.entryId) ?? 0n) - item.openBaseMinor));
        expect(settledBase).toBe(books.realized);
      }),
      RUNS,
    );
  });

  it('the active settlements account for everything that is not open', () => {
    fc.assert(
      fc.property(many, (steps) => {
        const books = book(steps);
        for (const { entryId, amountMinor, openMinor } of books.all) {
          const parts = books.standing.map(({ debit, credit, amountMinor: part }) =>
            debit.entryId === entryId ? part : credit.entryId === entryId ? -part : 0n,
          );
          expect(amountMinor - openMinor).toBe(sum(parts));
        }
      }),
      RUNS,
    );
  });

  it('a plan is the same for the same view, and does not change the view', () => {
    fc.assert(
      fc.property(many, (steps) => {
        const books = book(steps.slice(0, -1));
        const view = books.view(steps.at(-1) ?? []);
        const before = structuredClone(view);
        expect(planSettlements(view)).toEqual(planSettlements(before));
        expect(view).toEqual(before);
      }),
      RUNS,
    );
  });

  it('no item stays open beside its counterpart, and no payment keeps what was returned', () => {
    fc.assert(
      fc.property(postings(['A-17'], ['V-7']), (steps) => {
        expectNothingMissed(book(steps).all);
      }),
      RUNS,
    );
  });

  it('the same holds after some of them are cancelled', () => {
    fc.assert(
      fc.property(postings(['A-17'], ['V-7']), fc.infiniteStream(fc.nat()), (steps, chances) => {
        const books = new InMemoryBooks();
        for (const step of steps) {
          books.post(...step);
          const [chance = 0] = chances.take(1);
          const unlucky = books.all[chance % (2 * books.all.length)];
          if (unlucky !== undefined) books.cancel(unlucky.entryId);
          expectNothingMissed(books.all);
        }
      }),
      RUNS,
    );
  });
});

/** Of one vendor and number: payments first make up for returns, then pay invoices. */
function expectNothingMissed(all: readonly OpenItem[]): void {
  for (const currency of ['USD', 'SEK']) {
    const of = (kind: Kind, member: 'amountMinor' | 'openMinor'): bigint => {
      const items = all.filter((item) => item.role === kind && item.currency === currency);
      const total = sum(items.map((item) => item[member]));
      return total < 0n ? -total : total;
    };
    const owed = of('invoice', 'amountMinor');
    const paid = of('payment', 'amountMinor');
    const back = of('receipt', 'amountMinor');
    expect({
      invoice: of('invoice', 'openMinor'),
      payment: of('payment', 'openMinor'),
      receipt: of('receipt', 'openMinor'),
    }).toEqual({
      invoice: positive(owed - positive(paid - back)),
      payment: positive(paid - back - owed),
      receipt: positive(back - paid),
    });
  }
}

const positive = (value: bigint): bigint => (value > 0n ? value : 0n);

/** An order of things, and where it is cut into postings. */
const arrangement = <T>(things: readonly T[]): fc.Arbitrary<readonly (readonly T[])[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...things], { minLength: things.length }),
      fc.array(fc.boolean(), { minLength: things.length, maxLength: things.length }),
    )
    .map(([order, cuts]) =>
      order.reduce<readonly (readonly T[])[]>(
        (steps, thing, index) =>
          steps.length === 0 || cuts[index] === true
            ? [...steps, [thing]]
            : [...steps.slice(0, -1), [...(steps.at(-1) ?? []), thing]],
        [],
      ),
    );

const base = fc.bigInt({ min: 0n, max: 5_000n });
const usd = (baseMinor: bigint) => ({ currency: 'USD', base: baseMinor });

it('a payment and its full return leave the invoice open in full and everything else settled, in any order', () => {
  const items = fc
    .tuple(minor, base, base, base)
    .chain(([amount, owed, paid, back]) =>
      arrangement([
        invoice('i', 'A-17', amount, usd(owed)),
        payment('p', ['A-17'], amount, usd(paid)),
        receipt('r', ['A-17'], amount, usd(back)),
      ]).map((steps) => ({ steps, open: { i: [-amount, -owed] }, realized: paid - back })),
    );
  fc.assert(
    fc.property(items, ({ steps, open, realized }) => {
      const books = book(steps);
      expect(books.open).toEqual(open);
      expect(books.realized).toBe(realized);
    }),
    RUNS,
  );
});

it('partial payments that add up settle their invoice in any order, also in base, with the same difference', () => {
  const items = fc
    .tuple(fc.array(fc.tuple(minor, base), { minLength: 1, maxLength: 5 }), base)
    .chain(([parts, owed]) => {
      const total = sum(parts.map(([amount]) => amount));
      const payments = parts.map(([amount, paid], index) =>
        payment(`p${index.toString()}`, ['A-17'], amount, usd(paid)),
      );
      return arrangement([invoice('i', 'A-17', total, usd(owed)), ...payments]).map((steps) => ({
        steps,
        realized: sum(parts.map(([, paid]) => paid)) - owed,
      }));
    });
  fc.assert(
    fc.property(items, ({ steps, realized }) => {
      const books = book(steps);
      expect(books.open).toEqual({});
      expect(books.realized).toBe(realized);
    }),
    RUNS,
  );
});

it('partial payments leave the same open in any order', () => {
  const items = fc
    .tuple(fc.array(minor, { minLength: 1, maxLength: 4 }), minor)
    .chain(([parts, rest]) =>
      arrangement([
        invoice('i', 'A-17', sum(parts) + rest),
        ...parts.map((amount, index) => payment(`p${index.toString()}`, ['A-17'], amount)),
      ]).map((steps) => ({ steps, rest })),
    );
  fc.assert(
    fc.property(items, ({ steps, rest }) => {
      expect(book(steps).open).toEqual({ i: [-rest, -rest] });
    }),
    RUNS,
  );
});
