import { expect } from '@jest/globals';
import {
  applicationOf,
  authorize,
  connected,
  exchange,
  storeRefreshToken,
  newVerifier,
  NO_CODE,
  refresh,
  requested,
  sendForm,
} from '../authorization.js';
import type { ConformanceRow } from '../conformance-row.js';
import { at, type Platform } from '../platform.js';

const TOKENS = {
  access_token: expect.any(String),
  refresh_token: expect.any(String),
  expires_in: expect.any(Number),
  token_type: 'Bearer',
};
const reads = async ({ address }: Platform, token: unknown) =>
  (await fetch(`${address.url}/v1/introspect`, { headers: { authorization: `Bearer ${String(token)}` } })).status;
const introspect = async (platform: Platform, token: unknown, how: 'form' | 'basic' = 'form') =>
  sendForm(platform, '/oauth/token/introspect', { token: String(token) }, how);
/** Another application than ours, at a simulator. */
const otherApplication = async ({ sandbox }: Platform) => {
  const redirectUris = ['http://localhost:3999/callback'];
  const other = await sandbox.control('POST', '/clients', { redirectUris });
  return { client_id: String(at(other, 'clientId')), client_secret: String(at(other, 'clientSecret')) };
};

const AUTHORIZE: readonly ConformanceRow[] = [
  {
    fact: 'an approval comes back with a code and the state',
    source: 'P3.1',
    needs: 'sandbox',
    observe: async (platform) => Object.fromEntries((await authorize(platform)).callback),
    expected: expect.objectContaining({ code: expect.any(String), state: 'the-state' }),
  },
  {
    fact: 'a denial comes back with an error and the state',
    source: 'P3.1',
    needs: 'sandbox',
    observe: async (platform) => Object.fromEntries((await authorize(platform, {}, { decision: 'deny' })).callback),
    expected: expect.objectContaining({ error: 'access_denied', state: 'the-state' }),
  },
  ...(
    [
      ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['with a scope the client is not registered for', { scope: 'salaries:read' }, 'invalid_scope'],
      ['with another response type', { response_type: 'nonsense' }, 'unsupported_response_type'],
    ] as const
  ).map(([how, change, error]) => ({
    fact: `a request ${how} comes back as ${error}`,
    source: 'P3.1 (PKCE, redirect back)',
    needs: 'client' as const,
    observe: async (platform: Platform) => (await requested(platform, change)).callback.get('error'),
    expected: error,
  })),
  {
    fact: 'an address that is not registered is not redirected to',
    source: 'P3.1 (redirect URI)',
    needs: 'client',
    observe: async (platform) => {
      const elsewhere = await requested(platform, { redirect_uri: 'http://localhost:3999/other' });
      return [elsewhere.status, [...elsewhere.callback]];
    },
    expected: [400, []],
  },
  {
    fact: 'a consent makes an installation that is AUTHORIZED',
    source: 'P3.3, P3.6',
    needs: 'sandbox',
    observe: async (platform) => {
      const { accessToken } = await connected(platform);
      const headers = { authorization: `Bearer ${accessToken}` };
      const answer = await fetch(`${platform.address.url}/v1/installations/me`, { headers });
      return at(await answer.json(), 'status');
    },
    expected: 'AUTHORIZED',
  },
];

const TOKEN: readonly ConformanceRow[] = [
  ...(['form', 'basic'] as const).map((how) => ({
    fact: `a code is exchanged with the client’s secret in the ${how === 'form' ? 'form' : 'Basic header'}`,
    source: 'P3.1 (client auth)',
    needs: 'sandbox' as const,
    observe: async (platform: Platform) => {
      const answer = await exchange(platform, await authorize(platform), {}, how);
      return [answer.status, answer.body];
    },
    expected: [200, expect.objectContaining(TOKENS)],
  })),
  {
    fact: 'an access token is good for 15 minutes',
    source: 'P3.1',
    needs: 'sandbox',
    observe: async (platform) => {
      const { accessToken, expiresIn } = await connected(platform);
      await platform.sandbox.advance(890);
      const before = await reads(platform, accessToken);
      await platform.sandbox.advance(20);
      return [expiresIn, before, await reads(platform, accessToken)];
    },
    expected: [900, 200, 401],
  },
  ...(
    [
      ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 400, 'invalid_grant'],
      ['no verifier', { code_verifier: '' }, 400, 'invalid_grant'],
      ['another redirect address', { redirect_uri: 'http://localhost:3999/other' }, 400, 'invalid_grant'],
    ] as const
  ).map(([how, change, status, error]) => ({
    fact: `an exchange with ${how} is answered ${error}`,
    source: 'P3.1; RFC 6749 §5.2',
    needs: 'sandbox' as const,
    observe: async (platform: Platform) => {
      const answer = await exchange(platform, await authorize(platform), change);
      return [answer.status, at(answer.body, 'error')];
    },
    expected: [status, error],
  })),
  ...(
    [
      ['an unknown code', { code: 'nonsense' }, 400, 'invalid_grant'],
      ['a wrong secret', { client_secret: 'not-the-secret-of-it' }, 401, 'invalid_client'],
      ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
      ['an unknown grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
      ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'nonsense' }, 400, 'invalid_grant'],
    ] as const
  ).map(([how, change, status, error]) => ({
    fact: `an exchange with ${how} is answered ${error}`,
    source: 'P3.1; RFC 6749 §5.2',
    needs: 'client' as const,
    observe: async (platform: Platform) => {
      const answer = await exchange(platform, NO_CODE, change);
      return [answer.status, at(answer.body, 'error')];
    },
    expected: [status, error],
  })),
  {
    fact: 'a code is good for one exchange, and a second one takes its tokens back',
    source: 'P3.1; RFC 6749 §4.1.2',
    needs: 'sandbox',
    observe: async (platform) => {
      const authorized = await authorize(platform);
      const first = await exchange(platform, authorized);
      const second = await exchange(platform, authorized);
      return [at(second.body, 'error'), await reads(platform, at(first.body, 'access_token'))];
    },
    expected: ['invalid_grant', 401],
  },
  {
    fact: 'a verifier has 43 characters at least',
    source: 'P3.1 (PKCE)',
    needs: 'sandbox',
    observe: async (platform) => {
      const verifier = 'short';
      return (await exchange(platform, await authorize(platform, {}, { verifier }), {})).status;
    },
    expected: 400,
  },
];

const REFRESH: readonly ConformanceRow[] = [
  {
    fact: 'a refresh gives a new access token and a new refresh token',
    source: 'P3.1 (rotation)',
    needs: 'grant',
    observe: async (platform) => {
      const { accessToken, refreshToken } = await connected(platform);
      const { status, body } = await refresh(platform, refreshToken);
      storeRefreshToken(platform, at(body, 'refresh_token'));
      return [status, body, at(body, 'access_token') !== accessToken, at(body, 'refresh_token') !== refreshToken];
    },
    expected: [200, expect.objectContaining(TOKENS), true, true],
  },
  {
    fact: 'a refresh token that was used takes all tokens of its authorization back',
    source: 'P3.1 (replay), P10',
    needs: 'sandbox',
    observe: async (platform) => {
      const { refreshToken } = await connected(platform);
      const second = (await refresh(platform, refreshToken)).body;
      const replay = await refresh(platform, refreshToken);
      const late = await refresh(platform, String(at(second, 'refresh_token')));
      return [
        [replay.status, at(replay.body, 'error')],
        late.status,
        await reads(platform, at(second, 'access_token')),
      ];
    },
    expected: [[400, 'invalid_grant'], 400, 401],
  },
  {
    fact: 'a refresh token is good for 60 days at least',
    source: 'P3.1',
    needs: 'sandbox',
    observe: async (platform) => {
      const { refreshToken } = await connected(platform);
      await platform.sandbox.advance(59 * 86_400);
      return (await refresh(platform, refreshToken)).status;
    },
    expected: 200,
  },
  {
    fact: 'a refresh token is refused to another client',
    source: 'RFC 6749 §6; P3.1',
    needs: 'sandbox',
    observe: async (platform) => {
      const { refreshToken } = await connected(platform);
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const other = await otherApplication(platform);
      const answer = await sendForm(platform, '/oauth/token', { ...form, ...other });
      return [answer.status, at(answer.body, 'error')];
    },
    expected: [400, 'invalid_grant'],
  },
  {
    fact: 'deleting the installation revokes every token',
    source: 'P3.1, P3.6',
    needs: 'sandbox',
    observe: async (platform) => {
      const { accessToken, refreshToken } = await connected(platform);
      const headers = { authorization: `Bearer ${accessToken}` };
      const address = `${platform.address.url}/v1/installations/me`;
      const { status } = await fetch(address, { method: 'DELETE', headers });
      return [status, await reads(platform, accessToken), (await refresh(platform, refreshToken)).status];
    },
    expected: [204, 401, 400],
  },
];

const INTROSPECTION: readonly ConformanceRow[] = [
  {
    fact: 'a good token is introspected with what it is for',
    source: 'P3.1 (introspection)',
    needs: 'grant',
    observe: async (platform) => {
      const { accessToken } = await connected(platform);
      const { clientId } = await applicationOf(platform);
      const { body } = await introspect(platform, accessToken);
      return [body, at(body, 'client_id') === clientId];
    },
    expected: [
      expect.objectContaining({
        active: true,
        sub: expect.any(String),
        exp: expect.any(Number),
        iat: expect.any(Number),
        aud: expect.anything(),
        iss: expect.any(String),
        jti: expect.any(String),
      }),
      true,
    ],
  },
  {
    fact: 'a refresh token is introspected, too',
    source: 'P3.1 (token_type_hint)',
    needs: 'grant',
    observe: async (platform) => {
      const { refreshToken } = await connected(platform);
      return at((await introspect(platform, refreshToken)).body, 'active');
    },
    expected: true,
  },
  {
    fact: 'an unknown token is introspected as not active, and nothing else',
    source: 'P3.1; RFC 7662 §2.2',
    needs: 'client',
    observe: async (platform) => (await introspect(platform, 'nonsense', 'basic')).body,
    expected: { active: false },
  },
  {
    fact: 'a token of another client is introspected as not active',
    source: 'P3.1 (only the client that got the token)',
    needs: 'sandbox',
    observe: async (platform) => {
      const { accessToken } = await connected(platform);
      const form = { token: accessToken, ...(await otherApplication(platform)) };
      const answer = await sendForm(platform, '/oauth/token/introspect', form);
      return at(answer.body, 'active');
    },
    expected: false,
  },
  {
    fact: 'introspection of nothing is answered invalid_request',
    source: 'P3.1 (token is required); RFC 6749 §5.2',
    needs: 'client',
    observe: async (platform) => {
      const answer = await sendForm(platform, '/oauth/token/introspect', {}, 'form');
      return [answer.status, at(answer.body, 'error')];
    },
    expected: [400, 'invalid_request'],
  },
  {
    fact: 'introspection with a wrong secret is answered 401 invalid_client',
    source: 'P3.1; RFC 7662 §2.3',
    needs: 'client',
    observe: async (platform) => {
      const form = { token: 'nonsense', client_secret: newVerifier() };
      const answer = await sendForm(platform, '/oauth/token/introspect', form, 'form');
      return [answer.status, at(answer.body, 'error')];
    },
    expected: [401, 'invalid_client'],
  },
  {
    fact: 'an OAuth token is described as one, of the company that was approved',
    source: 'P3.1 (GET /v1/introspect)',
    needs: 'sandbox',
    observe: async (platform) => {
      const { accessToken, companyId } = await connected(platform);
      const headers = { authorization: `Bearer ${accessToken}` };
      const answer = await fetch(`${platform.address.url}/v1/introspect`, { headers });
      const data = at(await answer.json(), 'data');
      return [at(data, 'authMethod'), String(at(data, 'subjectURN')).endsWith(`:company:${companyId}`)];
    },
    expected: ['OAUTH2', true],
  },
  {
    fact: 'introspection tells whose the token is',
    source: 'P3.1 (introspection, URNs)',
    needs: 'grant',
    observe: async (platform) => {
      const { accessToken } = await connected(platform);
      const fields = Object.entries(Object.assign({}, (await introspect(platform, accessToken)).body));
      return fields.find(([name]) => name.endsWith(':params:oauth:subject_urn'))?.[1];
    },
    expected: expect.stringMatching(/^urn:\w+:(company|organization):[0-9a-f-]{36}$/),
  },
];

export const OAUTH_ROWS: readonly ConformanceRow[] = [...AUTHORIZE, ...TOKEN, ...REFRESH, ...INTROSPECTION];
