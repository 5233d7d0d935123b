import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { respondingWith, MisbehavingServer, reset, truncated } from '../../../support/servers/misbehaving-server.js';
import { ALL_SCOPES, type PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness, type Reply } from './connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// Bad inputs on the way to a connected company, row by row, against the running app
// (docs/rules/bad-inputs.md, D2). Of D2.25 the
// platform decides: it knows who may connect a company, and asks at its own page.

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;

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

describe('the redirect to the platform', () => {
  it('uses PKCE, and binds the attempt to the browser', async () => {
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

describe('attempts under way', () => {
  const begin = (path: string, remoteAddress: string) =>
    harness.connector.app.inject({ method: 'GET', url: path, remoteAddress, headers: { host: 'localhost' } });

  it('are limited to a hundred per address, for connecting and signing in together', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 102; n += 1) {
      const path = n % 2 === 0 ? '/connect' : '/app/sign-in';
      statuses.push((await begin(path, `2001:db8::${n.toString(16)}`)).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 302), 429, 429]);
    const refused = await begin('/connect', '2001:db8::1');
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['set-cookie']]).toEqual([
      429,
      '600',
      undefined,
    ]);
    expect((await begin('/connect', '2001:db8:0:1::1')).statusCode).toBe(302);
    await harness.admin.query(
      `UPDATE connection_attempt SET expires_at = now() WHERE from_network = '2001:db8::/64' AND state_hash IN
         (SELECT state_hash FROM connection_attempt WHERE from_network = '2001:db8::/64' LIMIT 1)`,
    );
    expect((await begin('/connect', '2001:db8::1')).statusCode).toBe(302);
  });

  it('are limited under concurrency too', async () => {
    const begun = await Promise.all(Array.from({ length: 110 }, () => begin('/connect', '198.51.100.7')));
    expect(begun.filter(({ statusCode }) => statusCode === 302)).toHaveLength(100);
  });
});

describe('a callback', () => {
  it.each(['', '?code=c', '?state=s', '?state=&code=c'])('with only %j gets 400 [D2.1]', async (query) => {
    await expectNothingChanged(() => callback(query), 400);
  });

  it.each(['unknown', '%00', '☃', 'x'.repeat(10_000)])('with the state %.10j gets 400 [D2.2]', async (state) => {
    await expectNothingChanged(() => callback(`?code=c&state=${encodeURIComponent(state)}`), 400);
    expect(exchanges()).toBe(0);
  });

  it('with a used state gets 400, and the first result stays valid [D2.3]', async () => {
    const attempt = await harness.begin();
    expect((await harness.returnFromPlatform(attempt)).status).toBe(200);
    await expectNothingChanged(() => harness.returnFromPlatform(attempt), 400);
    expect(exchanges()).toBe(1);
  });

  it.each([
    ['de-AT,de;q=0.9', 'de', 'Bitte beginnen Sie neu'],
    ['fr', 'en', 'Please start again'],
  ])('with an unknown state from a browser that prefers %s reads so in %s', async (accepted, language, title) => {
    const { text, headers } = await expectNothingChanged(
      () => harness.call('GET', '/oauth/callback?code=c&state=unknown', { headers: { 'accept-language': accepted } }),
      400,
    );
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect([headers['content-language'], headers['vary']]).toEqual([language, 'Accept-Language']);
  });

  it('without a state shows the problem in the language of the browser', async () => {
    const headers = { accept: 'text/html', 'accept-language': 'de' };
    const { text } = await harness.call('GET', '/oauth/callback?code=c', { headers });
    expect(text).toContain('<h1>Das hat nicht funktioniert</h1>');
    expect(text).toContain('Der Parameter „state“ fehlt oder hat unsichtbare Zeichen.');
    expect(text).toContain('Zur ersten Seite');
  });

  it('with a state older than ten minutes asks the person to start again [D2.4]', async () => {
    const attempt = await harness.begin();
    await harness.admin.query(
      `UPDATE connection_attempt SET expires_at = expires_at - interval '10 minutes' WHERE state_hash = $1`,
      [createHash('sha256').update(attempt.state).digest()],
    );
    const { text } = await expectNothingChanged(() => harness.returnFromPlatform(attempt), 400);
    expect(text).toContain('Please start again');
  });

  it('in another browser gets 400 and does not consume the attempt [D2.5]', async () => {
    const attempt = await harness.begin();
    const other = await harness.begin();
    await expectNothingChanged(() => harness.returnFromPlatform({ ...attempt, cookie: other.cookie }), 400);
    expect((await harness.returnFromPlatform(attempt)).status).toBe(200);
  });

  it.each([
    ['another state', 'code=the-code&state=of-another-site'],
    ['an error', 'error=access_denied&state=of-another-site'],
  ])('with %s does not end what is under way in the browser that is sent there [D2.5]', async (_, query) => {
    const attempt = await harness.begin();
    const { headers } = await expectNothingChanged(() => callback(`?${query}`, attempt.cookie), 400);
    expect(headers['set-cookie']).toBeUndefined();
    expect((await harness.returnFromPlatform(attempt)).status).toBe(200);
  });

  it('connects the company of the token, not one the browser names [D2.6]', async () => {
    const other = harness.platform.addCompany({ name: 'Other' });
    const reply = await harness.returnFromPlatform(await harness.begin(), { company_id: other.id });
    expect(reply.text).toContain(company.name);
    const found = await harness.row('SELECT count(*)::int FROM installation WHERE platform_company_id = $1', other.id);
    expect(found).toEqual({ count: 0 });
  });

  it('of another issuer does not exchange the code [D2.7]', async () => {
    const attempt = await harness.begin();
    const reply = await expectNothingChanged(
      () => harness.returnFromPlatform(attempt, { iss: 'https://evil.example' }),
      400,
    );
    expect(reply.text).toContain('Not connected');
    expect(exchanges()).toBe(0);
  });

  it('with an error shows a page that does not repeat it [D2.8, D2.9]', async () => {
    const query = '?error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=s';
    const reply = await expectNothingChanged(() => callback(query), 400);
    expect(reply.text).not.toMatch(/script|alert/);
    expect(reply.headers['content-security-policy']).toBeDefined();
    expect(exchanges()).toBe(0);
  });

  it.each(['?code=a&code=b&state=s', '?state[]=x&code=c', '?state=a&state=b&code=c'])(
    '%s gets 400 [D2.10]',
    async (query) => {
      await expectNothingChanged(() => callback(query), 400);
    },
  );

  it.each(['a%0d%0ab', 'x'.repeat(8_192), ''])('with the code %.10j gets 400 [D2.11]', async (code) => {
    const { state, cookie } = await harness.begin();
    await expectNothingChanged(() => callback(`?code=${code}&state=${state}`, cookie), 400);
    expect(exchanges()).toBe(0);
  });

  it('as a form post gets 405 [D2.12]', async () => {
    const reply = await harness.call('POST', '/oauth/callback');
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io'])(
    'for the host %s gets 400 [D2.22]',
    async (host) => {
      for (const url of ['/connect', '/oauth/callback?code=c&state=s', '/oauth/company?state=s&company_id=c']) {
        expect((await harness.call('GET', url, { headers: { host } })).status).toBe(400);
      }
    },
  );

  it.each(['//evil.example', 'https:evil', '/\\evil'])('does not redirect to return_to=%s [D2.21]', async (target) => {
    const reply = await harness.returnFromPlatform(await harness.begin(), { return_to: target });
    expect([reply.status, reply.headers['location']]).toEqual([200, undefined]);
    expect(reply.text).not.toContain('evil');
  });
});

describe('the exchange of the code', () => {
  it('with a verifier that the platform refuses gets 400 [D2.13]', async () => {
    harness.platform.next(TOKENS, respondingWith(400, { error: 'invalid_grant' }));
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 400);
  });

  it('sends the verifier that belongs to the challenge [D2.13]', async () => {
    const attempt = await harness.begin();
    await harness.returnFromPlatform(attempt);
    const form = new URLSearchParams(harness.platform.seen.find(({ call }) => call === TOKENS)?.body);
    const verifier = form.get('code_verifier') ?? '';
    expect(verifier.length).toBeGreaterThanOrEqual(43);
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(attempt.challenge);
  });

  it('of a used code keeps the stored tokens [D2.14]', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const credential = () => harness.row('SELECT version, access_token FROM credential WHERE installation_id = $1', id);
    const before = await credential();
    harness.platform.next(TOKENS, respondingWith(400, { error: 'invalid_grant' }));
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(400);
    expect(await credential()).toEqual(before);
  });

  it('happens once for two concurrent callbacks [D2.15]', async () => {
    const attempt = await harness.begin();
    const replies = await Promise.all([harness.returnFromPlatform(attempt), harness.returnFromPlatform(attempt)]);
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
  it.each(faults)('that ends in %s is a 502 page [D2.16]', async (_, behavior) => {
    harness.platform.next(TOKENS, behavior);
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 502);
  });

  it('that ends in a redirect is a 502 page, and the redirect is not followed [D2.16]', async () => {
    const elsewhere = await MisbehavingServer.start();
    harness.platform.next(TOKENS, respondingWith(302, '', { location: `${elsewhere.url}/oauth/token` }));
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 502);
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  it.each([
    { change: { token_type: 'mac' }, status: 502, row: 'D2.17' },
    { change: { access_token: undefined }, status: 502, row: 'D2.17' },
    { change: { access_token: '' }, status: 502, row: 'D2.17' },
    { change: { access_token: 'a\nb' }, status: 502, row: 'D2.17' },
    { change: { expires_in: -1 }, status: 502, row: 'D2.18' },
    { change: { expires_in: 1e12 }, status: 502, row: 'D2.18' },
    { change: { expires_in: undefined }, status: 200, row: 'D2.18' },
    { change: { expires_in: '900' }, status: 200, row: 'D2.18' },
    { change: { refresh_token: undefined }, status: 409, row: 'D2.19' },
  ])('with $change is a page with $status [$row]', async ({ change, status }) => {
    harness.platform.next(TOKENS, respondingWith(200, { ...harness.platform.grant(), ...change }));
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(status);
  });

  it('with fewer scopes gets 409, which names the missing ones [D2.20]', async () => {
    harness.platform.scope = 'export-jobs:read companies:read';
    const { text } = await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 409);
    expect(text).toContain('Missing: export-jobs:write, export-items:read.');
  });

  it('with more scopes than requested is accepted [D2.20]', async () => {
    harness.platform.scope = `users:read ${ALL_SCOPES}`;
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(200);
  });
});

describe('after the exchange', () => {
  it('an activation that fails three times leaves the installation authorized, with its problem, until a retry succeeds [D2.23]', async () => {
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
      problem: { text: 'The platform responded 500 INTERNAL. The connector tries again automatically.' },
    });
    const inGerman = await harness.call('GET', '/api/v1/connection', { token, headers: { 'accept-language': 'de' } });
    expect(inGerman.json).toMatchObject({
      problem: { text: 'Die Plattform hat mit 500 INTERNAL geantwortet. Der Konnektor versucht es von selbst wieder.' },
    });
    await harness.finish(id);
    const done = await harness.call('GET', '/api/v1/connection', { token });
    expect(done.json).toMatchObject({ state: 'active', problem: null });
  });

  it('a company connected by another organization gets 409, and its connection stays unchanged [D2.24]', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const credential = () => harness.row('SELECT * FROM credential WHERE installation_id = $1', id);
    const before = await credential();
    const [index] = [harness.platform.companies.indexOf(company)];
    harness.platform.companies[index] = { ...company, organizationId: randomUUID() };
    await expectNothingChanged(async () => harness.returnFromPlatform(await harness.begin()), 409);
    expect(await credential()).toEqual(before);
  });

  it('a person who is not an admin on the platform cannot connect a company [D2.25]', async () => {
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
    expect(await harness.row('SELECT 1 FROM installation WHERE platform_company_id = $1', company.id)).toBeUndefined();
  });

  it('no page or redirect is cached or sends a referrer [D2.26]', async () => {
    const begun = await harness.call('GET', '/connect');
    const reply = await harness.returnFromPlatform(await harness.begin());
    for (const { headers } of [begun, reply]) {
      expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    }
    expect(reply.text).not.toContain('the-code');
    expect(at(reply, 'headers', 'location')).toBeUndefined();
  });
});
