import { describe, expect, it } from '@jest/globals';
import type { OpenItem } from './open-item.js';
import { planSettlements } from './plan-settlements.js';
import { DAYS, invoice, InMemoryBooks, payment, receipt } from './settlement.fixtures.js';

describe('the day of a settlement', () => {
  const dayOf = (posted: readonly OpenItem[], openDays?: ReadonlyMap<string, string>) => {
    const books = new InMemoryBooks(openDays && { openDays });
    return posted.map((item) => books.post(item).settled.map(({ settledOn }) => settledOn)).at(-1);
  };
  const [first, second, third, fourth] = DAYS;
  const early = invoice('i', 'A-17', 100n, { postedOn: first });
  const late = payment('p', ['A-17'], 100n, { postedOn: third });

  it.each([
    ['the payment', [early, late]],
    ['the payment, though the invoice comes last', [late, early]],
  ])('is that of the later item: %s', (_, posted) => {
    expect(dayOf(posted)).toEqual([third]);
  });

  it('moves out of a period that was closed meanwhile', () => {
    expect(dayOf([late, early], new Map([[third, fourth]]))).toEqual([fourth]);
  });

  it('is absent when no day is open: then both items stay open', () => {
    const books = new InMemoryBooks({ openDays: new Map([[second, second]]) });
    books.post(late);
    const plan = books.post({ ...early, postedOn: second });
    expect(plan.settled).toEqual([]);
    expect([...plan.warnings.values()]).toEqual([
      [
        {
          code: 'left-open',
          message:
            'Not settled with each other on vendor V-7: invoice A-17 and payment. No fiscal period is open on or after 2026-03-03.',
        },
      ],
    ]);
  });

  it('that remains after a return is that of the return, and it is not undone before it was made', () => {
    const books = new InMemoryBooks();
    books.post(early, late);
    const back = books.post(receipt('r', ['A-17'], 40n, { postedOn: fourth }));
    expect(back.undone.map(({ undoneOn }) => undoneOn)).toEqual([fourth]);
    expect(back.settled.map(({ settledOn }) => settledOn)).toEqual([fourth, fourth]);

    const again = new InMemoryBooks();
    again.post(early, late);
    const earlier = again.post(receipt('r', ['A-17'], 40n, { postedOn: second }));
    expect(earlier.undone.map(({ undoneOn }) => undoneOn)).toEqual([third]);
    expect(earlier.settled.map(({ settledOn }) => settledOn)).toEqual([third, third]);
  });

  it('that is reopened by cancelling a return is that of the return', () => {
    const books = new InMemoryBooks();
    books.post(early, late);
    books.post(receipt('r', ['A-17'], 100n, { postedOn: fourth }));
    books.cancel('r');
    expect(books.standing.map(({ settledOn }) => settledOn)).toEqual([fourth]);
  });

  it('is not undone when no later day is open: then the return stays open', () => {
    const books = new InMemoryBooks();
    books.post(early, late);
    const view = books.view([receipt('r', ['A-17'], 100n, { postedOn: second })]);
    const plan = planSettlements({ ...view, openDays: new Map([[second, second]]) });
    expect([plan.undone, plan.settled]).toEqual([[], []]);
    expect([...plan.warnings.values()].flat().map(({ message }) => message)).toEqual([
      'invoice A-17 of vendor V-7 stays settled although its payment was returned. No fiscal period is open on or after 2026-03-03.',
    ]);
  });
});
