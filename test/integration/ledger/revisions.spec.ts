import { beforeEach, describe, expect, it } from '@jest/globals';
import { startLedger, type WireEntry } from './ledger-harness.js';
import { invoice, Payables, purchase, type Outcomes, type Warned } from './payables.js';
import { startedOnce } from '../../support/started-once.js';

// A key is used again once everything under it is cancelled.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

const reverse = async (...keys: readonly string[]): Promise<readonly Warned[]> =>
  (await books.call<Outcomes>('POST', '/posting-groups:reverse', { keys })).body.outcomes;

interface Reversal {
  readonly reversal?: WireEntry | null;
  readonly type?: string;
  readonly detail?: string;
}

const reverseEntry = (id: string | undefined, body: object = {}) =>
  books.call<Reversal>('POST', `/journal-entries/${id ?? ''}/reversal`, body);

const lookup = async (...keys: readonly string[]) =>
  (await books.call<{ readonly data: readonly Warned[] }>('POST', '/posting-groups:lookup', { keys })).body.data;

describe('the next revision of a key', () => {
  const next = (revision: number, digest = 'new') => invoice('i', 'A-17', 50_000, { revision, digest });

  it('follows the reversal of the one before, and no sooner', async () => {
    await books.created(invoice('i', 'A-17', 62_500));
    expect(await books.post(next(2))).toEqual([
      {
        key: 'i',
        outcome: 'refused',
        code: 'not_reversed',
        message: 'Revision 2 of i cannot be posted while an entry of revision 1 is in the books.',
        field: '/revision',
      },
    ]);
    await reverse('i');
    expect(await books.post(next(2))).toMatchObject([{ outcome: 'created', revision: 2, warnings: [] }]);
    expect(await lookup('i')).toMatchObject([{ outcome: 'found', revision: 2, reversed: false, contentDigest: 'new' }]);
    expect(await books.open()).toEqual({ 'i invoice': ['-50000', '-50000'] });
  });

  it('is compared with later requests', async () => {
    await books.created(invoice('i', 'A-17', 62_500));
    await reverse('i');
    await books.created(next(2));
    expect(await books.post(next(2))).toMatchObject([{ outcome: 'existed', revision: 2 }]);
    expect(await books.post(next(1))).toMatchObject([{ outcome: 'existed', revision: 2 }]);
    expect(await books.post(invoice('i', 'A-17', 62_500))).toMatchObject([
      { outcome: 'conflict', revision: 2, existingContentDigest: 'new' },
    ]);
    expect(await books.post(next(3))).toMatchObject([{ outcome: 'refused', code: 'not_reversed' }]);
  });

  it('is not a second use of the first: a reversed entry is not posted again under its revision', async () => {
    const first = invoice('i', 'A-17', 62_500);
    await books.created(first);
    await reverse('i');
    expect(await books.post(first)).toMatchObject([
      { outcome: 'existed', revision: 1, entries: [{ state: 'reversed' }] },
    ]);
  });

  it('is accepted by books that have lost the former ones, and late repetitions of those change nothing', async () => {
    expect(await books.post(next(2))).toMatchObject([{ outcome: 'created', revision: 2 }]);
    expect(await books.post(next(2))).toMatchObject([{ outcome: 'existed', revision: 2 }]);
    expect(await books.post(invoice('i', 'A-17', 62_500))).toMatchObject([
      { outcome: 'conflict', revision: 2, existingContentDigest: 'new' },
    ]);
    await reverse('i');
    expect(await books.post(next(4))).toMatchObject([{ outcome: 'created', revision: 4 }]);
    expect(await books.post(next(3))).toMatchObject([{ outcome: 'existed', revision: 4 }]);
    expect(await books.open()).toEqual({ 'i invoice': ['-50000', '-50000'] });
  });

  it('requires all entries of the previous one to be cancelled', async () => {
    const [made] = await books.created(purchase('p', 'R-1', 100));
    const again = purchase('p', 'R-1', 90, { revision: 2, digest: 'new' });
    await reverseEntry(made?.entries?.[0]?.id);
    expect(await books.post(again)).toMatchObject([{ outcome: 'refused', code: 'not_reversed' }]);
    await reverseEntry(made?.entries?.[1]?.id);
    expect(await books.post(again)).toMatchObject([{ outcome: 'created', revision: 2 }]);
  });
});
