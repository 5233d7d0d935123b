import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErpUnavailable } from '../../../src/connector/erp/erp-ledger.js';
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { OpenAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { callScope, patientCaller, openLedgerAdapter } from '../../support/one-erp.js';
import { ImpatientClock } from '../platform/impatient-clock.js';
import { toErpCompanyId } from '../../../src/kernel/ids.js';
import { postingGroup } from '../../../src/erp-contract/posting-group.builder.js';

// What an answer, or none, says about the effect of a write: wrong here is a double or a lost posting.

type Behavior = (response: ServerResponse, body: string) => void;

const COMPANY = toErpCompanyId('c');
const KEY = 'some-key-of-the-ledger';
const GROUP = postingGroup('a');

let server: Server;
let url: string;
let adapter: OpenAdapter;
let erp: ConnectedErp;
let behave: Behavior;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      behave(response, Buffer.concat(chunks).toString());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port.toString()}`;
  adapter = openLedgerAdapter(url, KEY, undefined, new ImpatientClock());
  erp = adapter.forCompany({ ...patientCaller(2_000), company: COMPANY });
});
afterEach(() => {
  requests = 0;
});
afterAll(async () => {
  adapter.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ledgerResponding =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behavior =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const ENTRY = {
  id: '1',
  role: 'entry',
  state: 'posted',
  number: '2026-000001',
  url: '/companies/c/journal-entries/1',
};
const CREATED = { key: 'a', outcome: 'created', revision: 1, entries: [ENTRY], warnings: [] };

const UNKNOWN: readonly (readonly [name: string, kind: string, behavior: Behavior])[] = [
  ['500', 'server-error', ledgerResponding(500, {})],
  ['502 of a proxy', 'server-error', ledgerResponding(502, '<html>bad gateway</html>')],
  ['503, though it says nothing was changed', 'server-error', ledgerResponding(503, { detail: 'Nothing was changed' })],
  ['504', 'server-error', ledgerResponding(504, {})],
  ['408 of a proxy', 'timeout', ledgerResponding(408, '<html>request time-out</html>')],
  ['a redirect', 'server-error', ledgerResponding(307, '', { location: 'http://127.0.0.1:1/' })],
  ['200 that is no JSON', 'server-error', ledgerResponding(200, 'OK')],
  [
    '200 with an unknown outcome',
    'server-error',
    ledgerResponding(200, { outcomes: [{ ...CREATED, outcome: 'maybe' }] }),
  ],
  ['200 about another key', 'server-error', ledgerResponding(200, { outcomes: [{ ...CREATED, key: 'b' }] })],
  ['200 about nothing', 'server-error', ledgerResponding(200, { outcomes: [] })],
  ['created without entries', 'server-error', ledgerResponding(200, { outcomes: [{ ...CREATED, entries: [] }] })],
  [
    'created without a revision',
    'server-error',
    ledgerResponding(200, { outcomes: [{ ...CREATED, revision: undefined }] }),
  ],
  [
    'a key that is in use, though it is called refused',
    'server-error',
    ledgerResponding(200, {
      outcomes: [{ key: 'a', outcome: 'refused', code: 'reference_taken', message: 'in use' }],
    }),
  ],
  ['no answer in time', 'timeout', () => undefined],
  ['a connection cut before the answer', 'timeout', (response) => response.destroy()],
  [
    'a connection cut within the answer',
    'timeout',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"outcomes":[');
      setImmediate(() => response.destroy());
    },
  ],
  ['an answer without end', 'server-error', ledgerResponding(200, `"${'x'.repeat(11 * 1024 * 1024)}"`)],
];

describe('the effect is unknown after', () => {
  it.each(UNKNOWN)('%s', async (_, kind, behavior) => {
    behave = behavior;
    expect(await erp.post([GROUP])).toMatchObject([{ outcome: 'unknown', failure: { kind } }]);
    expect(requests).toBe(1);
  });

  it('a response that omits one group of two, for that one', async () => {
    behave = ledgerResponding(200, { outcomes: [CREATED] });
    expect(await erp.post([postingGroup('b'), GROUP])).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'created', posted: { key: 'a' } },
    ]);
  });
});

describe('there is certainly no effect after', () => {
  it('429, whose wait is passed on', async () => {
    behave = ledgerResponding(429, {}, { 'retry-after': '7' });
    expect(await erp.post([GROUP])).toMatchObject([
      { outcome: 'not-sent', failure: { kind: 'rate-limit', retryAfterMs: 7_000 } },
    ]);
  });

  it.each([401, 403])('%d', async (status) => {
    behave = ledgerResponding(status, {});
    expect(await erp.post([GROUP])).toMatchObject([{ outcome: 'not-sent', failure: { kind: 'authentication' } }]);
  });

  it('a connection that was never made', async () => {
    const nobody = openLedgerAdapter('http://127.0.0.1:1', KEY);
    expect(await nobody.forCompany({ ...patientCaller(), company: COMPANY }).post([GROUP])).toMatchObject([
      { outcome: 'not-sent', failure: { kind: 'unreachable' } },
    ]);
    nobody.close();
  });

  it.each([400, 404, 409, 422])('%d, with the ledger’s own message', async (status) => {
    behave = ledgerResponding(status, { detail: 'No such thing.' });
    expect(await erp.post([GROUP])).toEqual([{ outcome: 'refused', message: 'No such thing.' }]);
  });

  it('a 4xx whose body is not meant for people', async () => {
    behave = ledgerResponding(400, '<html>stack trace</html>');
    expect(await erp.post([GROUP])).toEqual([{ outcome: 'refused', message: 'the ledger responded with 400' }]);
  });

  it('413: it is sent again in smaller parts', async () => {
    behave = (response, body) => {
      const keys = [...body.matchAll(/"key":"(\w)"/g)].map((match) => match[1]);
      const outcomes = keys.map((key) => ({ ...CREATED, key }));
      const answer = keys.length > 1 ? ledgerResponding(413, {}) : ledgerResponding(200, { outcomes });
      answer(response, body);
    };
    const outcomes = await erp.post(['a', 'b', 'c'].map((key) => postingGroup(key)));
    expect(outcomes).toMatchObject([
      { outcome: 'created', posted: { key: 'a' } },
      { outcome: 'created', posted: { key: 'b' } },
      { outcome: 'created', posted: { key: 'c' } },
    ]);
  });
});

describe('texts of the ledger', () => {
  const refused = (key: string, message: string) => ({ key, outcome: 'refused', code: 'closed', message });

  it('that are long are cut, and take no other outcome along', async () => {
    behave = ledgerResponding(200, { outcomes: [CREATED, refused('b', 'x'.repeat(1_001))] });
    expect(await erp.post([GROUP, postingGroup('b')])).toMatchObject([
      { outcome: 'created' },
      { outcome: 'refused', message: 'x'.repeat(1_000) },
    ]);
  });

  it('have no character that no database takes', async () => {
    behave = ledgerResponding(200, { outcomes: [refused('a', 'a\0b\ud83d')] });
    expect(await erp.post([GROUP])).toEqual([{ outcome: 'refused', message: 'a\ufffdb\ufffd' }]);
    const warnings = [{ message: `${'x'.repeat(499)}\u{1f642}` }];
    behave = ledgerResponding(200, { outcomes: [{ ...CREATED, warnings }] });
    expect(await erp.post([GROUP])).toMatchObject([{ posted: { warnings: ['x'.repeat(499)] } }]);
  });
});

describe('read requests', () => {
  const QUESTIONS: readonly (readonly [name: string, ask: () => Promise<unknown>])[] = [
    ['listCompanies', () => erp.listCompanies()],
    ['loadMasterData', () => erp.loadMasterData()],
    ['findPosted', () => erp.findPosted(['a'])],
  ];

  it.each(QUESTIONS)('%s has no result when the ledger misbehaves', async (_, ask) => {
    for (const [, , behavior] of UNKNOWN.slice(0, 8)) {
      behave = behavior;
      await expect(ask()).rejects.toBeInstanceOf(ErpUnavailable);
    }
  });

  it('findPosted never treats a missing key as "absent"', async () => {
    behave = ledgerResponding(200, { data: [{ key: 'b', outcome: 'absent' }] });
    await expect(erp.findPosted(['a'])).rejects.toBeInstanceOf(ErpUnavailable);
  });

  it('an endless list is aborted', async () => {
    behave = ledgerResponding(200, { data: [], nextCursor: 'again' });
    await expect(erp.listCompanies()).rejects.toBeInstanceOf(ErpUnavailable);
  });

  it('an endless list of long rows is aborted before it takes the memory of the process', async () => {
    const id = 'x'.repeat(1_000);
    const row = { id, name: id, registrationNumber: id, functionalCurrency: id, timeZone: id };
    behave = ledgerResponding(200, { data: Array.from({ length: 1_900 }, () => row), nextCursor: 'again' });
    await expect(adapter.listCompanies(callScope())).rejects.toThrow('too long');
    expect(requests).toBeLessThan(10);
  });

  it('a company in an unknown currency has no master data', async () => {
    behave = ledgerResponding(200, { id: 'c', name: 'C', functionalCurrency: 'XXX', timeZone: 'UTC' });
    await expect(erp.loadMasterData()).rejects.toBeInstanceOf(ErpUnavailable);
  });
});

const NO_DETAILS = { externalId: null, country: null, taxRegistrationNumber: null, payableAccountCode: null };

describe('within one call', () => {
  const COMPANY_ROW = { id: 'c', name: 'C', functionalCurrency: 'EUR', timeZone: 'UTC' };
  const COMPANIES = { data: [COMPANY_ROW], nextCursor: null };
  const VENDOR = {
    id: 'v',
    number: 'V-1',
    name: 'V',
    blocked: false,
    isEmployee: false,
    archived: false,
    ...NO_DETAILS,
  };
  /** Each of these once, then as it should be. */
  function failFirst(failures: readonly Behavior[], proper: Behavior): void {
    const script = [...failures];
    behave = (response, body) => {
      (script.shift() ?? proper)(response, body);
    };
  }

  it.each(UNKNOWN.slice(0, 6))('a read that meets %s is repeated', async (_name, _kind, behavior) => {
    failFirst([behavior, behavior], ledgerResponding(200, COMPANIES));
    expect(await erp.listCompanies()).toMatchObject([{ id: 'c' }]);
    expect(requests).toBe(3);
  });

  it('a read waits as long as a 429 asks, unless that is long', async () => {
    const long = openLedgerAdapter(url, KEY, undefined, new ImpatientClock());
    const patient = long.forCompany({ ...patientCaller(20_000), company: COMPANY });
    failFirst([ledgerResponding(429, {}, { 'retry-after': '7' })], ledgerResponding(200, COMPANIES));
    expect(await patient.listCompanies()).toMatchObject([{ id: 'c' }]);
    failFirst([ledgerResponding(429, {}, { 'retry-after': '16' })], ledgerResponding(200, COMPANIES));
    await expect(patient.listCompanies()).rejects.toMatchObject({ failure: { retryAfterMs: 16_000 } });
    long.close();
  });

  it('a 429 may say until when nothing is to be sent, by the clock of the ledger', async () => {
    const ahead = Date.now() + 3_600_000;
    const date = new Date(ahead).toUTCString();
    behave = ledgerResponding(429, {}, { date, 'retry-after': new Date(ahead + 90_000).toUTCString() });
    await expect(erp.listCompanies()).rejects.toMatchObject({ failure: { retryAfterMs: 90_000 } });
    behave = ledgerResponding(429, {}, { 'retry-after': 'soon' });
    await expect(erp.listCompanies()).rejects.toMatchObject({ failure: { retryAfterMs: 5_000 } });
  });

  it('a vendor that may have been created is sent again under its key; an entry is not', async () => {
    failFirst([ledgerResponding(500, {})], ledgerResponding(200, { outcome: 'existed', vendor: VENDOR }));
    expect(await erp.createVendor({ id: 'v', name: 'V' }, 'k')).toMatchObject({ vendor: { code: 'V-1' } });
    expect(requests).toBe(2);
    failFirst([ledgerResponding(500, {})], ledgerResponding(200, { outcomes: [CREATED] }));
    expect(await erp.post([GROUP])).toMatchObject([{ outcome: 'unknown' }]);
    expect(requests).toBe(3);
  });

  it('a refused request is not sent again', async () => {
    behave = ledgerResponding(422, { detail: 'No.' });
    await expect(erp.listCompanies()).rejects.toBeInstanceOf(ErpUnavailable);
    expect(requests).toBe(1);
  });
});

it('createVendor is unavailable, not refused, when the effect is unknown', async () => {
  behave = ledgerResponding(500, {});
  expect(await erp.createVendor({ id: 'v', name: 'V' }, 'k')).toMatchObject({
    outcome: 'unavailable',
    failure: { kind: 'server-error' },
  });
});

it('the key is sent to the ledger and never appears in a message', async () => {
  const seen: (string | undefined)[] = [];
  server.once('request', (request: { headers: { authorization?: string } }) =>
    seen.push(request.headers.authorization),
  );
  behave = ledgerResponding(500, {});
  const [outcome] = await erp.post([GROUP]);
  expect(seen).toEqual(['Bearer some-key-of-the-ledger']);
  expect(JSON.stringify(outcome)).not.toContain('some-key');
});
