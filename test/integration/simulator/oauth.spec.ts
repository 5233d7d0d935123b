import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import * as oauth from 'openid-client';
import {
  at,
  CLIENT_ID,
  CLIENT_SECRET,
  REDIRECT_URI,
  SCOPES,
  SimulatorHarness,
  textAt,
  tokensOf,
} from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let companyId: string;
const newVerifier = () => randomBytes(32).toString('base64url');

beforeAll(async () => {
  companyId = await simulator.addCompany();
});

const reads = async (accessToken: string) =>
  (await simulator.call('GET', '/v1/installations/me', { token: accessToken })).status;
const introspect = (token: string) =>
  simulator.form('/oauth/token/introspect', { token, client_id: CLIENT_ID, client_secret: CLIENT_SECRET });

describe('authorization code flow', () => {
  it('ends in a token of one company and an authorized installation', async () => {
    const verifier = newVerifier();
    const callback = await simulator.consent(companyId, verifier);
    expect(callback.get('state')).toBe('the-state');
    expect(callback.get('iss')).toBe(simulator.url);
    const answer = await simulator.exchange(callback.get('code') ?? '', verifier);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: SCOPES });
    const token = textAt(answer.body, 'access_token');
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    expect(at(header, 'typ')).toBe('at+jwt');
    const installation = await simulator.call('GET', '/v1/installations/me', { token });
    expect(installation.body).toMatchObject({
      status: 'AUTHORIZED',
      resource: `urn:platform:company:${companyId}`,
      metadata: {},
    });
    const identity = await simulator.call('GET', '/v1/introspect', { token });
    expect(at(identity.body, 'data')).toMatchObject({
      authMethod: 'OAUTH2',
      clientId: CLIENT_ID,
      scope: SCOPES,
      subjectURN: `urn:platform:company:${companyId}`,
    });
  });

  it('sets cookies that never expire by the date of a response', async () => {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: SCOPES,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const answer = await simulator.call('GET', `/oauth/authorize?${query.toString()}`);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    expect(cookies.filter((cookie) => cookie.includes('expires='))).toEqual([]);
  });

  it.each(['900', '0', 'soon'])(
    'asks the person, whatever max_age a client sends without openid: %s',
    async (maxAge) => {
      const query = new URLSearchParams({
        client_id: CLIENT_ID,
        response_type: 'code',
        redirect_uri: REDIRECT_URI,
        scope: SCOPES,
        state: 'the-state',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        max_age: maxAge,
      });
      const { status, headers } = await simulator.call('GET', `/oauth/authorize?${query.toString()}`);
      expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/oauth\/interaction\//)]);
    },
  );

  it('responds to an unrequested consent as the platform does', async () => {
    const answer = await simulator.call('GET', '/oauth/interaction/none');
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'INTERACTION_NOT_FOUND']);
  });

  it('shows a person who goes back to a consent that was given where to begin again', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const answer = await simulator.call('GET', '/oauth/interaction/none', { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('Go to the app, and begin there again.');
  });

  it('preselects the company and person of the browser’s page, and describes the requested scopes', async () => {
    const visited = await simulator.addCompany({ name: 'ZZ last of all' });
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'export-jobs:write',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const first = await simulator.call('GET', `/oauth/authorize?${query.toString()}`);
    const cookies = first.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const page = async (more: string) => {
      const headers = { cookie: [...cookies, more].join('; ') };
      return (await simulator.call('GET', first.headers.get('location') ?? '', { headers })).text;
    };
    const proposed = /value="([^"]+)"[^>]*checked[^>]*> ([^<]*)|checked=""[^>]*value="([^"]+)"/;
    const chosenPerson = /<option value="([^"]+)" selected="">/;
    const employee = { id: randomUUID(), firstName: 'Maarja', lastName: 'Kask', email: 'maarja.kask@example.com' };
    await simulator.call('POST', `/control/companies/${visited}/employees`, { body: [employee] });
    const atOwnPage = await page(`simulator_visitor=${visited}.${employee.id}`);
    expect(proposed.exec(atOwnPage)?.slice(1)).toContain(visited);
    expect(chosenPerson.exec(atOwnPage)?.[1]).toBe(employee.id);
    expect(atOwnPage).toContain('You come from the page of ZZ last of all, where you are Maarja Kask.');
    const atAnother = await page(`simulator_visitor=${companyId}.${employee.id}`);
    expect(proposed.exec(atAnother)?.slice(1)).toContain(companyId);
    expect(atAnother).not.toContain('Maarja');
    expect(proposed.exec(await page('simulator_visitor=nonsense'))?.slice(1)).not.toContain(visited);
    expect(await page('')).toContain('start exports, and report how they ended');
  });

  it('works with openid-client', async () => {
    const configuration = await oauth.discovery(new URL(simulator.url), CLIENT_ID, CLIENT_SECRET, undefined, {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    });
    const verifier = oauth.randomPKCECodeVerifier();
    const callback = new URL(REDIRECT_URI);
    callback.search = (await simulator.consent(companyId, verifier)).toString();
    const tokens = await oauth.authorizationCodeGrant(configuration, callback, {
      expectedState: 'the-state',
      pkceCodeVerifier: verifier,
    });
    const renewed = await oauth.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    expect(await reads(renewed.access_token)).toBe(200);
    const state = await oauth.tokenIntrospection(configuration, renewed.access_token);
    expect(state).toMatchObject({ active: true, client_id: CLIENT_ID, scope: SCOPES });
  });

  it('asks again in a browser that consented before, and binds the token to the company chosen then', async () => {
    const cookies = new Map<string, string>();
    const verifier = newVerifier();
    await simulator.consent(companyId, verifier, 'approve', SCOPES, cookies);
    const other = await simulator.addCompany({ name: 'Other' });
    const callback = await simulator.consent(other, verifier, 'approve', SCOPES, cookies);
    const { accessToken } = tokensOf(await simulator.exchange(callback.get('code') ?? '', verifier));
    const identity = await simulator.call('GET', '/v1/introspect', { token: accessToken });
    expect(at(identity.body, 'data', 'subjectURN')).toBe(`urn:platform:company:${other}`);
  });

  it('reports a denial to the client', async () => {
    const callback = await simulator.consent(companyId, newVerifier(), 'deny');
    expect(callback.get('error')).toBe('access_denied');
    expect(callback.get('state')).toBe('the-state');
  });

  it('shows a page with the companies', async () => {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: SCOPES,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const start = await simulator.call('GET', `/oauth/authorize?${query.toString()}`);
    const page = await simulator.call('GET', start.headers.get('location') ?? '', {
      headers: {
        cookie: start.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';')[0])
          .join('; '),
      },
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain(companyId);
    expect(page.headers.get('content-security-policy')).not.toContain('form-action');
  });

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
    ['with an unknown scope', { scope: 'export-jobs:read salaries:read' }],
  ])('redirects the person with an error %s', async (_case, change) => {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: SCOPES,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...change,
    });
    const answer = await simulator.call('GET', `/oauth/authorize?${query.toString()}`);
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toMatch(/invalid_/);
  });

  it('does not redirect to an address that is not registered', async () => {
    const answer = await simulator.call(
      'GET',
      `/oauth/authorize?client_id=${CLIENT_ID}&response_type=code&redirect_uri=http://localhost:3999/other`,
    );
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('refuses a wrong verifier, a wrong secret and a code used twice', async () => {
    const verifier = newVerifier();
    const code = async () => (await simulator.consent(companyId, verifier)).get('code') ?? '';
    const wrongVerifier = await simulator.exchange(await code(), newVerifier());
    expect(at(wrongVerifier.body, 'error')).toBe('invalid_grant');
    const wrongSecret = await simulator.form('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: CLIENT_ID,
      client_secret: 'not-the-secret-of-this-client',
    });
    expect(wrongSecret.status).toBe(401);
    const once = await code();
    const first = tokensOf(await simulator.exchange(once, verifier));
    expect((await simulator.exchange(once, verifier)).status).toBe(400);
    expect(await reads(first.accessToken)).toBe(401);
  });
});

describe('refresh', () => {
  it('rotates, and a second use of an old token revokes the whole family', async () => {
    const first = await simulator.connect(companyId);
    const second = tokensOf(await simulator.refresh(first.refreshToken));
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await reads(first.accessToken)).toBe(200);
    expect(await reads(second.accessToken)).toBe(200);
    const replay = await simulator.refresh(first.refreshToken);
    expect(replay.status).toBe(400);
    expect(at(replay.body, 'error')).toBe('invalid_grant');
    expect((await simulator.refresh(second.refreshToken)).status).toBe(400);
    expect(await reads(second.accessToken)).toBe(401);
    expect((await introspect(second.accessToken)).body).toEqual({ active: false });
  });

  it('lets one of two concurrent uses succeed', async () => {
    const { refreshToken } = await simulator.connect(companyId);
    const answers = await Promise.all([simulator.refresh(refreshToken), simulator.refresh(refreshToken)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('survives a restart', async () => {
    const tokens = await simulator.connect(companyId);
    await simulator.restart();
    expect(await reads(tokens.accessToken)).toBe(200);
    expect((await simulator.refresh(tokens.refreshToken)).status).toBe(200);
  });
});

describe('token lifetimes', () => {
  it('end an access token after 15 minutes of the simulator and a refresh token after 60 days', async () => {
    const { accessToken, refreshToken } = await simulator.connect(companyId);
    await simulator.control('POST', '/clock', { advanceSeconds: 890 });
    expect(await reads(accessToken)).toBe(200);
    await simulator.control('POST', '/clock', { advanceSeconds: 20 });
    expect(await reads(accessToken)).toBe(401);
    const renewed = tokensOf(await simulator.refresh(refreshToken));
    expect(await reads(renewed.accessToken)).toBe(200);
    await simulator.control('POST', '/clock', { advanceSeconds: 60 * 86_400 });
    expect((await simulator.refresh(renewed.refreshToken)).status).toBe(400);
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });
});

describe('introspection', () => {
  it('responds only to the client that got the token', async () => {
    const { accessToken, refreshToken } = await simulator.connect(companyId);
    expect((await introspect(accessToken)).body).toMatchObject({
      active: true,
      token_type: 'at+JWT',
      sub: '00000000-0000-4000-8000-000000000001',
      username: 'Ada Berg',
    });
    expect((await introspect(refreshToken)).body).toMatchObject({ active: true, client_id: CLIENT_ID });
    expect((await introspect('nonsense')).body).toEqual({ active: false });
    await simulator.control('POST', '/clients', {
      clientId: 'other',
      clientSecret: 'the-secret-of-another',
      redirectUris: ['http://localhost:1/'],
    });
    const other = Buffer.from('other:the-secret-of-another').toString('base64');
    const foreign = await simulator.form(
      '/oauth/token/introspect',
      { token: accessToken },
      { authorization: `Basic ${other}` },
    );
    expect(foreign.body).toEqual({ active: false });
    expect((await simulator.form('/oauth/token/introspect', { token: accessToken })).status).toBe(401);
  });
});

describe('what the server announces', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])('is served: %s', async (name) => {
    const { body } = await simulator.call('GET', `/.well-known/${name}`);
    const addresses = Object.entries(Object.assign({}, body)).filter(([key]) => /_(endpoint|uri)$/.test(key));
    expect(addresses.map(([key]) => key).sort()).toEqual([
      'authorization_endpoint',
      'introspection_endpoint',
      'jwks_uri',
      'token_endpoint',
    ]);
    for (const [key, address] of addresses) {
      const { status } = await simulator.call('GET', String(address).slice(simulator.url.length));
      expect([key, status]).not.toEqual([key, 404]);
    }
  });

  it('has the scopes of the platform, and no way to bind tokens that its API does not know', async () => {
    const { body } = await simulator.call('GET', '/.well-known/oauth-authorization-server');
    expect(at(body, 'scopes_supported')).toEqual(expect.arrayContaining(SCOPES.split(' ')));
    expect(at(body, 'scopes_supported')).not.toContain('openid');
    expect(at(body, 'dpop_signing_alg_values_supported')).toBeUndefined();
  });
});
