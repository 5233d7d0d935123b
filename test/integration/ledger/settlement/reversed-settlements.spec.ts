import { beforeEach, describe, expect, it } from '@jest/globals';
import { startLedger } from '../ledger-harness.js';
import { dollars, invoice, type Outcomes, Payables, payment, returned, type Warned } from '../payables.js';
import { startedOnce } from '../../../support/started-once.js';

// What a reversal does to what its entry had settled.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

const reverse = async (...keys: readonly string[]): Promise<readonly Warned[]> =>
  (await books.call<Outcomes>('POST', '/posting-groups:reverse', { keys })).body.outcomes;

describe('a settled invoice', () => {
  const A17 = invoice('i', 'A-17', 62_500);
  const PAID = payment('p', ['A-17'], 62_500);

  it('is reopened when the payment is reversed', async () => {
    await books.created(A17, PAID);
    await reverse('p');
    expect(await books.open()).toEqual({ 'i invoice': ['-62500', '-62500'] });
    expect(await books.settlements()).toEqual([
      ['p', 'i', '62500', '62500', '62500', '2026-03-20', 'made'],
      ['p', 'i', '-62500', '-62500', '-62500', '2026-03-20', 'undone'],
      ['p', 'p', '62500', '62500', '62500', '2026-03-20', 'made'],
    ]);
  });

  it('leaves the payment open for its next revision when it is reversed', async () => {
    await books.created(A17, PAID);
    await reverse('i');
    expect(await books.open()).toEqual({ 'p payment': ['62500', '62500'] });
    await books.created(invoice('i', 'A-17', 60_000, { revision: 2, digest: 'corrected' }));
    expect(await books.open()).toEqual({ 'p payment': ['2500', '2500'] });
  });

  it('is not reopened before the day of the settlement, even if it is older', async () => {
    await books.created(A17, PAID);
    await reverse('i');
    expect((await books.settlements()).map(([, , , , , day, what]) => [day, what])).toEqual([
      ['2026-03-20', 'made'],
      ['2026-03-20', 'undone'],
      ['2026-03-02', 'made'],
    ]);
  });

  it('has its exchange difference reversed when it is reopened', async () => {
    await books.created(invoice('i', 'U-1', 100_000, dollars(90_000)), payment('p', ['U-1'], 100_000, dollars(93_000)));
    await reverse('p');
    expect(await books.open()).toEqual({ 'i invoice': ['-100000', '-90000'] });
    expect(await books.balances()).toEqual({ '2440': '-90000', '5410': '90000' });
    await reverse('i');
    expect(await books.open()).toEqual({});
    expect(await books.balances()).toEqual({});
  });

  it('with its exchange difference on an archived account prevents the reversal of the payment', async () => {
    await books.created(invoice('i', 'U-1', 100_000, dollars(90_000)), payment('p', ['U-1'], 100_000, dollars(93_000)));
    await books.archive('7960');
    expect(await reverse('p', 'i')).toMatchObject([
      {
        outcome: 'refused',
        code: 'account_inactive',
        message: 'Account 7960 is archived and takes no postings: activate it, then reverse.',
      },
      { outcome: 'refused', code: 'account_inactive' },
    ]);
    await books.archive('7960', true);
    expect(await reverse('p', 'i')).toMatchObject([{ outcome: 'reversed' }, { outcome: 'reversed' }]);
    expect(await books.balances()).toEqual({});
  });

  it('is settled again when the return that had reopened it is reversed', async () => {
    await books.created(A17, PAID, returned('r', ['A-17'], 62_500, { postingDate: '2026-04-02' }));
    expect(await books.open()).toEqual({ 'i invoice': ['-62500', '-62500'] });
    await reverse('r');
    expect(await books.open()).toEqual({});
    expect((await books.settlements()).at(-1)).toEqual(['p', 'i', '62500', '62500', '62500', '2026-04-02', 'made']);
    await reverse('i', 'p');
    expect(await books.open()).toEqual({});
    expect(await books.balances()).toEqual({});
  });

  it('is settled by a waiting payment when its own is reversed', async () => {
    await books.created(A17, PAID, payment('q', ['A-17'], 70_000));
    await reverse('p');
    expect(await books.open()).toEqual({ 'q payment': ['7500', '7500'] });
  });

  it('has its payment settle the other invoice of its number when it is reversed', async () => {
    await books.created(A17, invoice('again', 'A-17', 62_500), PAID);
    await reverse('i');
    expect(await books.open()).toEqual({});
  });

  it('is not reopened by a return that comes after its reversal', async () => {
    await books.created(A17);
    await reverse('i');
    await books.created(returned('r', ['A-17'], 62_500));
    expect(await books.open()).toEqual({ 'r receipt': ['-62500', '-62500'] });
  });
});
