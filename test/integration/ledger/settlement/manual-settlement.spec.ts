import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startLedger } from '../ledger-harness.js';
import { invoice, Payables, payment, type EntryOptions } from '../payables.js';
import { startedOnce } from '../../../support/started-once.js';

// What a bookkeeper matches where no number showed the books what belongs together.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

interface Ref {
  readonly entryId: string;
  readonly lineNo: number;
}

async function posted(group: object): Promise<Ref> {
  const [outcome] = await books.created(group);
  return { entryId: outcome?.entries?.[0]?.id ?? '', lineNo: 1 };
}

const invoiced = (minor = 62_500, options: EntryOptions = {}) => posted(invoice('i', 'A-17', minor, options));
const paid = (minor = 62_500, options: EntryOptions = {}) => posted(payment('p', ['other'], minor, options));
const settle = (body: object) =>
  books.call<{ readonly id?: string; readonly type?: string }>('POST', '/settlements', body);
const undo = (id: string) => books.call('POST', `/settlements/${id}/undo`);

describe('two items', () => {
  it('settle each other, once, and are reopened when that is undone', async () => {
    const pair = { credit: await invoiced(), debit: await paid() };
    const made = await settle(pair);
    expect(made.status).toBe(201);
    expect(await books.open()).toEqual({});
    expect((await settle(pair)).status).toBe(422);

    expect((await undo(made.body.id ?? '')).status).toBe(204);
    expect(await books.open()).toEqual({
      'i invoice': ['-62500', '-62500'],
      'p payment': ['62500', '62500'],
    });
    expect((await undo(made.body.id ?? '')).status).toBe(409);
  });

  it('settle in part, and the rest later', async () => {
    const pair = { credit: await invoiced(), debit: await paid(50_000) };
    expect((await settle({ ...pair, amountMinor: '20000' })).status).toBe(201);
    expect(await books.open()).toEqual({
      'i invoice': ['-42500', '-42500'],
      'p payment': ['30000', '30000'],
    });
    expect((await settle({ ...pair, amountMinor: '30001' })).status).toBe(422);
    expect((await settle(pair)).status).toBe(201);
    expect(await books.open()).toEqual({ 'i invoice': ['-12500', '-12500'] });
  });

  it('realize the difference of their base amounts on the named account', async () => {
    const dollars = { vendorNumber: 'V-8', currency: 'USD' };
    const credit = await invoiced(100_000, { ...dollars, base: 90_000 });
    const debit = await paid(100_000, { ...dollars, base: 93_000 });
    const without = await settle({ debit, credit });
    expect([without.status, without.body.type]).toEqual([422, 'urn:problem:fx-account-missing']);
    expect((await settle({ debit, credit, realizedFxAccountCode: '9999' })).status).toBe(422);
    await books.archive('2440');
    const archived = await settle({ debit, credit, realizedFxAccountCode: '7960' });
    expect([archived.status, archived.body.type]).toEqual([422, 'urn:problem:account-inactive']);
    await books.archive('2440', true);

    const made = await settle({ debit, credit, realizedFxAccountCode: '7960' });
    expect(made.status).toBe(201);
    expect(await books.balances()).toMatchObject({ '7960': '3000' });
    expect(await books.balances()).not.toHaveProperty('2440');
    await undo(made.body.id ?? '');
    expect(await books.balances()).not.toHaveProperty('7960');
  });

  it.each([
    ['of two vendors', { vendorNumber: 'V-9' }],
    ['of two currencies', { currency: 'USD' }],
  ])('do not settle: %s', async (_, options) => {
    const pair = { credit: await invoiced(), debit: await paid(62_500, options) };
    const refused = await settle(pair);
    expect([refused.status, refused.body.type]).toEqual([422, 'urn:problem:items-do-not-fit']);
  });

  it('do not settle on the wrong sides', async () => {
    expect((await settle({ debit: await invoiced(), credit: await paid() })).status).toBe(422);
  });

  it('do not settle without an open period, and settle on the next open day after a closed one', async () => {
    const pair = { credit: await invoiced(), debit: await paid() };
    for (const year of ['2026', '2027']) await books.put(`/fiscal-years/${year}/state`, { state: 'closed' });
    const refused = await settle(pair);
    expect([refused.status, refused.body.type]).toEqual([422, 'urn:problem:period-closed']);
    await books.closePeriod('2026-05-01', 'open');
    expect((await settle(pair)).status).toBe(201);
    expect((await books.settlements()).map((settlement) => settlement[5])).toEqual(['2026-05-01']);
  });
});

describe('bad requests', () => {
  it.each([
    ['no body', {}, 400],
    ['an amount with a sign', { amountMinor: '-5' }, 400],
    ['an amount of 0', { amountMinor: '0' }, 422],
    ['a line that is not the vendor’s', { debit: 'other line' }, 404],
    ['an entry that is not there', { debit: { entryId: randomUUID(), lineNo: 1 } }, 404],
  ])('%s', async (name, change, status) => {
    const pair = { credit: await invoiced(), debit: await paid() };
    const other = { ...pair.debit, lineNo: 2 };
    const body = name === 'no body' ? {} : { ...pair, ...change };
    const answer = await settle(name.includes('not the vendor') ? { ...pair, debit: other } : body);
    expect(answer.status).toBe(status);
    expect(await books.open()).toHaveProperty(['i invoice']);
  });

  it.each(['debit', 'credit'])('a list in place of the %s item is refused', async (side) => {
    const pair = { debit: await paid(), credit: await invoiced(), [side]: [] };
    expect(await settle(pair)).toMatchObject({ status: 400, body: { type: 'urn:problem:invalid-request' } });
  });

  it('items and settlements of another company are not found', async () => {
    const pair = { credit: await invoiced(), debit: await paid() };
    const { body } = await settle(pair);
    const theirs = await Payables.open(ledger);
    expect((await theirs.call('POST', '/settlements', pair)).status).toBe(404);
    expect((await theirs.call('POST', `/settlements/${body.id ?? ''}/undo`)).status).toBe(404);
    expect((await undo(randomUUID())).status).toBe(404);
    expect((await undo('x')).status).toBe(400);
  });
});
