import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness, type Reply } from '../installations/connect-harness.js';
import { respondingWith } from '../../../support/servers/misbehaving-server.js';
import { beginSignIn, returnFromPlatform, csrfOf, signIn, Visitor, whoIs } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// What a person may do only shortly after signing in (S53, ASVS 7.5.3).

const ADA = { sub: 'ada', username: 'Ada Berg' };
const RECENT_MINUTES = 15;

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let ada: Visitor;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany();
  id = await harness.connect(companyUrn(company.id), ADA);
  ada = await signIn(harness, companyUrn(company.id), ADA);
});

/** As if all members had signed in that much earlier, and were busy since. */
const age = (minutes: number) =>
  harness.admin.query(
    `UPDATE member_session SET ends_at = ends_at - make_interval(mins => $1) WHERE installation_id = $2`,
    [minutes, id],
  );
const typeOf = ({ status, json }: Reply) => [status, at(json, 'type')];
const AGAIN = [403, 'urn:problem:sign-in-again'];
const THERE_IS_NONE = [404, 'urn:problem:not-found'];

describe('a high-risk action', () => {
  const nobody = randomUUID();
  const uninstall = '/api/v1/installation?companyName=Another';
  it.each([
    ['PUT', `/api/v1/members/${nobody}`, { role: 'viewer' }, THERE_IS_NONE],
    ['DELETE', `/api/v1/members/${nobody}`, undefined, THERE_IS_NONE],
    ['POST', '/api/v1/api-tokens', { role: 'viewer', label: 'nightly' }, [201, undefined]],
    ['DELETE', `/api/v1/api-tokens/${nobody}`, undefined, THERE_IS_NONE],
    ['PUT', '/api/v1/connection/api-key', { apiKey: 'key_unknown' }, [422, 'urn:problem:api-key-refused']],
    ['PUT', '/api/v1/erp-connection', { kind: 'ledger', settings: {} }, [400, 'urn:problem:invalid-request']],
    ['POST', '/api/v1/erp-connection/test', {}, THERE_IS_NONE],
    ['POST', '/api/v1/erp-connection/sign-in', { kind: 'no', settings: {} }, [400, 'urn:problem:invalid-request']],
    ['DELETE', '/api/v1/erp-connection', undefined, THERE_IS_NONE],
    ['PUT', '/api/v1/erp-company', { erpCompanyId: 'nobody’s' }, [409, 'urn:problem:erp-not-connected']],
    ['PUT', '/api/v1/settings', {}, [400, 'urn:problem:invalid-request']],
    ['PUT', '/api/v1/webhook-settings', { timestampMeaning: 'attempt' }, [204, undefined]],
    ['PUT', '/api/v1/alert-settings', {}, [400, 'urn:problem:invalid-request']],
    ['POST', '/api/v1/alert-settings/test', undefined, [200, undefined]],
    ['PUT', '/api/v1/subscription', { status: 'ACTIVE' }, [202, undefined]],
    ['POST', `/api/v1/previews/${nobody}/commit`, {}, [400, 'urn:problem:invalid-request']],
    ['POST', '/api/v1/issues/nonsense/resolution', {}, THERE_IS_NONE],
    ['POST', '/api/v1/mapping/versions/999/restore', undefined, [428, 'urn:problem:precondition-required']],
    ['GET', '/api/v1/installation/export', undefined, [200, undefined]],
    ['DELETE', uninstall, undefined, [409, 'urn:problem:not-confirmed']],
    ['POST', '/api/v1/subscription/secret-rotation', undefined, [202, undefined]],
    ['POST', `/api/v1/discrepancies/${nobody}/actions`, { action: 'accept', note: 'seen' }, THERE_IS_NONE],
    ['POST', `/api/v1/in-doubt-postings/${nobody}/resolution`, { outcome: 'not-in-the-books' }, THERE_IS_NONE],
  ] as const)('%s %s requires a sign-in within the last 15 minutes', async (method, url, body, done) => {
    const call = async () =>
      ada.call(method, url, { headers: await csrfOf(ada), ...(body === undefined ? {} : { body }) });
    await age(RECENT_MINUTES - 1);
    expect(typeOf(await call())).toEqual(done);
    await age(1);
    const refused = await call();
    expect(typeOf(refused)).toEqual(AGAIN);
    expect(at(refused.json, 'signInAt')).toBe('http://localhost:3000/app/sign-in?again=true');
  });

  it('is known to the page before it is asked for', async () => {
    const known = async () => at((await whoIs(ada)).json, 'signedInRecently');
    await age(RECENT_MINUTES - 1);
    expect(await known()).toBe(true);
    await age(1);
    expect(await known()).toBe(false);
  });

  it('is refused for an insufficient role before anything else is reported', async () => {
    const bo = await signIn(harness, companyUrn(company.id), { sub: 'bo' });
    await age(RECENT_MINUTES);
    const answer = await bo.call('GET', '/api/v1/installation/export');
    expect(typeOf(answer)).toEqual([403, 'urn:problem:forbidden']);
  });

  it('is open to an API token of any age', async () => {
    const token = await harness.token(id);
    await harness.admin.query(
      `UPDATE api_token SET created_at = created_at - interval '3 hours' WHERE installation_id = $1`,
      [id],
    );
    expect((await harness.call('GET', '/api/v1/installation/export', { token })).status).toBe(200);
  });
});

describe('a request for a recent sign-in', () => {
  /** The way that a refusal points to, up to the platform. */
  async function askAgain(visitor: Visitor): Promise<URL> {
    return new URL(String((await visitor.call('GET', '/app/sign-in?again=true')).headers['location']));
  }

  /** A grant with an ID token that says when the person was authenticated. */
  function authenticated(secondsAgo: number): void {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: harness.platform.url, aud: 'erp-export-connector', sub: ADA.sub },
      ...{ iat: now, exp: now + 300, auth_time: now - secondsAgo },
    };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    harness.platform.resource = companyUrn(company.id);
    const grant = { ...harness.platform.grant(), id_token: `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl` };
    harness.platform.next('POST /oauth/token', respondingWith(200, grant));
  }

  it('makes the platform authenticate anyone it has not authenticated within the last 15 minutes', async () => {
    expect((await askAgain(ada)).searchParams.get('max_age')).toBe('900');
    const first = await new Visitor(harness.connector.app).call('GET', '/app/sign-in');
    expect(new URL(String(first.headers['location'])).searchParams.has('max_age')).toBe(false);
  });

  it('goes on without that wish where the platform does not take it, once', async () => {
    const state = (await askAgain(ada)).searchParams.get('state') ?? '';
    const refused = (error: string) =>
      ada.call('GET', `/oauth/callback?${new URLSearchParams({ error, state }).toString()}`);
    const answer = await refused('invalid_request');
    expect([answer.status, answer.headers['location']]).toEqual([302, '/app/sign-in?to=%2Fapp']);
    const plain = new URL(String((await ada.call('GET', '/app/sign-in?to=%2Fapp')).headers['location']));
    expect([plain.pathname, plain.searchParams.has('max_age')]).toEqual(['/oauth/authorize', false]);
    expect((await refused('invalid_request')).status).toBe(400);
  });

  it.each([
    ['that the person has denied', '/app/sign-in?again=true&to=%2Fapp%2Fissues', 'access_denied'],
    ['that asked for no recent authentication', '/app/sign-in?to=%2Fapp%2Fissues', 'invalid_request'],
  ])('does not go on with a sign-in %s, and leads to another one', async (_, begin, error) => {
    const begun = new URL(String((await ada.call('GET', begin)).headers['location']));
    const query = new URLSearchParams({ error, state: begun.searchParams.get('state') ?? '' });
    const { status, text } = await ada.call('GET', `/oauth/callback?${query.toString()}`);
    expect([status, text.includes('href="/app/sign-in?to=%2Fapp%2Fissues"')]).toEqual([400, true]);
  });

  it('rejects the response of a platform that did not authenticate again', async () => {
    const state = (await askAgain(ada)).searchParams.get('state') ?? '';
    authenticated(17 * 60);
    const refused = await returnFromPlatform(ada, state);
    expect([refused.status, refused.text.includes('Not signed in')]).toEqual([400, true]);
  });

  it('counts from the time that the platform reports', async () => {
    const state = (await askAgain(ada)).searchParams.get('state') ?? '';
    authenticated(10 * 60);
    expect((await returnFromPlatform(ada, state)).status).toBe(302);
    expect((await ada.call('GET', '/api/v1/installation/export')).status).toBe(200);
    await age(5);
    expect(typeOf(await ada.call('GET', '/api/v1/installation/export'))).toEqual(AGAIN);
  });

  it('follows at once for a member signed in by an old session of the platform', async () => {
    const visitor = new Visitor(harness.connector.app);
    const state = await beginSignIn(visitor);
    authenticated(7 * 60 * 60);
    expect((await returnFromPlatform(visitor, state)).status).toBe(302);
    expect((await visitor.call('GET', '/api/v1/members')).status).toBe(200);
    expect(typeOf(await visitor.call('GET', '/api/v1/installation/export'))).toEqual(AGAIN);
  });
});

describe('any other action', () => {
  it('is open to a session for its whole lifetime', async () => {
    await age(7 * 60);
    const headers = await csrfOf(ada);
    expect((await ada.call('GET', '/api/v1/members')).status).toBe(200);
    expect((await ada.call('POST', '/api/v1/jobs/detections', { headers })).status).toBe(202);
  });
});

it('a new sign-in replaces the old session by a new one', async () => {
  await age(RECENT_MINUTES);
  const before = ada.session ?? '';
  const { status, headers } = await ada.call('GET', '/app/sign-in?again=true&to=/app/people');
  const location = new URL(String(headers['location']));
  expect([status, location.pathname, headers['cache-control']]).toEqual([302, '/oauth/authorize', 'no-store']);
  const back = await returnFromPlatform(ada, location.searchParams.get('state') ?? '');
  expect([back.status, back.headers['location']]).toEqual([302, '/app/people']);
  expect(ada.session).not.toBe(before);
  const body = { label: 'nightly', role: 'viewer', days: 7 };
  expect((await ada.call('POST', '/api/v1/api-tokens', { headers: await csrfOf(ada), body })).status).toBe(201);
  const thief = new Visitor(harness.connector.app);
  thief.cookies.set('connector_session', before);
  expect((await whoIs(thief)).status).toBe(401);
});
