import { beforeEach, describe, expect, it } from '@jest/globals';
import { startLedger } from '../ledger-harness.js';
import { dollars, invoice, Payables, payment, purchase, returned } from '../payables.js';
import { startedOnce } from '../../../support/started-once.js';

// What could not be settled when its second side was posted, once nothing is in the way any more.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

interface Settled {
  readonly outcomes: readonly { readonly outcome?: string; readonly message?: string }[];
}
interface Inspected {
  readonly data: readonly { readonly entries: readonly { readonly settlementOpen?: boolean | null }[] }[];
}

const settle = async (...keys: readonly string[]) =>
  (await books.call<Settled>('POST', '/posting-groups:settle', { keys })).body.outcomes;
const settleTo = async (realizedFxAccountCode: string, ...keys: readonly string[]) =>
  (await books.call<Settled>('POST', '/posting-groups:settle', { keys, realizedFxAccountCode })).body.outcomes;
/** Of each entry under the key. */
const openBeside = async (key: string) => {
  const { body } = await books.call<Inspected>('POST', '/posting-groups:inspect', { keys: [key] });
  return body.data.flatMap(({ entries }) => entries.map(({ settlementOpen }) => settlementOpen));
};

const bought = invoice('i', 'U-1', 100_000, dollars(90_000));
const paid = payment('p', ['U-1'], 100_000, dollars(93_000));
const paidUnnamed = payment('p', ['U-1'], 100_000, dollars(93_000, { realizedFxAccountCode: null }));
const OPEN = { 'i invoice': ['-100000', '-90000'], 'p payment': ['100000', '93000'] };

describe('an archived account for realized FX', () => {
  beforeEach(async () => {
    await books.created(paid);
    await books.archive('7960');
    await books.created(bought);
  });

  it('keeps both items open and is named until it is active again', async () => {
    expect(await books.open()).toEqual(OPEN);
    expect(await openBeside('p')).toEqual([true]);
    expect(await openBeside('i')).toEqual([null]);
    expect(await settle('p')).toEqual([
      {
        key: 'p',
        outcome: 'refused',
        code: 'fx-account-missing',
        message:
          'Not settled with each other on vendor V-8: payment and invoice U-1. Their exchange rates differ, and account 7960 is not active.',
      },
    ]);
    expect(await books.open()).toEqual(OPEN);
  });

  it('settles both items once, with the difference, when it is active again', async () => {
    await books.archive('7960', true);
    expect(await settle('p', 'unknown')).toEqual([
      { key: 'p', outcome: 'settled' },
      { key: 'unknown', outcome: 'nothing-to-settle' },
    ]);
    expect(await books.open()).toEqual({});
    expect(await openBeside('p')).toEqual([false]);
    const done = [await books.settlements(), await books.balances()];
    expect(done[1]).toMatchObject({ '7960': '3000' });
    expect(await settle('p')).toEqual([{ key: 'p', outcome: 'settled' }]);
    expect([await books.settlements(), await books.balances()]).toEqual(done);
  });
});

it('an account that the entries do not name is taken from the request', async () => {
  await books.createdOneByOne(bought, paidUnnamed);
  expect(await settle('p')).toMatchObject([{ outcome: 'refused', code: 'fx-account-missing' }]);
  expect(await settleTo('7960', 'p')).toEqual([{ key: 'p', outcome: 'settled' }]);
  expect(await books.balances()).toMatchObject({ '7960': '3000' });
});

it('without an open day nothing is settled; later it is settled on the first open one', async () => {
  await books.created(payment('p', ['A-1'], 100, { postingDate: '2026-05-04' }));
  await books.closePeriod('2026-05-01');
  await books.put('/periods/2027-01-01/state', { state: 'closed' });
  await books.created(invoice('i', 'A-1', 100));
  expect(await settle('p')).toMatchObject([{ outcome: 'refused', code: 'left-open' }]);
  await books.closePeriod('2026-05-01', 'open');
  expect(await settle('p')).toEqual([{ key: 'p', outcome: 'settled' }]);
  expect(await books.settlements()).toEqual([['p', 'i', '100', '100', '100', '2026-05-04', 'made']]);
});

it('a payment that waits, a partial one and one that settles nothing have no open counterpart', async () => {
  await books.createdOneByOne(
    payment('waits', ['none'], 100),
    invoice('i', 'A-1', 60),
    payment('part', ['A-1'], 100),
    purchase('whole', 'A-2', 100),
    payment('draft', ['A-1'], 100, { state: 'draft' }),
  );
  const keys = ['waits', 'part', 'i', 'whole', 'draft'];
  const shown = [];
  for (const key of keys) shown.push(await openBeside(key));
  expect(shown).toEqual([[false], [false], [null], [null, false], [null]]);
  const before = await books.settlements();
  expect((await settle(...keys)).map(({ outcome }) => outcome)).toEqual([
    'nothing-to-settle',
    'settled',
    'nothing-to-settle',
    'settled',
    'nothing-to-settle',
  ]);
  expect(await books.settlements()).toEqual(before);
});

it('a settlement undone by a person is not repeated automatically', async () => {
  await books.createdOneByOne(invoice('i', 'A-1', 100), payment('p', ['A-1'], 100));
  const [row] = await books.rows<[string]>('SELECT id FROM settlement WHERE company_id = $1');
  await books.call('POST', `/settlements/${row?.[0] ?? ''}/undo`);
  expect(await openBeside('p')).toEqual([true]);
  expect(await settle('p')).toMatchObject([{ outcome: 'refused', code: 'taken-apart' }]);
  expect(await books.open()).toEqual({ 'i invoice': ['-100', '-100'], 'p payment': ['100', '100'] });
});

it('a return that could not undo a settlement does so later', async () => {
  await books.createdOneByOne(bought, paid);
  await books.archive('7960');
  await books.created(returned('r', ['U-1'], 100_000, dollars(93_000, { realizedFxAccountCode: null })));
  expect(await openBeside('r')).toEqual([true]);
  expect(await settle('r')).toMatchObject([{ outcome: 'refused', code: 'account-inactive' }]);
  await books.archive('7960', true);
  expect(await settle('r')).toEqual([{ key: 'r', outcome: 'settled' }]);
  expect(await books.open()).toEqual({ 'i invoice': ['-100000', '-90000'] });
});

it.each([
  ['no keys', { keys: [] }],
  ['a key twice', { keys: ['p', 'p'] }],
  ['too many keys', { keys: Array.from({ length: 501 }, (_, index) => index.toString()) }],
  ['something unknown', { keys: ['p'], reason: 'x' }],
])('a request with %s is refused', async (_, body) => {
  const { status } = await books.call('POST', '/posting-groups:settle', body);
  expect(status).toBe(400);
});
