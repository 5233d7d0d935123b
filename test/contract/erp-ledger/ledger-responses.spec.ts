import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ErpNotSearchable, ErpUnavailable, type PostingGuarantee } from '../../../src/connector/erp/erp-ledger.js';
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { OpenAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { ImpatientClock } from '../platform/impatient-clock.js';
import { patientCaller, openLedgerAdapter } from '../../support/one-erp.js';
import { toErpCompanyId } from '../../../src/kernel/ids.js';
import { respondingWith, MisbehavingServer } from '../../support/servers/misbehaving-server.js';
import { postingGroup } from '../../../src/erp-contract/posting-group.builder.js';

// How the ledger's well-formed answers, and nearly well-formed ones, are read.

const KEY = 'some-key-of-the-ledger';
const COMPANY = toErpCompanyId('c');
const GROUP = postingGroup('a');
const CONTENT = {
  role: 'entry',
  postingDate: '2026-03-02',
  currency: 'EUR',
  documentNumber: null,
  lines: [{ accountCode: '5410', amountMinor: '-9007199254740993', baseMinor: '1', vendorNumber: null }],
};

let server: MisbehavingServer;
const adapters: OpenAdapter[] = [];
let erps: Readonly<Record<PostingGuarantee['level'], ConnectedErp>>;

beforeAll(async () => {
  server = await MisbehavingServer.start();
  const erpAt = (guarantee: PostingGuarantee) => {
    const adapter = openLedgerAdapter(server.url, KEY, guarantee, new ImpatientClock());
    adapters.push(adapter);
    return adapter.forCompany({ ...patientCaller(), company: COMPANY });
  };
  erps = {
    'permanent-key': erpAt({ level: 'permanent-key' }),
    'expiring-key': erpAt({ level: 'expiring-key', keyLifeMs: 1_000 }),
    'searchable-reference': erpAt({ level: 'searchable-reference', searchLagMs: 1_000 }),
    none: erpAt({ level: 'none' }),
  };
});
beforeEach(() => {
  server.plan();
});
afterAll(async () => {
  adapters.forEach((adapter) => {
    adapter.close();
  });
  await server.close();
});

const entry = (role: string, state: string) => ({ id: role, role, state, number: null, url: '/entry' });
const created = (more: object = {}) => ({
  key: 'a',
  outcome: 'created',
  revision: 1,
  entries: [entry('entry', 'posted')],
  warnings: [],
  ...more,
});
const found = (more: object = {}) => ({
  ...created(),
  outcome: 'found',
  contentDigest: GROUP.contentDigest,
  reversed: false,
  ...more,
});
const outcomes = (...all: readonly object[]) => respondingWith(200, { outcomes: all });
const data = (...all: readonly object[]) => respondingWith(200, { data: all });

describe('a post', () => {
  it('names the revision', async () => {
    server.plan(outcomes(created({ revision: 3 })));
    await erps['permanent-key'].post([postingGroup('a', { revision: 3 })]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ groups: [{ key: 'a', revision: 3 }] });
  });

  it.each([
    ['of each entry', [{ code: 'left-open', message: 'It is open.' }], ['It is open.']],
    ['too long for any reader', [{ code: 'x', message: 'y'.repeat(2_000) }], ['y'.repeat(500)]],
    ['absent', undefined, []],
    ['in an unknown form', [{ text: 'hm' }], []],
  ])('is posted regardless of its warnings: %s', async (_, warnings, expected) => {
    server.plan(outcomes(created({ warnings })));
    expect(await erps['permanent-key'].post([GROUP])).toMatchObject([
      { outcome: 'created', posted: { warnings: expected } },
    ]);
  });

  it.each([
    [['posted', 'posted'], false],
    [['reversed', 'posted'], false],
    [['discarded', 'draft'], false],
    [['reversed', 'discarded'], true],
  ])('whose entries are %j is reversed: %j', async ([first = '', second = ''], reversed) => {
    const entries = [entry('invoice', first), entry('payment', second)];
    server.plan(outcomes(created({ outcome: 'existed', revision: 2, entries })));
    expect(await erps['permanent-key'].post([GROUP])).toMatchObject([
      { outcome: 'existed', posted: { revision: 2, reversed } },
    ]);
  });
});

describe('a conflict', () => {
  const conflict = (existing: unknown) => ({
    ...created({ outcome: 'conflict', revision: 2 }),
    contentDigest: GROUP.contentDigest,
    existingContentDigest: 'other',
    existing,
    requested: [],
  });

  it('shows what is in the books', async () => {
    server.plan(outcomes(conflict([CONTENT])));
    const lines = [{ accountCode: '5410', amountMinor: -9_007_199_254_740_993n }];
    expect(await erps['permanent-key'].post([GROUP])).toMatchObject([
      {
        outcome: 'conflict',
        existing: { key: 'a', revision: 2, contentDigest: 'other', reversed: false, warnings: [] },
        existingContent: [{ role: 'entry', postingDate: '2026-03-02', currency: 'EUR', lines }],
      },
    ]);
  });

  it.each([
    ['absent', undefined],
    ['no list', 'hm'],
    ['of an unknown role', [{ ...CONTENT, role: 'mystery' }]],
    ['on a day that is none', [{ ...CONTENT, postingDate: '2026-02-30' }]],
    ['in no currency', [{ ...CONTENT, currency: 'XXX' }]],
    ['of a fraction', [{ ...CONTENT, lines: [{ accountCode: '1', amountMinor: '1.5' }] }]],
  ])('is reported even if the content is %s', async (_, existing) => {
    server.plan(outcomes(conflict(existing)));
    expect(await erps['permanent-key'].post([GROUP])).toMatchObject([{ outcome: 'conflict', existingContent: [] }]);
  });
});

describe('a look-up', () => {
  it('returns what is posted under a key', async () => {
    server.plan(data(found({ revision: 2, reversed: true, warnings: [{ message: 'Look.' }] })));
    expect((await erps['permanent-key'].findPosted(['a'])).get('a')).toEqual({
      key: 'a',
      revision: 2,
      contentDigest: 'digest of a',
      reversed: true,
      entries: [{ id: 'entry', role: 'entry', number: undefined, url: `${server.url}/entry` }],
      warnings: ['Look.'],
    });
  });

  it('never treats a missing reversal field as "not reversed"', async () => {
    server.plan(data(found({ reversed: undefined })));
    await expect(erps['permanent-key'].findPosted(['a'])).rejects.toBeInstanceOf(ErpUnavailable);
  });

  it('is not attempted at `none`', async () => {
    await expect(erps.none.findPosted(['a'])).rejects.toBeInstanceOf(ErpNotSearchable);
    expect(server.requests).toEqual([]);
  });
});

describe('a short-lived key that exists (`expiring-key`)', () => {
  const existed = outcomes(created({ outcome: 'existed' }));

  it.each([
    ['the same content', data(found()), 'existed', 1],
    ['other content', data(found({ contentDigest: 'other' })), 'conflict', 1],
    ['nothing', data({ key: 'a', outcome: 'absent' }), 'unknown', 1],
    ['no answer', respondingWith(500, {}), 'unknown', 4],
  ])('is compared with what a look-up finds: %s', async (_, lookUp, outcome, requests) => {
    server.plan(existed, lookUp, lookUp, lookUp, lookUp);
    expect(await erps['expiring-key'].post([GROUP])).toMatchObject([{ outcome }]);
    expect(server.requests).toHaveLength(1 + requests);
  });

  it('is looked up only in that case', async () => {
    server.plan(outcomes(created({ key: 'b' }), created({ outcome: 'existed' })), data(found()));
    expect(await erps['expiring-key'].post([postingGroup('b'), GROUP])).toMatchObject([
      { outcome: 'created', posted: { key: 'b' } },
      { outcome: 'existed', posted: { key: 'a' } },
    ]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ keys: ['a'] });
  });

  it('needs no comparison where the ledger compares (`permanent-key`)', async () => {
    server.plan(existed);
    expect(await erps['permanent-key'].post([GROUP])).toMatchObject([{ outcome: 'existed' }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a refusal of a post', () => {
  const TOO_BIG = 'Too big: expected string to have <=255 characters';

  it.each([
    [
      'malformed',
      '/entries/0/reference',
      `The reconciliation id does not fit into the accounting system (${TOO_BIG}): correct the entry on the platform.`,
    ],
    [
      'malformed',
      '/entries/1/documentNumber',
      `The invoice number does not fit into the accounting system (${TOO_BIG}): correct the entry on the platform.`,
    ],
    [
      'malformed',
      '/entries/0/settlement/numbers/0',
      `The invoice number does not fit into the accounting system (${TOO_BIG}): correct the entry on the platform.`,
    ],
    [
      'malformed',
      '/entries/0/lines/0/employee',
      `The code of the employee does not fit into the accounting system (${TOO_BIG}): correct the entry on the platform.`,
    ],
    [
      'malformed',
      '/entries/0/lines/3/baseMinor',
      `An amount does not fit into the accounting system (${TOO_BIG}): correct the entry on the platform.`,
    ],
    [
      'malformed',
      '/entries/0/lines',
      `The list of lines does not fit into the accounting system (${TOO_BIG}): correct the entry on the platform.`,
    ],
    ['malformed', '/contentDigest', TOO_BIG],
    ['period_closed', '/entries/0/reference', TOO_BIG],
  ])('%s at %s says "%s"', async (code, field, message) => {
    server.plan(outcomes({ key: 'a', outcome: 'refused', code, message: TOO_BIG, field, entries: [] }));
    expect(await erps['permanent-key'].post([GROUP])).toEqual([{ outcome: 'refused', message }]);
  });
});

describe('a reversal', () => {
  const about = (outcome: string) => outcomes({ key: 'a', outcome, entries: [] });

  it.each([
    ['done', about('reversed'), { outcome: 'reversed' }],
    ['done before', about('already-reversed'), { outcome: 'reversed' }],
    ['of nothing', about('absent'), { outcome: 'absent' }],
    [
      'refused for one key',
      outcomes({ key: 'a', outcome: 'refused', code: 'x', message: 'No open period.', entries: [] }),
      { outcome: 'refused', message: 'No open period.' },
    ],
    [
      'refused as a whole',
      respondingWith(404, { detail: 'No company.' }),
      { outcome: 'refused', message: 'No company.' },
    ],
    ['not answered for', outcomes(), { outcome: 'unavailable', failure: { kind: 'server-error' } }],
    ['in an unknown form', about('maybe'), { outcome: 'unavailable', failure: { kind: 'server-error' } }],
    ['that broke', respondingWith(500, {}), { outcome: 'unavailable', failure: { kind: 'server-error' } }],
    [
      'asked for too often',
      respondingWith(429, {}, { 'retry-after': '7' }),
      { outcome: 'unavailable', failure: { kind: 'rate-limit', retryAfterMs: 7_000 } },
    ],
  ])('%s', async (_, behavior, expected) => {
    server.always(behavior);
    expect(await erps['permanent-key'].reverse(['a'])).toMatchObject([expected]);
    const [request] = server.requests;
    expect(request?.path).toBe('/companies/c/posting-groups:reverse');
    expect(JSON.parse(request?.body ?? '')).toEqual({ keys: ['a'] });
  });

  it.each([
    ['a refusal', respondingWith(404, { detail: 'No such page.' })],
    ['a refusal of the credentials', respondingWith(401, {})],
  ])('whose first attempt may have had its effect is not refused by %s of the second', async (_, second) => {
    server.plan(respondingWith(504, {}), second);
    expect(await erps['permanent-key'].reverse(['a'])).toMatchObject([{ outcome: 'unavailable' }]);
    expect(server.requests).toHaveLength(2);
  });

  it('of no keys makes no request', async () => {
    expect(await erps['permanent-key'].reverse([])).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('is refused at `none` without a request', async () => {
    expect(await erps.none.reverse(['a'])).toMatchObject([{ outcome: 'refused' }]);
    expect(server.requests).toEqual([]);
  });
});

describe('a settlement', () => {
  const about = (outcome: string) => outcomes({ key: 'a', outcome });

  it.each([
    ['done', about('settled'), { outcome: 'settled' }],
    ['without its other side', about('nothing-to-settle'), { outcome: 'nothing-to-settle' }],
    [
      'refused for one key',
      outcomes({ key: 'a', outcome: 'refused', code: 'x', message: 'No open period.' }),
      { outcome: 'refused', message: 'No open period.' },
    ],
    [
      'refused as a whole',
      respondingWith(404, { detail: 'No company.' }),
      { outcome: 'refused', message: 'No company.' },
    ],
    ['not answered for', outcomes(), { outcome: 'unavailable', failure: { kind: 'server-error' } }],
    ['in an unknown form', about('maybe'), { outcome: 'unavailable', failure: { kind: 'server-error' } }],
    ['that broke', respondingWith(500, {}), { outcome: 'unavailable', failure: { kind: 'server-error' } }],
  ])('%s', async (_, behavior, expected) => {
    server.always(behavior);
    expect(await erps['permanent-key'].settle(['a'], '7960')).toMatchObject([expected]);
    const [request] = server.requests;
    expect(request?.path).toBe('/companies/c/posting-groups:settle');
    expect(JSON.parse(request?.body ?? '')).toEqual({ keys: ['a'], realizedFxAccountCode: '7960' });
  });

  it('of no keys makes no request, and at `none` it is refused without one', async () => {
    expect(await erps['permanent-key'].settle([])).toEqual([]);
    expect(await erps.none.settle(['a'])).toMatchObject([{ outcome: 'refused' }]);
    expect(server.requests).toEqual([]);
  });
});

describe('an answer that is longer than is read at once', () => {
  const long = respondingWith(200, ' '.repeat(10 * 1024 * 1024 + 1));
  const keysAsked = () => server.requests.map(({ body }) => (JSON.parse(body) as { keys: string[] }).keys);
  const shown = (...keys: readonly string[]) =>
    data(
      ...keys.map((key) => ({
        key,
        revision: 1,
        contentDigest: 'x',
        entries: [{ id: key, role: 'entry', state: 'posted', postingDate: '2026-03-02', currency: 'EUR', lines: [] }],
      })),
    );

  it('is asked for again in halves, at once', async () => {
    server.plan(long, shown('a', 'b'), long, shown('c'), shown('d'));
    const groups = await erps['permanent-key'].inspect(['a', 'b', 'c', 'd']);
    expect([...groups.keys()]).toEqual(['a', 'b', 'c', 'd']);
    expect(keysAsked()).toEqual([['a', 'b', 'c', 'd'], ['a', 'b'], ['c', 'd'], ['c'], ['d']]);
  });

  it('is asked for in halves of a look-up, too', async () => {
    server.plan(long, data(found()), data(found({ key: 'b' })));
    expect([...(await erps['permanent-key'].findPosted(['a', 'b'])).keys()]).toEqual(['a', 'b']);
  });

  it('about a single key is said to be too long, once, and the ledger is not taken to be away', async () => {
    for (let times = 0; times < 10; times += 1) {
      server.plan(long);
      await expect(erps['permanent-key'].inspect(['a'])).rejects.toThrow('longer than 10485760 bytes');
      expect(server.requests).toHaveLength(1);
    }
    server.plan(shown('a'));
    expect((await erps['permanent-key'].inspect(['a'])).size).toBe(1);
  });
});
