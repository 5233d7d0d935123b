import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { line, startLedger } from './ledger-harness.js';
import { invoice, journal, Payables, payment, purchase, type Outcomes } from './payables.js';
import { startedOnce } from '../../support/started-once.js';

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

interface Posted {
  readonly entryId?: string;
  readonly outcome?: string;
  readonly number?: string;
  readonly code?: string;
  readonly message?: string;
}

const postDrafts = async (...entryIds: readonly (string | undefined)[]): Promise<readonly Posted[]> =>
  (await books.call<Outcomes<Posted>>('POST', '/journal-entries:post', { entryIds })).body.outcomes;

const draft = (key: string, options: object = {}) =>
  journal(key, [line('6071', 100), line('1935', -100)], { state: 'draft', ...options });

/** Creates groups of one draft each. */
const drafts = async (...groups: readonly object[]): Promise<readonly string[]> =>
  (await books.created(...groups)).map(({ entries }) => entries?.[0]?.id ?? '');

it('posts drafts, which get numbers and enter the balances', async () => {
  await books.created(journal('posted', [line('6071', 1), line('1935', -1)]));
  const [a, b] = await drafts(draft('a'), draft('b', { postingDate: '2027-01-01' }));
  expect(await books.balances()).toEqual({ '1935': '-1', '6071': '1' });

  expect(await postDrafts(b, a)).toEqual([
    { entryId: b, outcome: 'posted', number: '2027-000001', warnings: [] },
    { entryId: a, outcome: 'posted', number: '2026-000002', warnings: [] },
  ]);
  expect(await books.balances()).toEqual({ '1935': '-201', '6071': '201' });
  expect((await books.call('POST', '/posting-groups:lookup', { keys: ['a'] })).body).toMatchObject({
    data: [{ entries: [{ id: a, state: 'posted', number: '2026-000002' }] }],
  });
});

it('changes nothing when it is repeated', async () => {
  const [a] = await drafts(draft('a'));
  await postDrafts(a);
  expect(await postDrafts(a)).toEqual([{ entryId: a, outcome: 'already-posted', number: '2026-000001' }]);
  await books.call('POST', '/posting-groups:reverse', { keys: ['a'] });
  expect(await postDrafts(a)).toEqual([{ entryId: a, outcome: 'already-posted', number: '2026-000001' }]);
  expect(await books.balances()).toEqual({});
});

it('responds in order, and an error in one draft does not affect the others', async () => {
  const [a, gone, closed, b] = await drafts(
    draft('a'),
    draft('gone'),
    draft('closed', { postingDate: '2026-02-15' }),
    draft('b'),
  );
  await books.call('POST', '/posting-groups:reverse', { keys: ['gone'] });
  await books.closePeriod('2026-02-01');
  const other = await Payables.open(ledger);
  const theirs = (await other.created(draft('theirs')))[0]?.entries?.[0]?.id;
  const unknown = randomUUID();

  expect(await postDrafts(a, gone, unknown, closed, theirs, b)).toEqual([
    { entryId: a, outcome: 'posted', number: '2026-000001', warnings: [] },
    { entryId: gone, outcome: 'refused', code: 'discarded', message: 'The draft was discarded.' },
    { entryId: unknown, outcome: 'absent' },
    {
      entryId: closed,
      outcome: 'refused',
      code: 'period_closed',
      message: 'The fiscal period of 2026-02-15 is closed.',
    },
    { entryId: theirs, outcome: 'absent' },
    { entryId: b, outcome: 'posted', number: '2026-000002', warnings: [] },
  ]);
  expect(await other.balances()).toEqual({});
});

describe('a draft that can no longer be posted', () => {
  it.each<[what: string, change: () => Promise<void>, code: string, message: string]>([
    [
      'vendor blocked',
      () => books.put('/vendors', { data: [{ number: 'V-7', name: 'Papier GmbH', blocked: true }] }),
      'vendor_blocked',
      'Vendor V-7 is blocked or archived.',
    ],
    [
      'account archived',
      () => books.archive('5410'),
      'account_inactive',
      'Account 5410 is not active and takes no postings.',
    ],
    [
      'account of realized differences archived',
      () => books.archive('7960'),
      'account_inactive',
      'Account 7960 is not active and takes no postings.',
    ],
    [
      'period closed',
      () => books.closePeriod('2026-03-01'),
      'period_closed',
      'The fiscal period of 2026-03-20 is closed.',
    ],
  ])('is refused with a reason: %s', async (_, change, code, message) => {
    const [id] = await drafts(
      payment('p', ['A-17'], 100, { state: 'draft', realizedFxAccountCode: '7960', against: '5410' }),
    );
    await change();
    expect(await postDrafts(id)).toEqual([{ entryId: id, outcome: 'refused', code, message }]);
    expect(await books.balances()).toEqual({});
    expect(await books.open()).toEqual({});
  });
});

it('settles what the drafts were meant to settle', async () => {
  const [made] = await books.created(purchase('p', 'R-1', 9_900, { state: 'draft' }));
  const [owed] = await drafts(invoice('i', 'A-17', 500, { state: 'draft' }));
  const [paid] = await drafts(payment('q', ['A-17'], 300, { state: 'draft' }));
  const outcomes = await postDrafts(paid, ...(made?.entries ?? []).map(({ id }) => id), owed);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['posted', 'posted', 'posted', 'posted']);
  expect(outcomes[0]).toMatchObject({
    warnings: [{ code: 'partly-settled', message: '2.00 EUR of invoice A-17 of vendor V-7 are open.' }],
  });
  expect(await books.open()).toEqual({ 'i invoice': ['-200', '-200'] });
});

it('posts one draft once for two concurrent requests', async () => {
  const ids = await drafts(...Array.from({ length: 20 }, (_, index) => draft(index.toString())));
  const [one, two] = await Promise.all([postDrafts(...ids), postDrafts(...ids.toReversed())]);
  const posted = [...one, ...two].filter(({ outcome }) => outcome === 'posted');
  expect(new Set(posted.map(({ number }) => number)).size).toBe(20);
  expect(posted).toHaveLength(20);
  expect(await books.balances()).toEqual({ '1935': '-2000', '6071': '2000' });
});

describe('a request to post drafts', () => {
  const id = randomUUID();

  it.each<[what: string, body: object]>([
    ['the same id twice', { entryIds: [id, id] }],
    ['the same id twice, in another case', { entryIds: [id, id.toUpperCase()] }],
    ['no id', { entryIds: [] }],
    ['something that is no id', { entryIds: ['x'] }],
    ['501 ids', { entryIds: Array.from({ length: 501 }, () => randomUUID()) }],
    ['a member it does not know', { entryIds: [id], color: 'red' }],
    ['nothing', {}],
  ])('with %s is a 400', async (_, body) => {
    expect(await books.call('POST', '/journal-entries:post', body)).toMatchObject({
      status: 400,
      body: { type: 'urn:problem:invalid-request' },
    });
  });

  it('accepts ids in capitals', async () => {
    const [a = ''] = await drafts(draft('a'));
    expect(await postDrafts(a.toUpperCase())).toMatchObject([{ entryId: a, outcome: 'posted' }]);
  });
});
