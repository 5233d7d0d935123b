import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ErpCompanyId } from '../../../src/kernel/ids.js';
import { csrfOf, signIn, type Visitor } from '../../integration/connector/access/visitor.js';
import { at, companyUrn, ConnectHarness } from '../../integration/connector/installations/connect-harness.js';
import { tokensOfTwoProcesses } from '../../integration/connector/installations/tokens-of-processes.js';
import { createCompany, LEDGER_CLIENT, startLedgerServer, type LedgerServer } from './ledger-server.js';

// The second way to connect the ledger: a person signs in there with a key of the company, which the connector never sees.

const VERIFIER = 'v'.repeat(43);
const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
const PERSON = { sub: 'person-at-the-settings' };

let harness: ConnectHarness;
let server: LedgerServer;
let company: ErpCompanyId;
let key: { readonly id: string; readonly apiKey: string };

beforeAll(async () => {
  server = await startLedgerServer();
  harness = await ConnectHarness.start({
    ERP_LEDGER_CLIENT_ID: LEDGER_CLIENT.id,
    ERP_LEDGER_CLIENT_SECRET: LEDGER_CLIENT.secret,
    ERP_LEDGER_CLIENT_SERVERS: server.url,
  });
});
afterAll(async () => {
  await harness.close();
  await server.close();
});
beforeEach(async () => {
  company = await createCompany(server);
  key = await server.newKey(company);
});

const form = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST',
  redirect: 'manual' as const,
  body: new URLSearchParams(fields),
});
/** The person's browser at the ledger. @returns where it is sent, or the page that it is shown again */
async function consent(signInUrl: string, apiKey: string, decision = 'approve'): Promise<URL | string> {
  expect((await fetch(signInUrl)).status).toBe(200);
  const answer = await fetch(signInUrl, form({ key: apiKey, decision }));
  return answer.status === 303 ? new URL(answer.headers.get('location') ?? '') : answer.text();
}

describe('the ledger', () => {
  const request = (more: Readonly<Record<string, string>> = {}) =>
    `${server.url}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: LEDGER_CLIENT.id,
      redirect_uri: LEDGER_CLIENT.redirectUri,
      state: 'the state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    }).toString()}`;
  const ask = async (fields: Readonly<Record<string, string>>, secret = LEDGER_CLIENT.secret) => {
    const authorization = `Basic ${Buffer.from(`${LEDGER_CLIENT.id}:${secret}`).toString('base64')}`;
    const answer = await fetch(`${server.url}/oauth/token`, { ...form(fields), headers: { authorization } });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
  };
  const exchange = (code: string, more: Readonly<Record<string, string>> = {}) =>
    ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: LEDGER_CLIENT.redirectUri,
      code_verifier: VERIFIER,
      ...more,
    });
  const refresh = (token = '') => ask({ grant_type: 'refresh_token', refresh_token: token });
  const codeOf = async () => {
    const back = await consent(request(), key.apiKey);
    return typeof back === 'string' ? back : (back.searchParams.get('code') ?? '');
  };
  const companiesOf = async (token = '') => {
    const answer = await fetch(`${server.url}/companies`, { headers: { authorization: `Bearer ${token}` } });
    const { data = [] } = (await answer.json()) as { readonly data?: readonly { readonly id: string }[] };
    return [answer.status, data.map(({ id }) => id)];
  };
  const REFUSED = { status: 400, body: { error: 'invalid_grant' } };

  it('exchanges a key for a code, the code for tokens, and each refresh token for one refresh', async () => {
    const back = await consent(request(), key.apiKey);
    const query = back instanceof URL ? back.searchParams : new URLSearchParams();
    expect([query.get('state'), query.get('iss')]).toEqual(['the state', server.url]);
    const first = await exchange(query.get('code') ?? '');
    expect([first.status, first.body['token_type']]).toEqual([200, 'Bearer']);
    expect(await companiesOf(first.body['access_token'])).toEqual([200, [company]]);
    const second = await refresh(first.body['refresh_token']);
    expect(await companiesOf(second.body['access_token'])).toEqual([200, [company]]);
    // The second use ends all that came of the consent.
    expect(await refresh(first.body['refresh_token'])).toEqual(REFUSED);
    expect(await refresh(second.body['refresh_token'])).toEqual(REFUSED);
    expect(await companiesOf(second.body['access_token'])).toEqual([401, []]);
  });

  it('accepts one of two concurrent refreshes, and none after that', async () => {
    const { body } = await exchange(await codeOf());
    const both = await Promise.all([refresh(body['refresh_token']), refresh(body['refresh_token'])]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const given = both.find(({ status }) => status === 200);
    expect(await refresh(given?.body['refresh_token'])).toEqual(REFUSED);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['another way back', { redirect_uri: 'http://localhost:3000/elsewhere' }],
  ])('refuses a code with %s', async (_, more) => {
    expect(await exchange(await codeOf(), more)).toEqual(REFUSED);
  });

  it('refuses a used code, and revokes the tokens it gave for it', async () => {
    const code = await codeOf();
    const { body } = await exchange(code);
    expect(await exchange(code)).toEqual(REFUSED);
    expect(await companiesOf(body['access_token'])).toEqual([401, []]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['unsupported_grant_type', { grant_type: 'password', username: 'a', password: 'b' }],
    ['invalid_request', {}],
    ['invalid_request', { grant_type: 'refresh_token' }],
  ])('answers %s to a request for tokens (%#)', async (error, fields) => {
    expect(await ask(fields)).toEqual({ status: 400, body: { error } });
  });

  it('refuses another client', async () => {
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'x' }, 'another')).toEqual({
      status: 401,
      body: { error: 'invalid_client' },
    });
    for (const more of [{ client_id: 'another' }, { redirect_uri: 'https://elsewhere.example/' }]) {
      const answer = await fetch(request(more), { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
  });

  it('reports an invalid key on its page, and a denial to the client', async () => {
    expect(await consent(request(), 'no such key')).toContain('This is no key of a company.');
    const denied = await consent(request(), '', 'deny');
    expect(denied instanceof URL && denied.searchParams.get('error')).toBe('access_denied');
    const plain = await consent(request({ code_challenge_method: 'plain' }), key.apiKey);
    expect(plain instanceof URL && plain.searchParams.get('error')).toBe('invalid_request');
  });

  it('accepts forms for the sign-in only', async () => {
    expect((await fetch(`${server.url}/companies/${company}/api-keys`, form({}))).status).toBe(415);
  });
});

describe('the connector', () => {
  let visitor: Visitor;
  let id: string;
  let url: string;
  beforeEach(async () => {
    url = server.url;
    const resource = companyUrn(harness.platform.addCompany({ registrationNumber: randomUUID() }).id);
    id = await harness.connect(resource, PERSON);
    visitor = await signIn(harness, resource, PERSON);
  });

  const call = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
    visitor.call(method, `/api/v1/${path}`, { headers: await csrfOf(visitor), ...(body && { body }) });
  const test = async () => JSON.stringify(at((await call('POST', 'erp-connection/test', {})).json, 'checks'));
  const connection = async () => (await call('GET', 'erp-connection')).json;
  const connect = async () => {
    const begun = await call('POST', 'erp-connection/sign-in', { kind: 'ledger', settings: { url } });
    const back = await consent(String(at(begun.json, 'signInUrl')), key.apiKey);
    const path = back instanceof URL ? back.pathname + back.search : `no way back: ${back}`;
    const { status } = await visitor.call('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(status).toBe(302);
  };
  const WORKS = '"check":"companies","state":"works"';
  const expire = () =>
    harness.admin.query(
      `UPDATE credential SET refresh_after = now(), expires_at = now() WHERE installation_id = $1 AND erp_generation = 1`,
      [id],
    );

  it('offers both ways, and learns the company whose key was entered at the ledger', async () => {
    const kinds = at((await call('GET', 'erp-kinds')).json, 'data') as readonly object[];
    const hasSignIn = kinds.map((kind) => [at(kind, 'kind'), at(kind, 'hasSignIn')]);
    expect(hasSignIn).toContainEqual(['ledger', true]);
    const without = await call('PUT', 'erp-connection', { kind: 'ledger', settings: { url } });
    expect([without.status, at(without.json, 'type')]).toEqual([409, 'urn:problem:erp-sign-in-needed']);
    await connect();
    expect(await connection()).toMatchObject({ kind: 'ledger', state: 'ok', settings: { url } });
    expect(await test()).toContain(WORKS);
    const tested = await call('POST', 'erp-connection/test', {});
    expect(at(tested.json, 'companies')).toMatchObject([{ id: company }]);
  });

  it('switches from a key to a sign-in at the same ledger, and back, without traces of the other', async () => {
    const byKey = { kind: 'ledger', settings: { url, apiKey: key.apiKey } };
    expect((await call('PUT', 'erp-connection', byKey)).status).toBe(200);
    await connect();
    await expire();
    expect(await test()).toContain(WORKS);
    const tokens = () =>
      harness.admin.query('SELECT FROM credential WHERE installation_id = $1 AND erp_generation = 1', [id]);
    expect((await tokens()).rowCount).toBe(1);
    expect((await call('PUT', 'erp-connection', byKey)).status).toBe(200);
    expect((await tokens()).rowCount).toBe(0);
    expect(await test()).toContain(WORKS);
  });

  it('renews the access token once for two processes that need it at the same moment', async () => {
    await connect();
    await expire();
    const before = await refreshes();
    const tokens = await tokensOfTwoProcesses(harness, id, 'ledger');
    expect([tokens.length, new Set(tokens).size, tokens[0]]).toEqual([4, 1, expect.stringMatching(/^ledger_access_/)]);
    expect((await refreshes()) - before).toBe(1);
  });

  it('renews the access token once for all callers at the same moment', async () => {
    await connect();
    await expire();
    const before = await refreshes();
    const tests = await Promise.all([test(), test(), test()]);
    expect(tests.filter((text) => text.includes(WORKS))).toHaveLength(3);
    expect((await refreshes()) - before).toBe(1);
  });

  it('requires a person when the key used for the sign-in was deleted', async () => {
    await connect();
    await server.deleteKey(company, key.id);
    await expire();
    expect(await test()).toContain('"check":"sign-in","state":"fails"');
    expect(await connection()).toMatchObject({
      state: 'needs-reauthorization',
      problem: expect.stringContaining('Sign in there again'),
    });
    key = await server.newKey(company);
    await connect();
    expect(await connection()).toMatchObject({ state: 'ok', problem: null });
    expect(await test()).toContain(WORKS);
  });

  /** Refreshes that the ledger has made for any client. */
  async function refreshes(): Promise<number> {
    return server.count(`SELECT FROM oauth_token WHERE kind = 'refresh' AND used_at IS NOT NULL`);
  }
});
