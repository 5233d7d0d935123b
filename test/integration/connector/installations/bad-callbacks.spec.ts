import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import {
  respondingWith,
  MisbehavingServer,
  reset,
  truncated,
} from '../../../support/servers/misbehaving-server.js';
import { ALL_SCOPES, type PlatformCompanyData } from '../../../support/platform/scripted-platform.js';
import { at, companyUrn, ConnectHarness, type Reply } from './connect-harness.js';

// Bad inputs on the way to a connected company, row by row, against the running app (spec: reliability §d2). Of row 25 the
// platform decides: it knows who may connect a company, and asks at its own page.

let harness: ConnectHarness;
let company: PlatformCompanyData;

beforeAll(async () => {
  harness = await ConnectHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.platform.restore();
  company = harness.platform.addCompany();
  harness.platform.resource = companyUrn(company.id);
});

const TOKENS = 'POST /oauth/token';
const exchanges = () => harness.platform.calls().filter((call) => call === TOKENS).length;
const callback = (query: string, cookie = '') =>
  harness.call('GET', `/oauth/callback${query}`, { headers: { cookie } });

async function expectNothingChanged(work: () => Promise<Reply>, status: number): Promise<Reply> {
  const before = await harness.installationCount();
  const reply = await work();
  expect(reply.status).toBe(status);
  expect(await harness.installationCount()).toBe(before);
  return reply;
}

describe('the way to the platform', () => {
  it('asks with PKCE, and ties the attempt to the browser', async () => {
    const { headers, status } = await harness.call('GET', '/connect');
    const location = new URL(String(headers['location']));
    expect([status, location.origin, location.searchParams.get('code_challenge_method')]).toEqual([
      302,
      harness.platform.url,
      'S256',
    ]);
    expect(location.searchParams.get('scope')).toBe(
      `${ALL_SCOPES} accounts:read accounts:write tax-codes:read tax-codes:write vendors:read vendors:write tag-groups:read tag-groups:write`,
    );
    expect(String(headers['set-cookie'])).toMatch(
      /^connector_connection=[\w-]{43}; Max-Age=600; Path=\/oauth; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('a callback', () => {
  it.each(['', '?code=c', '?state=s', '?state=&code=c'])('d2.1 with %j only gets 400', async (query) => {
    await expectNothingChanged(() => callback(query), 400);
  });

  it.each(['unknown', '%00', '☃', 'x'.repeat(10_000)])(
    'd2.2 with the state %.10j gets 400',
    async (state) => {
      await expectNothingChanged(() => callback(`?code=c&state=${encodeURIComponent(state)}`), 400);
      expect(exchanges()).toBe(0);
    },
  );

  it('d2.3 with a used state gets 400, and the first result stands', async () => {
    const attempt = await harness.begin();
    expect((await harness.returnFromPlatform(attempt)).status).toBe(200);
    await expectNothingChanged(() => harness.returnFromPlatform(attempt), 400);
    expect(exchanges()).toBe(1);
  });

  it('d2.4 with a state of more than ten minutes ago says to start again', async () => {
    const attempt = await harness.begin();
    await harness.admin.query(
      `UPDATE connection_attempt SET expires_at = expires_at - interval '10 minutes' WHERE state_hash = $1`,
      [createHash('sha256').update(attempt.state).digest()],
    );
    const { text } = await expectNothingChanged(() => harness.returnFromPlatform(attempt), 400);
    expect(text).toContain('Please start again');
  });

  it('d2.5 in another browser gets 400 and uses nothing up', async () => {
    const attempt = await harness.begin();
    const other = await harness.begin();
    await expectNothingChanged(() => harness.returnFromPlatform({ ...attempt, cookie: other.cookie }), 400);
    expect((await harness.returnFromPlatform(attempt)).status).toBe(200);
  });

  it('d2.6 connects what the token says, whatever the browser says', async () => {
    const other = harness.platform.addCompany({ name: 'Other' });
    const reply = await harness.returnFromPlatform(await harness.begin(), { company_id: other.id });
    expect(reply.text).toContain(company.name);
    const found = await harness.row(
      'SELECT count(*)::int FROM installation WHERE platform_company_id = $1',
      other.id,
    );
    expect(found).toEqual({ count: 0 });
  });

  it('d2.7 of another issuer gets no exchange', async () => {
    const attempt = await harness.begin();
    const reply = await expectNothingChanged(
      () => harness.returnFromPlatform(attempt, { iss: 'https://evil.example' }),
      400,
    );
    expect(reply.text).toContain('Not connected');
    expect(exchanges()).toBe(0);
  });

  it('d2.8 d2.9 with an error is a friendly page that says nothing of it', async () => {
    const query = '?error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=s';
    const reply = await expectNothingChanged(() => callback(query), 400);
    expect(reply.text).not.toMatch(/script|alert/);
    expect(reply.headers['content-security-policy']).toBeDefined();
    expect(exchanges()).toBe(0);
  });

  it.each(['?code=a&code=b&state=s', '?state[]=x&code=c', '?state=a&state=b&code=c'])(
    'd2.10 %s gets 400',
    async (query) => {
      await expectNothingChanged(() => callback(query), 400);
    },
  );

  it.each(['a%0d%0ab', 'x'.repeat(8_192), ''])('d2.11 with the code %.10j gets 400', async (code) => {
    const { state, cookie } = await harness.begin();
    await expectNothingChanged(() => callback(`?code=${code}&state=${state}`, cookie), 400);
    expect(exchanges()).toBe(0);
  });

  it('d2.12 as a form post gets 405', async () => {
    const reply = await harness.call('POST', '/oauth/callback');
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io'])(
    'd2.22 for the host %s gets 400',
    async (host) => {
      for (const url of [
        '/connect',
        '/oauth/callback?code=c&state=s',
        '/oauth/company?state=s&company_id=c',
      ]) {
        expect((await harness.call('GET', url, { headers: { host } })).status).toBe(400);
      }
    },
  );

  it.each(['//evil.example', 'https:evil', '/\\evil'])(
    'd2.21 goes nowhere for return_to=%s',
    async (target) => {
      const reply = await harness.returnFromPlatform(await harness.begin(), { return_to: target });
      expect([reply.status, reply.headers['location']]).toEqual([200, undefined]);
      expect(reply.text).not.toContain('evil');
    },
  );
});

describe('the exchange of the code', () => {
  it('d2.13 that the platform refuses for its verifier gets 400', async () => {
    harness.platform.next(TOKENS, respondingWith(400, { error: 'invalid_grant' }));
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 400);
  });

  it('d2.13 proves the verifier that belongs to the challenge', async () => {
    const attempt = await harness.begin();
    await harness.returnFromPlatform(attempt);
    const form = new URLSearchParams(harness.platform.seen.find(({ call }) => call === TOKENS)?.body);
    const verifier = form.get('code_verifier') ?? '';
    expect(verifier.length).toBeGreaterThanOrEqual(43);
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(attempt.challenge);
  });

  it('d2.14 of a used code leaves the good tokens that are there', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const credential = () =>
      harness.row('SELECT version, access_token FROM credential WHERE installation_id = $1', id);
    const before = await credential();
    harness.platform.next(TOKENS, respondingWith(400, { error: 'invalid_grant' }));
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(400);
    expect(await credential()).toEqual(before);
  });

  it('d2.15 happens once for two callbacks at the same moment', async () => {
    const attempt = await harness.begin();
    const replies = await Promise.all([
      harness.returnFromPlatform(attempt),
      harness.returnFromPlatform(attempt),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(exchanges()).toBe(1);
  });

  const faults: readonly (readonly [string, Parameters<ConnectHarness['platform']['next']>[1]])[] = [
    ['HTML', respondingWith(200, '<html>', { 'content-type': 'text/html' })],
    ['nothing', respondingWith(200, '')],
    ['more than 64 kB', respondingWith(200, { padding: 'x'.repeat(70_000) })],
    ['half a body', truncated],
    ['no answer', reset],
    ['500', respondingWith(500, { error: 'server_error' })],
  ];
  it.each(faults)('d2.16 that ends in %s is a 502 page', async (_, behavior) => {
    harness.platform.next(TOKENS, behavior);
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 502);
  });

  it('d2.16 that ends in a redirect is a 502 page, and nobody goes there', async () => {
    const elsewhere = await MisbehavingServer.start();
    harness.platform.next(TOKENS, respondingWith(302, '', { location: `${elsewhere.url}/oauth/token` }));
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 502);
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  it.each([
    ['d2.17', { token_type: 'mac' }, 502],
    ['d2.17', { access_token: undefined }, 502],
    ['d2.17', { access_token: '' }, 502],
    ['d2.17', { access_token: 'a\nb' }, 502],
    ['d2.18', { expires_in: -1 }, 502],
    ['d2.18', { expires_in: 1e12 }, 502],
    ['d2.18', { expires_in: undefined }, 200],
    ['d2.18', { expires_in: '900' }, 200],
    ['d2.19', { refresh_token: undefined }, 409],
  ])('%s with %j is a page with %d', async (_, change, status) => {
    harness.platform.next(TOKENS, respondingWith(200, { ...harness.platform.grant(), ...change }));
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(status);
  });

  it('d2.20 with fewer scopes gets 409, which names the missing ones', async () => {
    harness.platform.scope = 'export-jobs:read companies:read';
    const { text } = await expectNothingChanged(
      async () => harness.returnFromPlatform(await harness.begin()),
      409,
    );
    expect(text).toContain('Missing: export-jobs:write, export-items:read.');
  });

  it('d2.20 with more scopes than we asked for is fine', async () => {
    harness.platform.scope = `users:read ${ALL_SCOPES}`;
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(200);
  });
});

describe('after the exchange', () => {
  it('d2.23 an activation that fails three times leaves it authorized, visible, and finished by a later try', async () => {
    const reply = await harness.returnFromPlatform(await harness.begin());
    const id = /<code>([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? '';
    const token = await harness.token(id, 'viewer');
    const activate = 'POST /v1/installations/me:activate';
    const failing = respondingWith(500, { type: 'INTERNAL', message: 'later' });
    harness.platform.next(activate, ...Array.from({ length: 4 }, () => failing));
    await expect(harness.finish(id)).rejects.toThrow();
    const stuck = await harness.call('GET', '/api/v1/connection', { token });
    expect(stuck.json).toMatchObject({
      state: 'authorized',
      problem: { text: 'The platform answered 500 INTERNAL. The connector tries again by itself.' },
    });
    await harness.finish(id);
    const done = await harness.call('GET', '/api/v1/connection', { token });
    expect(done.json).toMatchObject({ state: 'active', problem: null });
  });

  it('d2.24 a company of another organization’s connection gets 409, and nothing of it changes', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const credential = () => harness.row('SELECT * FROM credential WHERE installation_id = $1', id);
    const before = await credential();
    const [index] = [harness.platform.companies.indexOf(company)];
    harness.platform.companies[index] = { ...company, organizationId: randomUUID() };
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 409);
    expect(await credential()).toEqual(before);
  });

  it('d2.25 a person whom the platform does not take for an admin connects nothing', async () => {
    const refusal = respondingWith(403, { type: 'FORBIDDEN', message: 'only an admin connects a company' });
    const refusals: readonly (() => Promise<Reply>)[] = [
      // At its own page,
      async () => {
        const attempt = await harness.begin();
        const query = `?${new URLSearchParams({ state: attempt.state, error: 'access_denied' }).toString()}`;
        return callback(query, attempt.cookie);
      },
      // at the exchange,
      async () => {
        harness.platform.next(TOKENS, respondingWith(400, { error: 'access_denied' }));
        return harness.returnFromPlatform(await harness.begin());
      },
      // or when the company is asked for with the tokens.
      async () => {
        harness.platform.next(`GET /v1/companies/${company.id}`, refusal);
        return harness.returnFromPlatform(await harness.begin());
      },
    ];
    const before = await harness.installationCount();
    const statuses: number[] = [];
    for (const refused of refusals) {
      statuses.push((await refused()).status);
      expect(await harness.installationCount()).toBe(before);
    }
    expect(statuses).toEqual([400, 400, 400]);
    expect(
      await harness.row('SELECT 1 FROM installation WHERE platform_company_id = $1', company.id),
    ).toBeUndefined();
  });

  it('d2.26 no page or redirect may be stored or tell where it came from', async () => {
    const begun = await harness.call('GET', '/connect');
    const reply = await harness.returnFromPlatform(await harness.begin());
    for (const { headers } of [begun, reply]) {
      expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    }
    expect(reply.text).not.toContain('the-code');
    expect(at(reply, 'headers', 'location')).toBeUndefined();
  });
});
