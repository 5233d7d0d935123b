import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MisbehavingServer, respondingWith } from '../../../support/servers/misbehaving-server.js';
import { OAUTH_CLIENT, OAuthTinyBooks } from '../../../support/servers/oauth-tiny-books.js';
import { startedOnce } from '../../../support/started-once.js';
import { csrfOf, signIn, type Visitor } from '../access/visitor.js';
import { at, companyUrn, ConnectHarness, type Reply } from './connect-harness.js';
import { tokensOfTwoProcesses } from './tokens-of-processes.js';

// A person signs in at the ERP (OAuth 2, code flow with PKCE), and the connector keeps and renews what it was given: the
// authorization server is a real one, which ends a grant whose refresh token comes twice (I19, I41, S20).

const KIND = 'tiny-books-oauth';
const PERSON = { sub: 'person-at-the-settings' };

let harness: ConnectHarness;
let erp: OAuthTinyBooks;
let id: string;
let visitor: Visitor;

beforeAll(async () => {
  erp = await OAuthTinyBooks.start('http://localhost:3000/settings/erp-sign-in');
  harness = await ConnectHarness.start({
    CONNECTOR_ERP_ADAPTERS: './test/support/tiny-books/tiny-books-oauth.erp.ts',
    ERP_TINY_BOOKS_OAUTH_CLIENT_ID: OAUTH_CLIENT.id,
    ERP_TINY_BOOKS_OAUTH_CLIENT_SECRET: OAUTH_CLIENT.secret,
    ERP_TINY_BOOKS_OAUTH_CLIENT_SERVERS: erp.signInAt,
  });
});
afterAll(async () => {
  // Searches log, tables and answers for every token.
  await harness.close();
  await erp.stop();
});
beforeEach(async () => {
  harness.platform.restore();
  erp.planAnswers();
  erp.tokenRequests.length = 0;
  ({ id, visitor } = await customer());
});

async function customer(): Promise<{ readonly id: string; readonly visitor: Visitor }> {
  const resource = companyUrn(harness.platform.addCompany({ registrationNumber: randomUUID() }).id);
  return { id: await harness.connect(resource, PERSON), visitor: await signIn(harness, resource, PERSON) };
}

const settings = (more: object = {}) => ({ url: erp.url, signInAt: erp.signInAt, ...more });
const ended = ({ status, json }: Reply) => [status, at(json, 'type')];
const call = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  visitor.call(method, `/api/v1/${path}`, { headers: await csrfOf(visitor), ...(body && { body }) });
const begin = (more: object = {}) => call('POST', 'erp-connection/sign-in', { kind: KIND, settings: settings(more) });
/** The browser comes from the ERP. */
const comeBack = (path: string, browser = visitor) =>
  browser.call('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } });

async function consented(more: object = {}): Promise<string> {
  const { status, json, text } = await begin(more);
  if (status !== 200) {
    throw new Error(`no sign-in: ${text}`);
  }
  return erp.consent(String(at(json, 'signInUrl')));
}

async function connect(more: object = {}): Promise<void> {
  const { status, headers } = await comeBack(await consented(more));
  expect([status, headers['location'], headers['cache-control']]).toEqual([302, '/app/setup?opened=1', 'no-store']);
}

const test = async () => at((await call('POST', 'erp-connection/test', {})).json, 'checks');
const connection = async () => (await call('GET', 'erp-connection')).json;
const WORKS: unknown = expect.arrayContaining([expect.objectContaining({ check: 'companies', state: 'works' })]);
const FAILS: unknown = [expect.objectContaining({ check: 'sign-in', state: 'fails' })];
const age = (seconds: number) =>
  harness.admin.query(
    `UPDATE credential SET refresh_after = now(), expires_at = now() + make_interval(secs => $2)
     WHERE installation_id = $1 AND erp_generation = 1`,
    [id, seconds],
  );

describe('signing in at an ERP', () => {
  it.each(['discovered', 'known'])('connects the ERP whose endpoints are %s, and calls it', async (endpoints) => {
    await connect({ endpoints });
    expect(erp.tokenRequests[0]?.get('grant_type')).toBe('authorization_code');
    expect(erp.tokenRequests[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(await connection()).toMatchObject({ kind: KIND, state: 'ok', settings: settings({ endpoints }) });
    expect(await test()).toEqual(WORKS);
    expect(erp.refreshes).toEqual([]);
  });

  it('is offered where the deployment is registered, and required before settings are stored', async () => {
    const kinds = at((await call('GET', 'erp-kinds')).json, 'data') as readonly object[];
    const hasSignIn = kinds.map((kind) => [at(kind, 'kind'), at(kind, 'hasSignIn')]);
    expect(hasSignIn).toEqual(
      expect.arrayContaining([
        [KIND, true],
        ['ledger', false],
      ]),
    );
    const refused = await call('PUT', 'erp-connection', { kind: KIND, settings: settings() });
    expect(ended(refused)).toEqual([409, 'urn:problem:erp-sign-in-needed']);
    const ledger = { kind: 'ledger', settings: { url: erp.url, apiKey: 'of-the-ledger' } };
    expect(ended(await call('POST', 'erp-connection/sign-in', ledger))).toEqual([
      409,
      'urn:problem:erp-without-sign-in',
    ]);
    await connect();
    expect((await call('PUT', 'erp-connection', { kind: KIND, settings: settings() })).status).toBe(200);
  });

  it('that the person denies stores nothing', async () => {
    const state = new URL(String(at((await begin()).json, 'signInUrl'))).searchParams.get('state') ?? '';
    const denied = `/settings/erp-sign-in?${new URLSearchParams({ error: 'access_denied', state }).toString()}`;
    const { text } = await comeBack(denied);
    expect(text).toContain('gave no access');
    expect(text).toContain('<a class="next" href="/app/setup">Back to the set-up</a>');
    expect((await call('GET', 'erp-connection')).status).toBe(404);
  });
});

describe('the secret of the deployment', () => {
  const foreign = startedOnce(() => MisbehavingServer.start());
  const sentTo = () => foreign.requests.map(({ method, path }) => `${method} ${path}`);

  beforeEach(() => {
    const issuer = foreign.url;
    const metadata = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    foreign.always(respondingWith(200, metadata));
  });

  it.each(['discovered', 'known'])(
    'is sent to no other authorization server that settings name, whose endpoints are %s [S41]',
    async (endpoints) => {
      const begun = await begin({ signInAt: foreign.url, endpoints });
      const { signInUrl = foreign.url } = Object(begun.json) as { readonly signInUrl?: string };
      const state = new URL(signInUrl).searchParams.get('state') ?? '';
      await comeBack(`/settings/erp-sign-in?${new URLSearchParams({ code: 'a code', state }).toString()}`);
      expect(sentTo()).not.toContain('POST /token');
      expect(ended(begun)).toEqual([422, 'urn:problem:erp-not-accepted']);
      expect(begun.text).toContain(`is not registered with the authorization server at ${foreign.url}`);
    },
  );

  it('goes with a refresh to no other authorization server that settings name later [S41]', async () => {
    await connect({ endpoints: 'known' });
    const changed = settings({ signInAt: foreign.url, endpoints: 'known' });
    await call('PUT', 'erp-connection', { kind: KIND, settings: changed });
    await age(-1);
    await test();
    expect(sentTo()).toEqual([]);
  });
});

describe('the callback of the ERP', () => {
  it('works once', async () => {
    const path = await consented();
    expect((await comeBack(path)).status).toBe(302);
    const again = await comeBack(path);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('Nothing was changed')]);
    expect(erp.tokenRequests).toHaveLength(1);
  });

  it('is refused for another installation, another person, and without a session', async () => {
    const path = await consented();
    const another = await customer();
    expect((await comeBack(path, another.visitor)).status).toBe(400);
    await harness.admin.query(`UPDATE erp_sign_in SET member_id = $2 WHERE installation_id = $1`, [id, randomUUID()]);
    expect((await comeBack(path)).status).toBe(400);
    const anonymous = await harness.call('GET', path);
    expect([anonymous.status, anonymous.text]).toEqual([
      401,
      expect.stringContaining('href="/app/sign-in?to=%2Fapp%2Fsetup"'),
    ]);
    expect(erp.tokenRequests).toHaveLength(0);
  });

  it('expires after ten minutes', async () => {
    const path = await consented();
    await harness.admin.query(`UPDATE erp_sign_in SET expires_at = now() WHERE installation_id = $1`, [id]);
    expect((await comeBack(path)).status).toBe(400);
    expect(erp.tokenRequests).toHaveLength(0);
  });
});

describe('access tokens', () => {
  it('are renewed before they expire, and each refresh token is used once', async () => {
    await connect();
    for (const refreshes of [1, 2, 3]) {
      await age(600);
      expect(await test()).toEqual(WORKS);
      expect(new Set(erp.refreshes).size).toBe(refreshes);
    }
    expect(erp.refreshes).toHaveLength(3);
  });

  it('that the ERP refuses are renewed once, and the request is sent again', async () => {
    await connect();
    erp.refuseAccessTokens();
    expect(await test()).toEqual(WORKS);
    expect(erp.refreshes).toHaveLength(1);
    expect(await connection()).toMatchObject({ state: 'ok' });
  });

  it('are renewed once by two processes that need them at the same time', async () => {
    await connect();
    await age(0);
    const tokens = await tokensOfTwoProcesses(harness, id, KIND);
    expect([tokens.length, new Set(tokens).size]).toEqual([4, 1]);
    expect(erp.refreshes).toHaveLength(1);
  });

  it('that are current are used while the response to a refresh is late, which brings the next ones', async () => {
    await connect();
    await age(600);
    let answer: (value?: unknown) => void = () => undefined;
    erp.planAnswers(new Promise((resolve) => (answer = resolve)));
    // Longer than a request waits for it.
    expect(await test()).toEqual(WORKS);
    answer();
    const version = async () => {
      const row = await harness.row(
        'SELECT version FROM credential WHERE installation_id = $1 AND erp_generation = 1',
        id,
      );
      return at(row, 'version');
    };
    while ((await version()) === 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await test()).toEqual(WORKS);
    expect(erp.refreshes).toHaveLength(1);
  });
});

describe('a sign-in that has ended', () => {
  it('because the person withdrew it requires a person, who signs in again', async () => {
    await connect();
    await erp.revokeGrants();
    await age(0);
    expect(await test()).toEqual(FAILS);
    expect(await connection()).toMatchObject({
      state: 'needs-reauthorization',
      problem: expect.stringContaining('Sign in there again'),
    });
    // Nothing is asked with a token that is known to be dead.
    expect(await test()).toEqual(FAILS);
    expect(erp.refreshes).toHaveLength(1);
    await connect();
    expect(await connection()).toMatchObject({ state: 'ok', problem: null });
    expect(await test()).toEqual(WORKS);
  });

  it('because the response to a refresh was lost ends its grant at the second use, with a notification', async () => {
    await connect();
    await age(0);
    erp.planAnswers('lost');
    expect(await test()).toEqual(FAILS);
    expect(await connection()).toMatchObject({ state: 'ok' });
    await harness.admin.query(`UPDATE credential SET refreshing_until = NULL WHERE installation_id = $1`, [id]);
    expect(await test()).toEqual(FAILS);
    expect(erp.refreshes).toHaveLength(2);
    expect(await connection()).toMatchObject({ state: 'needs-reauthorization' });
  });

  it('is used while its access token is valid, and is not reported as working', async () => {
    await connect();
    await erp.revokeGrants();
    await age(600);
    expect(await test()).toEqual(WORKS);
    expect(await connection()).toMatchObject({ state: 'needs-reauthorization' });
  });
});
