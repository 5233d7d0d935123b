import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createCompany,
  entry,
  group,
  line,
  startLedger,
  type LedgerResponse,
  type GroupInput,
  type WireEntry,
  type WirePage,
} from './ledger-harness.js';
import { entriesOf, outcomesOf, postGroups, storedEntries, type Outcomes } from './posting-requests.js';
import { startedOnce } from '../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeEach(async () => {
  company = await createCompany(ledger);
});

const post = (...groups: readonly object[]) => postGroups(ledger, company, groups);

const firstOf = async (answer: LedgerResponse<Outcomes>): Promise<WireEntry> =>
  (await ledger.call<WireEntry>('GET', entriesOf(answer)[0]?.url ?? '')).body;

describe('posting a group', () => {
  it('creates the entry with its lines, its number and its URL', async () => {
    const answer = await post(group('a'));

    expect(answer.status).toBe(200);
    expect(answer.body.outcomes).toMatchObject([
      {
        key: 'a',
        outcome: 'created',
        revision: 1,
        entries: [{ role: 'entry', state: 'posted', number: '2026-000001' }],
        warnings: [],
      },
    ]);
    expect(await firstOf(answer)).toMatchObject({
      key: 'a',
      contentDigest: 'digest of a',
      postingDate: '2026-03-02',
      description: 'Café Olé',
      lines: [
        { lineNo: 1, accountCode: '6071', amountMinor: '10000', baseMinor: '10000' },
        { lineNo: 2, accountCode: '2641', amountMinor: '2500', baseMinor: '2500' },
        { lineNo: 3, accountCode: '1935', amountMinor: '-12500', baseMinor: '-12500' },
      ],
    });
  });

  it('creates invoice and payment together with all their fields', async () => {
    const settlement = {
      kind: 'within',
      vendorNumber: 'V-7',
      numbers: [],
      currency: 'EUR',
      amountMinor: '9900',
    };
    const invoice = entry(
      [
        line('5410', 9_900, { taxCode: 'I25', dimensions: { CC: '100' } }),
        line('2440', -9_900, { vendorNumber: 'V-7' }),
      ],
      { role: 'invoice', documentNumber: 'A-17', documentDate: '2026-02-27', dueDate: '2026-03-30' },
    );
    const payment = entry([line('2440', 9_900, { vendorNumber: 'V-7' }), line('1935', -9_900, { employee: 'E-3' })], {
      role: 'payment',
      reference: 'rec-1',
      metadata: { fence: '7' },
      settlement,
    });

    const answer = await post(group('ap', { entries: [invoice, payment] }));

    expect(entriesOf(answer).map((each) => each.number)).toEqual(['2026-000001', '2026-000002']);
    expect(await storedEntries(ledger, company)).toMatchObject([
      {
        role: 'invoice',
        documentNumber: 'A-17',
        documentDate: '2026-02-27',
        dueDate: '2026-03-30',
        settlement: null,
        lines: [{ taxCode: 'I25', dimensions: { CC: '100' } }, { vendorNumber: 'V-7' }],
      },
      {
        role: 'payment',
        reference: 'rec-1',
        metadata: { fence: '7' },
        settlement,
        lines: [{}, { employee: 'E-3' }],
      },
    ]);
  });

  it('trims the number of a document', async () => {
    const lines = [line('6071', 1), line('1935', -1)];
    const stored = await firstOf(await post(group('n', { entries: [entry(lines, { documentNumber: ' A-17\t' })] })));
    expect(stored).toMatchObject({ documentNumber: 'A-17' });
  });

  it('keeps amounts beyond the precision of floats', async () => {
    const entries = [
      entry([
        { accountCode: '6071', amountMinor: '900719925474099301', baseMinor: '900719925474099301' },
        { accountCode: '1935', amountMinor: '-900719925474099301', baseMinor: '-900719925474099301' },
      ]),
    ];
    const stored = await firstOf(await post(group('large', { entries })));
    expect(stored.lines?.[0]?.amountMinor).toBe('900719925474099301');
  });

  it('gives drafts no number and numbers each fiscal year separately', async () => {
    const draft = group('d', { entries: [entry([line('6071', 1), line('1935', -1)], { state: 'draft' })] });
    const nextYear = group('n', {
      entries: [entry([line('6071', 1), line('1935', -1)], { postingDate: '2027-01-01' })],
    });

    await post(draft, group('a'), nextYear, group('b'));

    expect((await storedEntries(ledger, company)).map(({ key, number }) => [key, number])).toEqual([
      ['d', null],
      ['a', '2026-000001'],
      ['n', '2027-000001'],
      ['b', '2026-000002'],
    ]);
  });
});

describe('a batch', () => {
  it('responds group by group, in order, and posts only the valid ones', async () => {
    await post(group('known'), group('taken'));

    const answer = await post(
      group('new'),
      group('unbalanced', { entries: [entry([line('6071', 10), line('1935', -9)])] }),
      group('known'),
      group('taken', { contentDigest: 'other' }),
      { key: 'misshapen', contentDigest: 'x', entries: 'none' },
      group('last'),
    );

    expect(outcomesOf(answer)).toEqual(['created', 'refused', 'existed', 'conflict', 'refused', 'created']);
    expect(answer.body.outcomes[1]).toEqual({
      key: 'unbalanced',
      outcome: 'refused',
      code: 'unbalanced',
      message: 'Debit and credit differ by 1 minor units of EUR.',
      field: '/entries/0/lines',
    });
    expect(answer.body.outcomes[4]).toMatchObject({ code: 'malformed', field: '/entries' });
    expect((await storedEntries(ledger, company)).map(({ key, number }) => [key, number])).toEqual([
      ['known', '2026-000001'],
      ['taken', '2026-000002'],
      ['new', '2026-000003'],
      ['last', '2026-000004'],
    ]);
  });

  it('writes no group with an invalid entry', async () => {
    const entries = [
      entry([line('5410', 9), line('2440', -9)], { role: 'invoice' }),
      entry([line('2440', 9), line('4711', -9)], { role: 'payment' }),
    ];
    const { body } = await post(group('half', { entries }));
    expect(body.outcomes[0]).toMatchObject({
      outcome: 'refused',
      code: 'account_unknown',
      field: '/entries/1/lines/1/accountCode',
    });
    expect(await storedEntries(ledger, company)).toEqual([]);
  });

  it('isolates a group that only the database refuses', async () => {
    const hostile = entry([line('6071', 1), line('1935', -1)], { description: 'a\u0000b' });
    const answer = await post(group('a'), group('b', { entries: [hostile] }), group('c'), group('d'));

    expect(outcomesOf(answer)).toEqual(['created', 'refused', 'created', 'created']);
    expect(answer.body.outcomes[1]?.code).toBe('rule_broken');
    expect((await storedEntries(ledger, company)).map(({ key, number }) => [key, number])).toEqual([
      ['a', '2026-000001'],
      ['c', '2026-000002'],
      ['d', '2026-000003'],
    ]);
  });

  it('is refused as a whole when it repeats a key, is empty or is too long', async () => {
    const tooMany = Array.from({ length: 501 }, (_, index) => group(`k${index.toString()}`));
    for (const groups of [[group('a'), group('a')], [], tooMany]) {
      expect((await post(...groups)).status).toBe(400);
    }
    expect(await storedEntries(ledger, company)).toEqual([]);
  });
});

const usd = (lines: readonly object[], more: object = {}): object => entry([], { currency: 'USD', lines, ...more });

const REFUSED: readonly (readonly [code: string, field: string, entry: object])[] = [
  ['period_closed', '/postingDate', entry([line('6071', 1), line('1935', -1)], { postingDate: '2026-01-31' })],
  ['period_missing', '/postingDate', entry([line('6071', 1), line('1935', -1)], { postingDate: '2025-12-31' })],
  ['account_inactive', '/lines/0/accountCode', entry([line('9999', 1), line('1935', -1)])],
  ['zero_line', '/lines/2/amountMinor', entry([line('6071', 1), line('1935', -1), line('5410', 0)])],
  ['vendor_unknown', '/lines/1/vendorNumber', entry([line('6071', 1), line('2440', -1, { vendorNumber: 'V-0' })])],
  ['vendor_blocked', '/lines/1/vendorNumber', entry([line('6071', 1), line('2440', -1, { vendorNumber: 'V-8' })])],
  ['tax_code_unknown', '/lines/0/taxCode', entry([line('6071', 1, { taxCode: 'X' }), line('1935', -1)])],
  ['dimension_unknown', '/lines/0/dimensions', entry([line('6071', 1, { dimensions: { CC: '1' } }), line('1935', -1)])],
  [
    'dimension_inactive',
    '/lines/0/dimensions',
    entry([line('6071', 1, { dimensions: { CC: '900' } }), line('1935', -1)]),
  ],
  ['malformed', '/lines', entry([line('6071', 1)])],
  ['malformed', '/documentNumber', entry([line('6071', 1), line('1935', -1)], { documentNumber: ' ' })],
  ['malformed', '/currency', entry([line('6071', 1), line('1935', -1)], { currency: 'XXX' })],
  [
    'unbalanced_base',
    '/lines',
    usd([
      { accountCode: '6071', amountMinor: '3003', baseMinor: '2739' },
      { accountCode: '1936', amountMinor: '-3003', baseMinor: '-2740' },
    ]),
  ],
  [
    'base_differs',
    '/lines/0/baseMinor',
    entry([
      { accountCode: '6071', amountMinor: '10', baseMinor: '9' },
      { accountCode: '1935', amountMinor: '-10', baseMinor: '-9' },
    ]),
  ],
];

describe('refusals', () => {
  it.each(REFUSED)('%s at %s', async (code, field, wrong) => {
    const { body } = await post(group('a', { entries: [wrong] }));
    expect(body.outcomes).toMatchObject([{ outcome: 'refused', code, field: `/entries/0${field}` }]);
    expect(await storedEntries(ledger, company)).toEqual([]);
  });

  it('accepts a line that is zero in the entry’s currency and not in base', async () => {
    const residue = usd([
      { accountCode: '6071', amountMinor: '3003', baseMinor: '2739' },
      { accountCode: '1936', amountMinor: '-3003', baseMinor: '-2740' },
      { accountCode: '3960', amountMinor: '0', baseMinor: '1' },
    ]);
    expect(outcomesOf(await post(group('a', { entries: [residue] })))).toEqual(['created']);
  });
});

describe('an entry in parts', () => {
  const part = (number: number, minor: number) => entry([line('6071', minor), line('1935', -minor)], { part: number });

  it('is one group, in the order of its parts', async () => {
    expect(outcomesOf(await post(group('long', { entries: [part(1, 300), part(2, 200)] })))).toEqual(['created']);
    const { body } = await ledger.call<WirePage<WireEntry & { readonly part: number }>>(
      'GET',
      `/companies/${company}/journal-entries?keyPrefix=long`,
    );
    expect(body.data.map((each) => [each.role, each.part, each.lines?.[0]?.amountMinor])).toEqual([
      ['entry', 1, '300'],
      ['entry', 2, '200'],
    ]);
  });

  it('is refused with the same part twice', async () => {
    const { body } = await post(group('twice', { entries: [part(1, 300), part(1, 200)] }));
    expect(body.outcomes).toMatchObject([{ outcome: 'refused', code: 'malformed', field: '/entries' }]);
  });
});

describe('concurrent posting', () => {
  const batch = (prefix: string): readonly GroupInput[] =>
    Array.from({ length: 40 }, (_, index) => group(`${prefix}${index.toString()}`));

  it('creates each group of two identical batches once', async () => {
    const [one, two] = await Promise.all([post(...batch('a')), post(...batch('a').toReversed())]);

    const created = [...outcomesOf(one), ...outcomesOf(two)].filter((outcome) => outcome === 'created');
    const existed = [...outcomesOf(one), ...outcomesOf(two)].filter((outcome) => outcome === 'existed');
    expect([created.length, existed.length]).toEqual([40, 40]);
    expect(await storedEntries(ledger, company)).toHaveLength(40);
  });

  it('numbers without gaps, also around refusals and rolled-back batches', async () => {
    const hostile = group('z', {
      entries: [entry([line('6071', 1), line('1935', -1)], { description: '\u0000' })],
    });
    const wrong = group('w', { entries: [entry([line('4711', 1), line('1935', -1)])] });
    await Promise.all(['a', 'b', 'c', 'd'].map((prefix) => post(...batch(prefix), hostile, wrong)));

    const numbers = (await storedEntries(ledger, company)).map((each) => each.number).sort();
    expect(numbers).toEqual(
      Array.from({ length: 160 }, (_, index) => `2026-${(index + 1).toString().padStart(6, '0')}`),
    );
  });
});
