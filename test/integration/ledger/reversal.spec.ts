import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { line, startLedger, type WireEntry } from './ledger-harness.js';
import { dollars, invoice, journal, type Outcomes, Payables, payment, purchase, type Warned } from './payables.js';
import { startedOnce } from '../../support/started-once.js';

// How entries leave the balances: posted ones by a reversal that mirrors them, drafts by being discarded.

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

const numbers = () =>
  books.rows<[string]>('SELECT number FROM journal_entry WHERE company_id = $1 AND number IS NOT NULL ORDER BY number');

const LUNCH = journal('lunch', [
  line('6071', 10_000, { taxCode: 'I25', dimensions: { CC: '100' } }),
  line('2641', 2_500),
  line('1935', -12_500, { employee: 'E-3' }),
]);

describe('a group that is reversed', () => {
  it('has a reversal entry that mirrors it, line by line, and refers to it', async () => {
    const [made] = await books.created(LUNCH);
    expect(await reverse('lunch')).toEqual([
      {
        key: 'lunch',
        outcome: 'reversed',
        entries: [
          {
            id: expect.any(String),
            role: 'reversal',
            state: 'posted',
            number: '2026-000002',
            url: expect.stringMatching(/\/journal-entries\//),
          },
        ],
      },
    ]);
    expect(
      await books.rows(`
        SELECT line.account_code, line.amount_minor, line.base_minor, line.employee, line.tax_code, line.dimensions,
          reversal.posting_date, reversal.description
        FROM journal_entry reversal JOIN journal_line line ON line.entry_id = reversal.id
        WHERE reversal.company_id = $1 AND reversal.reverses_id = '${made?.entries?.[0]?.id ?? ''}' ORDER BY line_no`),
    ).toEqual([
      ['6071', '-10000', '-10000', null, 'I25', '{"CC": "100"}', '2026-03-02', 'Reversal of 2026-000001: lunch'],
      ['2641', '-2500', '-2500', null, null, '{}', '2026-03-02', 'Reversal of 2026-000001: lunch'],
      ['1935', '12500', '12500', 'E-3', null, '{}', '2026-03-02', 'Reversal of 2026-000001: lunch'],
    ]);
    expect(await books.balances()).toEqual({});
  });

  it('is found as reversed, and a second reversal changes nothing', async () => {
    await books.created(purchase('p', 'R-1', 9_900));
    await reverse('p');
    expect(await lookup('p')).toMatchObject([
      {
        outcome: 'found',
        revision: 1,
        reversed: true,
        entries: [{ state: 'reversed' }, { state: 'reversed' }],
      },
    ]);
    expect(await reverse('p')).toEqual([{ key: 'p', outcome: 'already-reversed', entries: [] }]);
    expect(await numbers()).toEqual([['1'], ['2'], ['3'], ['4']]);
    expect(await books.open()).toEqual({});
    expect(await books.balances()).toEqual({});
  });

  it('keeps the reason', async () => {
    await books.created(LUNCH);
    const body = { keys: ['lunch'], reason: 'Exported twice' };
    expect((await books.call<Outcomes>('POST', '/posting-groups:reverse', body)).body.outcomes).toMatchObject([
      { outcome: 'reversed' },
    ]);
    expect(await books.rows(`SELECT metadata FROM journal_entry WHERE company_id = $1 AND role = 'reversal'`)).toEqual([
      ['{"reason": "Exported twice"}'],
    ]);
  });

  it('has its drafts discarded and its posted entries reversed', async () => {
    const { entries } = purchase('p', 'R-1', 9_900) as { readonly entries: readonly object[] };
    const mixed = entries.map((each, index) => ({ ...each, state: index === 0 ? 'posted' : 'draft' }));
    await books.created({ key: 'p', contentDigest: 'p', entries: mixed });
    expect(await reverse('p')).toMatchObject([{ outcome: 'reversed', entries: [{ number: '2026-000002' }] }]);
    expect(await lookup('p')).toMatchObject([
      { reversed: true, entries: [{ state: 'reversed' }, { state: 'discarded', number: null }] },
    ]);
    expect(await books.open()).toEqual({});
  });

  it('of drafts only leaves no gap in the numbers', async () => {
    await books.created(invoice('d', 'A-17', 100, { state: 'draft' }), LUNCH);
    expect(await reverse('d')).toEqual([{ key: 'd', outcome: 'reversed', entries: [] }]);
    expect(await numbers()).toEqual([['1']]);
    expect(await reverse('d')).toEqual([{ key: 'd', outcome: 'already-reversed', entries: [] }]);
  });

  it('is answered key by key, in order', async () => {
    await books.created(LUNCH, invoice('i', 'A-17', 100));
    await reverse('lunch');
    expect((await reverse('unknown', 'i', 'lunch')).map(({ key, outcome }) => [key, outcome])).toEqual([
      ['unknown', 'absent'],
      ['i', 'reversed'],
      ['lunch', 'already-reversed'],
    ]);
  });

  it.each([
    ['no key', { keys: [] }],
    ['a key twice', { keys: ['a', 'a'] }],
    ['501 keys', { keys: Array.from({ length: 501 }, (_, index) => index.toString()) }],
    ['a member it does not know', { keys: ['a'], color: 'red' }],
  ])('is a bad request with %s', async (_, body) => {
    expect(await books.call('POST', '/posting-groups:reverse', body)).toMatchObject({
      status: 400,
      body: { type: 'urn:problem:invalid-request' },
    });
  });

  it('does not affect the group of another company', async () => {
    const other = await Payables.open(ledger);
    await other.created(LUNCH);
    expect(await reverse('lunch')).toEqual([{ key: 'lunch', outcome: 'absent', entries: [] }]);
    await books.created(LUNCH);
    await reverse('lunch');
    expect(await other.balances()).toEqual({ '1935': '-12500', '2641': '2500', '6071': '10000' });
  });

  it('is reversed in all its revisions where keys have limited guarantees', async () => {
    books = await Payables.open(ledger, { idempotency: 'none' });
    await books.created(LUNCH);
    await books.created(LUNCH);
    expect((await reverse('lunch'))[0]?.entries).toHaveLength(2);
    expect(await books.balances()).toEqual({});
    expect(await reverse('lunch')).toMatchObject([{ outcome: 'already-reversed' }]);
  });
});

describe('an entry that is reversed', () => {
  it('has its reversal in the response, once', async () => {
    const [made] = await books.created(LUNCH);
    const id = made?.entries?.[0]?.id;
    expect(await reverseEntry(id)).toMatchObject({
      status: 200,
      body: { reversal: { role: 'reversal', number: '2026-000002' } },
    });
    expect(await reverseEntry(id)).toMatchObject({
      status: 409,
      body: { type: 'urn:problem:already-reversed', detail: 'Entry 2026-000001 is already reversed.' },
    });
    expect(await books.balances()).toEqual({});
  });

  it('needs no body in the request', async () => {
    const [made] = await books.created(LUNCH);
    const url = `/journal-entries/${made?.entries?.[0]?.id ?? ''}/reversal`;
    expect(await books.call('POST', url)).toMatchObject({ status: 200, body: { reversal: {} } });
  });

  it('that is a draft is discarded without a reversal', async () => {
    const [made] = await books.created(invoice('d', 'A-17', 100, { state: 'draft' }));
    expect(await reverseEntry(made?.entries?.[0]?.id)).toEqual({ status: 200, body: { reversal: null } });
    expect(await reverseEntry(made?.entries?.[0]?.id)).toMatchObject({ status: 409 });
  });

  it('does not affect the rest of its group', async () => {
    const [made] = await books.created(purchase('p', 'R-1', 9_900));
    await reverseEntry(made?.entries?.[1]?.id);
    expect(await lookup('p')).toMatchObject([
      { reversed: false, entries: [{ state: 'posted' }, { state: 'reversed' }] },
    ]);
    expect(await books.open()).toEqual({ 'p invoice': ['-9900', '-9900'] });
    expect(await reverse('p')).toMatchObject([{ outcome: 'reversed', entries: [{ role: 'reversal' }] }]);
    expect(await books.balances()).toEqual({});
  });

  it('is reversed on the requested day, which is not before its own', async () => {
    const [made] = await books.created(LUNCH);
    const id = made?.entries?.[0]?.id;
    expect(await reverseEntry(id, { postingDate: '2026-03-01' })).toMatchObject({
      status: 422,
      body: {
        type: 'urn:problem:reversal-too-early',
        detail: 'Entry 2026-000001 is of 2026-03-02: a reversal cannot be earlier than its entry.',
      },
    });
    expect((await reverseEntry(id, { postingDate: '2026-05-07' })).status).toBe(200);
    expect((await books.linesOf('reversal')).map(([, day]) => day)).toEqual(Array(3).fill('2026-05-07'));
  });

  it('cannot be a reversal or an exchange difference', async () => {
    await books.created(invoice('i', 'U-1', 100, dollars(90)), payment('p', ['U-1'], 100, dollars(93)), LUNCH);
    const [reversed] = await reverse('lunch');
    expect(await reverseEntry(reversed?.entries?.[0]?.id)).toMatchObject({
      status: 422,
      body: { type: 'urn:problem:not-reversible' },
    });
    const [[fx] = ['']] = await books.rows<[string]>(
      `SELECT id FROM journal_entry WHERE company_id = $1 AND role = 'realized-fx'`,
    );
    expect(await reverseEntry(fx)).toMatchObject({
      status: 422,
      body: { type: 'urn:problem:not-reversible' },
    });
  });

  it.each([
    ['unknown', () => Promise.resolve(randomUUID()), 404],
    ['no id', () => Promise.resolve('x'), 400],
    ['another company’s', async () => (await (await Payables.open(ledger)).created(LUNCH))[0]?.entries?.[0]?.id, 404],
  ])('is not found when it is %s', async (_, idOf, status) => {
    const answer = await reverseEntry(await idOf());
    expect(answer.status).toBe(status);
    expect(answer.body.type).toMatch(/^urn:problem:/);
  });
});

describe('a closed period', () => {
  it('moves the reversal, and the settlements it undoes, to the next open day', async () => {
    await books.created(invoice('i', 'U-1', 100, dollars(90)), payment('p', ['U-1'], 100, dollars(93)), LUNCH);
    await books.closePeriod('2026-03-01');
    expect(await reverse('p', 'lunch')).toMatchObject([{ outcome: 'reversed' }, { outcome: 'reversed' }]);
    const days = (await books.linesOf('reversal')).map(([, day]) => day);
    expect(new Set(days)).toEqual(new Set(['2026-04-01']));
    expect((await books.settlements()).slice(1).map(([, , , , , day]) => day)).toEqual(['2026-04-01', '2026-04-01']);
    expect(await books.balances()).toEqual({ '2440': '-90', '5410': '90' });
  });

  it('moves it into the next fiscal year when that is the first open one', async () => {
    await books.created(LUNCH);
    for (const from of ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01']) await books.closePeriod(from);
    expect(await reverse('lunch')).toMatchObject([{ entries: [{ number: '2027-000001' }] }]);
  });

  it('without an open one after it causes a refusal without changes', async () => {
    const [made] = await books.created(LUNCH, invoice('d', 'A-1', 1, { state: 'draft' }));
    for (const from of ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2027-01-01']) {
      await books.closePeriod(from);
    }
    const message = 'No fiscal period is open on or after 2026-03-02: open one, then reverse.';
    expect(await reverse('lunch')).toEqual([
      { key: 'lunch', outcome: 'refused', code: 'period_closed', message, entries: [] },
    ]);
    expect(await reverseEntry(made?.entries?.[0]?.id)).toMatchObject({
      status: 422,
      body: { type: 'urn:problem:period-closed', detail: message },
    });
    expect(await numbers()).toEqual([['1']]);
    // A draft takes nothing from the books, so it may go at any time.
    expect(await reverse('d')).toMatchObject([{ outcome: 'reversed' }]);
  });
});

it('an archived account causes a refusal with a reason', async () => {
  await books.created(LUNCH);
  await books.archive('6071');
  const message = 'Account 6071 is archived and takes no postings: activate it, then reverse.';
  expect(await reverse('lunch')).toEqual([
    { key: 'lunch', outcome: 'refused', code: 'account_inactive', message, entries: [] },
  ]);
  expect(await numbers()).toEqual([['1']]);
});

it('a blocked vendor does not prevent the reversal of its entries', async () => {
  await books.created(invoice('i', 'A-17', 100));
  await books.put('/vendors', { data: [{ number: 'V-7', name: 'Papier GmbH', blocked: true }] });
  expect(await reverse('i')).toMatchObject([{ outcome: 'reversed' }]);
});
