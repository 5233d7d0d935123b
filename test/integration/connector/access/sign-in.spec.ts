import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { respondingWith, reset } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness, organizationUrn } from '../installations/connect-harness.js';
import { beginSignIn, csrfOf, returnFromPlatform, signIn, Visitor, whoIs } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// Signing in, and how long it lasts (docs/rules/bad-inputs.md, D2, D3.1, S20).

const ADA = { sub: 'subject-of-ada', username: 'Ada Berg' };
const TOKENS = 'POST /oauth/token';
const INTROSPECTION = 'POST /oauth/token/introspect';

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;

beforeEach(async () => {
  harness.platform.restore();
  harness.platform.person = ADA;
  company = harness.platform.addCompany({ name: `Company ${randomUUID()}` });
  id = await harness.connect(companyUrn(company.id));
  harness.platform.seen.length = 0;
});

const visitor = () => new Visitor(harness.connector.app);
const sessions = async (installationId = id) =>
  at(await harness.row('SELECT count(*)::int FROM member_session WHERE installation_id = $1', installationId), 'count');
const credential = () => harness.row('SELECT * FROM credential WHERE installation_id = $1', id);
const hashOf = (text: string) => createHash('sha256').update(text).digest();

describe('the redirect to the platform', () => {
  it('has PKCE, a state, and only the scopes needed to see companies', async () => {
    const ada = visitor();
    const { status, headers } = await ada.call('GET', '/app/sign-in');
    const location = new URL(String(headers['location']));
    expect([status, location.origin, location.pathname]).toEqual([302, harness.platform.url, '/oauth/authorize']);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'companies:read',
      redirect_uri: 'http://localhost:3000/oauth/callback',
    });
    expect(location.searchParams.get('state')?.length).toBeGreaterThanOrEqual(43);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is the same for an unknown and for a malformed session', async () => {
    for (const value of ['x'.repeat(43), '%00', '']) {
      const stranger = visitor();
      stranger.cookies.set('connector_session', value);
      expect((await stranger.call('GET', '/app/sign-in')).status).toBe(302);
      expect((await whoIs(stranger)).status).toBe(401);
    }
  });
});

describe('the return from the platform', () => {
  it('starts a session of the company, for the person the platform names', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    expect((await whoIs(ada)).json).toMatchObject({ installationId: id, role: 'admin', displayName: 'Ada Berg' });
    expect(await harness.row('SELECT subject, display_name FROM member WHERE installation_id = $1', id)).toEqual({
      subject: ADA.sub,
      display_name: ADA.username,
    });
  });

  it('introspects the token as the client, with its name and secret', async () => {
    await signIn(harness, companyUrn(company.id), ADA);
    const asked = harness.platform.seen.find(({ call }) => call === INTROSPECTION);
    expect(asked?.authorization).toMatch(/^Basic /);
    expect(new URLSearchParams(asked?.body).get('token')).toMatch(/^access-/);
  });

  it('stores no token, and leaves the installation’s own grant and state unchanged', async () => {
    const before = await credential();
    await signIn(harness, companyUrn(company.id), ADA);
    expect(await credential()).toEqual(before);
    expect(await harness.row('SELECT state FROM installation WHERE id = $1', id)).toEqual({
      state: 'active',
    });
    expect(await harness.row('SELECT count(*)::int FROM connection_attempt WHERE grant_tokens IS NOT NULL')).toEqual({
      count: 0,
    });
    expect(harness.platform.calls()).toEqual([TOKENS, 'GET /v1/installations/me', INTROSPECTION]);
  });

  it('needs no refresh token, which it would not use', async () => {
    const grant: Readonly<Record<string, unknown>> = {
      ...harness.platform.grant(),
      refresh_token: undefined,
    };
    harness.platform.resource = companyUrn(company.id);
    harness.platform.credentials.set(`Bearer ${String(grant['access_token'])}`, companyUrn(company.id));
    harness.platform.next(TOKENS, respondingWith(200, grant));
    const ada = visitor();
    expect((await returnFromPlatform(ada, await beginSignIn(ada))).status).toBe(302);
  });

  it('stores only a hash of the session id', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    expect(ada.session).toMatch(/^[\w-]{43}$/);
    expect(
      await harness.row('SELECT count(*)::int FROM member_session WHERE id_hash = $1', hashOf(ada.session ?? '')),
    ).toEqual({ count: 1 });
  });

  it('in a signed-in browser gives a new session id and ends the old session', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const before = ada.session ?? '';
    harness.platform.resource = companyUrn(company.id);
    const again = visitor();
    const state = await beginSignIn(again);
    ada.cookies.set('connector_connection', again.cookies.get('connector_connection') ?? '');
    expect((await returnFromPlatform(ada, state)).status).toBe(302);
    expect(ada.session).not.toBe(before);
    expect(await sessions()).toBe(1);
    ada.cookies.set('connector_session', before);
    expect((await whoIs(ada)).status).toBe(401);
  });

  it('does not accept a planted session id', async () => {
    const ada = visitor();
    const planted = 'A'.repeat(43);
    const state = await beginSignIn(ada);
    ada.cookies.set('connector_session', planted);
    harness.platform.resource = companyUrn(company.id);
    expect((await returnFromPlatform(ada, state)).status).toBe(302);
    expect(ada.session).not.toBe(planted);
  });

  it('works once, and in the same browser only', async () => {
    const ada = visitor();
    harness.platform.resource = companyUrn(company.id);
    const state = await beginSignIn(ada);
    const other = visitor();
    await beginSignIn(other);
    expect((await returnFromPlatform(other, state)).status).toBe(400);
    const [first, second] = [new Visitor(harness.connector.app), new Visitor(harness.connector.app)];
    for (const one of [first, second]) {
      one.cookies.set('connector_connection', ada.cookies.get('connector_connection') ?? '');
    }
    const replies = await Promise.all([returnFromPlatform(first, state), returnFromPlatform(second, state)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 400]);
    expect(await sessions()).toBe(1);
  });

  it('after more than ten minutes, from another issuer, or with no is not a sign-in', async () => {
    const late = visitor();
    const state = await beginSignIn(late);
    await harness.admin.query(
      `UPDATE connection_attempt SET expires_at = expires_at - interval '10 minutes' WHERE state_hash = $1`,
      [hashOf(state)],
    );
    expect((await returnFromPlatform(late, state)).status).toBe(400);
    const misled = visitor();
    const query = new URLSearchParams({
      code: 'c',
      state: await beginSignIn(misled),
      iss: 'https://evil.example',
    });
    const reply = await misled.call('GET', `/oauth/callback?${query.toString()}`);
    expect([reply.status, reply.text.includes('Not signed in')]).toEqual([400, true]);
    const denied = await misled.call('GET', '/oauth/callback?error=access_denied&state=s');
    expect([denied.status, denied.text.includes('No access given')]).toEqual([400, true]);
    expect(await sessions()).toBe(0);
    expect(harness.platform.calls()).not.toContain(TOKENS);
  });

  it.each([
    ['announces', { authorization_response_iss_parameter_supported: true }, 400],
    ['does not announce', {}, 302],
    ['denies', { authorization_response_iss_parameter_supported: false }, 302],
  ])('without an issuer, from a server that %s it', async (_, announced, status) => {
    // What a server announces is known for an hour: each has a connector of its own.
    const fresh = await ConnectHarness.start();
    try {
      const own = fresh.platform.addCompany();
      fresh.platform.metadata = { issuer: fresh.platform.url, ...announced };
      fresh.platform.resource = companyUrn(own.id);
      const iss = { iss: fresh.platform.url };
      await fresh.returnFromPlatform(await fresh.begin(), iss);
      const browser = new Visitor(fresh.connector.app);
      fresh.platform.resource = companyUrn(own.id);
      expect((await returnFromPlatform(browser, await beginSignIn(browser))).status).toBe(status);
    } finally {
      await fresh.close();
    }
  });

  it('for a company that is not connected reports that, and starts no session', async () => {
    const stranger = harness.platform.addCompany();
    const ada = visitor();
    harness.platform.resource = companyUrn(stranger.id);
    const before = await harness.installationCount();
    const reply = await returnFromPlatform(ada, await beginSignIn(ada));
    expect([reply.status, reply.text.includes('This company is not connected')]).toEqual([404, true]);
    expect(ada.session).toBeUndefined();
    expect(await harness.installationCount()).toBe(before);
  });

  it('for an uninstalled company reports that too', async () => {
    await harness.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [id]);
    const ada = visitor();
    harness.platform.resource = companyUrn(company.id);
    expect((await returnFromPlatform(ada, await beginSignIn(ada))).status).toBe(404);
  });

  it('for a company whose grant has expired works, so that a member can see the problem', async () => {
    await harness.admin.query(`UPDATE installation SET state = 'needs_reauthorization' WHERE id = $1`, [id]);
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    expect((await ada.call('GET', '/api/v1/connection')).json).toMatchObject({ state: 'needs_reauthorization' });
    expect(await harness.row('SELECT state FROM installation WHERE id = $1', id)).toEqual({
      state: 'needs_reauthorization',
    });
  });

  it.each([
    ['nobody', { active: true }],
    ['an empty name', { active: true, sub: '' }],
    ['a token that is not active', { active: false, sub: 'x' }],
    ['a name that is too long', { active: true, sub: 'x'.repeat(256) }],
  ])('from a platform that names %s is a 502 page', async (_, answer) => {
    const ada = visitor();
    harness.platform.resource = companyUrn(company.id);
    harness.platform.next(INTROSPECTION, respondingWith(200, answer));
    expect((await returnFromPlatform(ada, await beginSignIn(ada))).status).toBe(502);
    expect(await sessions()).toBe(0);
  });

  it('from a platform that becomes unavailable is a 502 page', async () => {
    const ada = visitor();
    harness.platform.resource = companyUrn(company.id);
    harness.platform.next(INTROSPECTION, reset);
    expect((await returnFromPlatform(ada, await beginSignIn(ada))).status).toBe(502);
  });

  it('without a name from the platform still works', async () => {
    const nameless = await signIn(harness, companyUrn(company.id), { sub: 'subject-without-name' });
    expect((await whoIs(nameless)).json).toMatchObject({ displayName: null, role: 'viewer' });
  });
});

describe('an organization’s consent', () => {
  it('lets the person choose among its connected companies, once, in the same browser', async () => {
    const { organizationId } = company;
    const second = harness.platform.addCompany({ organizationId, name: '<b>Second</b>' });
    const third = harness.platform.addCompany({ organizationId, name: 'Third' });
    const secondId = await harness.connect(companyUrn(second.id));
    harness.platform.resource = organizationUrn(organizationId);
    const ada = visitor();
    const state = await beginSignIn(ada);
    const page = await returnFromPlatform(ada, state);
    expect(page.status).toBe(200);
    expect(page.text).toContain(company.id);
    expect(page.text).toContain(second.id);
    expect(page.text).not.toContain('<b>Second');
    expect(page.text).not.toContain(third.id);
    const stored = await harness.row(
      'SELECT pending_sign_in, grant_tokens FROM connection_attempt WHERE state_hash = $1',
      hashOf(state),
    );
    expect(stored).toMatchObject({ grant_tokens: null });
    expect(JSON.stringify(stored)).not.toContain(ADA.sub);
    const pick = (who: Visitor, companyId: string) =>
      who.call('GET', `/oauth/sign-in?${new URLSearchParams({ state, company_id: companyId }).toString()}`);
    expect((await pick(visitor(), second.id)).status).toBe(400);
    const picked = await pick(ada, second.id);
    expect([picked.status, picked.headers['location']]).toEqual([302, '/app']);
    expect((await whoIs(ada)).json).toMatchObject({ installationId: secondId });
    expect((await pick(ada, company.id)).status).toBe(400);
  });

  it('starts no session for a company that was not offered', async () => {
    const { organizationId } = company;
    await harness.connect(companyUrn(harness.platform.addCompany({ organizationId }).id));
    const foreign = harness.platform.addCompany();
    await harness.connect(companyUrn(foreign.id));
    harness.platform.resource = organizationUrn(organizationId);
    const ada = visitor();
    const state = await beginSignIn(ada);
    await returnFromPlatform(ada, state);
    const query = new URLSearchParams({ state, company_id: foreign.id });
    expect((await ada.call('GET', `/oauth/sign-in?${query.toString()}`)).status).toBe(400);
    expect(ada.session).toBeUndefined();
  });

  it('with one connected company signs in to that', async () => {
    harness.platform.addCompany({ organizationId: company.organizationId });
    const ada = await signIn(harness, organizationUrn(company.organizationId), ADA);
    expect((await whoIs(ada)).json).toMatchObject({ installationId: id });
  });
});

describe('a session', () => {
  const age = (column: string, interval: string) =>
    harness.admin.query(`UPDATE member_session SET ${column} = ${column} - $1::interval WHERE installation_id = $2`, [
      interval,
      id,
    ]);

  it.each([
    ['used_at', '29 minutes', 200],
    ['used_at', '30 minutes', 401],
    ['ends_at', '7 hours 59 minutes', 200],
    ['ends_at', '8 hours', 401],
  ])('whose %s is %s ago answers %d [D3.1]', async (column, interval, status) => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    await age(column, interval);
    expect((await whoIs(ada)).status).toBe(status);
  });

  it('is extended while it is used, which is recorded once a minute', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const usedAt = () => harness.row('SELECT used_at FROM member_session WHERE installation_id = $1', id);
    const first = await usedAt();
    await whoIs(ada);
    expect(await usedAt()).toEqual(first);
    await age('used_at', '29 minutes');
    await whoIs(ada);
    await age('used_at', '29 minutes');
    expect((await whoIs(ada)).status).toBe(200);
  });

  it('ends at sign-out, also for a copy of its cookie', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const thief = visitor();
    thief.cookies.set('connector_session', ada.session ?? '');
    expect((await ada.call('DELETE', '/api/v1/sessions/current')).status).toBe(403);
    const out = await ada.call('DELETE', '/api/v1/sessions/current', { headers: await csrfOf(ada) });
    expect([out.status, out.headers['cache-control']]).toEqual([204, 'no-store']);
    expect(ada.session).toBeUndefined();
    expect((await whoIs(thief)).status).toBe(401);
    expect(await sessions()).toBe(0);
  });

  it('ends with the installation, and the person who connects it again is the admin of the next one', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const csrf = String(at((await whoIs(ada)).json, 'csrfToken'));
    const query = new URLSearchParams({ companyName: company.name });
    const gone = await ada.call('DELETE', `/api/v1/installation?${query.toString()}`, {
      headers: { 'x-csrf-token': csrf },
    });
    expect(gone.status).toBe(200);
    expect((await whoIs(ada)).status).toBe(401);
    const back = { sub: 'subject-of-bo' };
    await harness.connect(companyUrn(company.id), back);
    const bo = await signIn(harness, companyUrn(company.id), back);
    expect((await whoIs(bo)).json).toMatchObject({ installationId: id, role: 'admin' });
  });

  it('of an uninstalled installation is invalid, whatever data is left of it', async () => {
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    await harness.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [id]);
    expect((await whoIs(ada)).status).toBe(401);
  });

  it('that has expired is deleted at the next sign-in', async () => {
    await signIn(harness, companyUrn(company.id), ADA);
    await age('used_at', '31 minutes');
    await signIn(harness, companyUrn(company.id), ADA);
    expect(await sessions()).toBe(1);
  });
});
