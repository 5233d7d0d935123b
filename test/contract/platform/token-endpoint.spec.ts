import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AuthorizationLost,
  InvalidPlatformResponse,
  PlatformRefusal,
} from '../../../src/connector/platform/platform-error.js';
import { PlatformOAuth } from '../../../src/connector/platform/platform-oauth.js';
import { Secret } from '../../../src/foundation/config/secret.js';
import { HttpClient, NoResponse } from '../../../src/foundation/http/client/http-client.js';
import {
  respondingWith,
  MisbehavingServer,
  reset,
  silent,
  truncated,
} from '../../support/servers/misbehaving-server.js';
import { startedOnce } from '../../support/started-once.js';

// What may come from the token endpoint, and what we make of it (D2.16 to D2.20).

const SCOPE = 'export-jobs:read export-jobs:write export-items:read companies:read';
const GRANT = {
  access_token: 'new-access',
  refresh_token: 'new-refresh',
  token_type: 'Bearer',
  expires_in: 900,
};

const server = startedOnce(() => MisbehavingServer.start());
let http: HttpClient;
let oauth: PlatformOAuth;

beforeEach(() => {
  http = new HttpClient({
    baseUrl: server.url,
    timeoutMs: 1_000,
    maxResponseBytes: 65_536,
    maxConnections: 2,
  });
  oauth = new PlatformOAuth(
    {
      authUrl: server.url,
      issuer: server.url,
      clientId: 'connector',
      clientSecret: new Secret('client-secret'),
      redirectUri: 'http://localhost/callback',
    },
    http,
  );
});
afterEach(() => {
  http.close();
});

async function failure(): Promise<unknown> {
  return oauth.refresh('old-refresh').then(
    (tokens) => new Error(`granted ${JSON.stringify(tokens)}`),
    (error: unknown) => error,
  );
}

describe('a grant', () => {
  it.each([
    ['with seconds as a number', { expires_in: 900 }, 900],
    ['with seconds as text', { expires_in: '900' }, 900],
    ['for a year, of which thirty days are used', { expires_in: 365 * 86_400 }, 30 * 86_400],
    ['without a lifetime', { expires_in: undefined }, 300],
    ['with the scopes in another order and more', { scope: `users:read ${SCOPE}` }, 900],
    ['with fields that we do not know', { id_of_something: 1 }, 900],
    ['with the type in lower case', { token_type: 'bearer' }, 900],
    ['without a type', { token_type: undefined }, 900],
    ['with null for what it does not say', { token_type: null, expires_in: null, scope: null, id_token: null }, 300],
  ])('%s is accepted', async (_, change, expiresInSeconds) => {
    server.plan(respondingWith(200, { ...GRANT, ...change }));
    const tokens = await oauth.refresh('old-refresh');
    expect(tokens).toMatchObject({ accessToken: 'new-access', refreshToken: 'new-refresh' });
    // A second may have begun since the answer came.
    expect([expiresInSeconds, expiresInSeconds - 1]).toContain(tokens.expiresInSeconds);
  });

  it('without a refresh token keeps the previous one: the server does not rotate', async () => {
    for (const none of [undefined, null]) {
      server.plan(respondingWith(200, { ...GRANT, refresh_token: none }));
      expect(await oauth.refresh('old-refresh')).toMatchObject({ refreshToken: 'old-refresh' });
    }
  });

  it.each([
    ['of another type', { token_type: 'mac' }],
    ['without an access token', { access_token: undefined }],
    ['with null for an access token', { access_token: null }],
    ['with an empty access token', { access_token: '' }],
    ['with a line break in the access token', { access_token: 'new\r\naccess' }],
    ['with an empty refresh token', { refresh_token: '' }],
    ['with a space in the refresh token', { refresh_token: 'new refresh' }],
    ['for a negative time', { expires_in: -1 }],
    ['for a time in words', { expires_in: 'soon' }],
  ])('%s is malformed', async (_, change) => {
    server.plan(respondingWith(200, { ...GRANT, ...change }));
    expect(await failure()).toBeInstanceOf(InvalidPlatformResponse);
  });
});

describe('the grant of a first exchange', () => {
  it('for a year is accepted', async () => {
    server.plan(respondingWith(200, { ...GRANT, expires_in: 365 * 86_400 }));
    const query = new URLSearchParams({ code: 'a-code', state: 'a-state', iss: server.url });
    const tokens = await oauth.exchangeCode(query, 'a-state', 'v'.repeat(43));
    expect(tokens.expiresInSeconds).toBe(30 * 86_400);
  });

  it.each([
    ['for no time', { expires_in: 0 }],
    ['for 10^12 seconds', { expires_in: 1e12 }],
    ['for less than we need', { scope: 'export-jobs:read' }],
    ['without a refresh token', { refresh_token: undefined }],
  ])('%s is refused', async (_, change) => {
    server.plan(respondingWith(200, { ...GRANT, ...change }));
    const query = new URLSearchParams({ code: 'a-code', state: 'a-state', iss: server.url });
    const exchange = oauth.exchangeCode(query, 'a-state', 'v'.repeat(43));
    await expect(exchange).rejects.toBeInstanceOf(InvalidPlatformResponse);
  });
});

describe('a token endpoint that responds with', () => {
  it.each([
    ['HTML', respondingWith(200, '<html>hello</html>', { 'content-type': 'text/html' })],
    ['no body', respondingWith(200, '')],
    ['204', respondingWith(204, '')],
    ['205', respondingWith(205, '')],
    ['a list', respondingWith(200, [])],
    ['null', respondingWith(200, 'null')],
  ])('%s breaks the protocol', async (_, behavior) => {
    server.plan(behavior);
    expect(await failure()).toBeInstanceOf(InvalidPlatformResponse);
  });

  it.each([301, 302, 307, 308])('redirect %d is not followed', async (status) => {
    const elsewhere = await MisbehavingServer.start();
    elsewhere.always(respondingWith(200, GRANT));
    server.plan(respondingWith(status, '', { location: `${elsewhere.url}/oauth/token` }));
    const error = await failure();
    await elsewhere.close();
    expect(error).toBeInstanceOf(InvalidPlatformResponse);
    expect(elsewhere.requests).toHaveLength(0);
  });

  it.each([
    ['more than the size limit', respondingWith(200, { ...GRANT, padding: 'x'.repeat(65_537) })],
    ['half a body', truncated],
    ['nothing and hangs up', reset],
  ])('%s leaves the outcome unknown', async (_, behavior) => {
    server.plan(behavior);
    const error = await failure();
    expect(error).toBeInstanceOf(NoResponse);
    expect(error).toMatchObject({ sent: true });
  });

  it('nothing in time leaves the outcome of a code unknown', async () => {
    server.plan(silent);
    const query = new URLSearchParams({ code: 'a-code', state: 'a-state', iss: server.url });
    const exchange = oauth.exchangeCode(query, 'a-state', 'v'.repeat(43));
    await expect(exchange).rejects.toMatchObject({ name: 'NoResponse', sent: true });
  });

  it('invalid_grant ends the grant', async () => {
    server.plan(respondingWith(400, { error: 'invalid_grant', error_description: 'used before' }));
    expect(await failure()).toBeInstanceOf(AuthorizationLost);
  });

  it.each([
    ['invalid_client', 400, {}],
    ['invalid_client', 401, {}],
    ['invalid_client', 401, { 'www-authenticate': 'Basic realm="tokens"' }],
    ['slow_down', 429, {}],
    ['server_error', 500, {}],
    ['temporarily_unavailable', 503, {}],
  ])('%s with %d %j is a refusal that does not end the grant', async (error, status, headers) => {
    server.plan(respondingWith(status, { error }, headers));
    const refusal = await failure();
    expect(refusal).toBeInstanceOf(PlatformRefusal);
    expect(refusal).toMatchObject({ status });
  });

  it('429 and Retry-After gives the time to wait', async () => {
    server.plan(respondingWith(429, { error: 'slow_down' }, { 'retry-after': '30' }));
    expect(await failure()).toMatchObject({ status: 429, retryAfterMs: 30_000 });
  });

  it('anything shows no secret in the error', async () => {
    server.plan(respondingWith(500, 'client-secret old-refresh'));
    const error = await failure();
    const shown = error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '';
    expect(shown).not.toMatch(/client-secret|old-refresh/);
  });
});
