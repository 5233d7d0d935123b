import { beforeEach, describe, expect, it } from '@jest/globals';
import { respondingWith, reset } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { at, companyUrn, ConnectHarness, organizationUrn } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// Who is the first admin of an installation: the member who connected it, and where the platform names none, the holder of the
// operator's code (docs/spec-notes.md, "People and tokens").

const ADA = { sub: 'subject-of-ada', username: 'Ada Berg' };
const BO = { sub: 'subject-of-bo', username: 'Bo Dahl' };
const INTROSPECTION = 'POST /oauth/token/introspect';

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;

beforeEach(() => {
  harness.platform.restore();
  harness.platform.person = ADA;
  company = harness.platform.addCompany();
});

const roleOf = async (person: typeof ADA, id: string) =>
  at(await harness.row('SELECT role FROM member WHERE installation_id = $1 AND subject = $2', id, person.sub), 'role');
const memberIdOf = async (person: typeof ADA, id: string) =>
  String(
    at(await harness.row('SELECT id FROM member WHERE installation_id = $1 AND subject = $2', id, person.sub), 'id'),
  );
const roleAfterSignIn = async (person: typeof ADA, resource = companyUrn(company.id)) =>
  at((await whoIs(await signIn(harness, resource, person))).json, 'role');

describe('the person who connected a company', () => {
  it('is its admin, and another person who signs in first is a viewer', async () => {
    await harness.connect(companyUrn(company.id));
    expect(await roleAfterSignIn(BO)).toBe('viewer');
    expect(await roleAfterSignIn(ADA)).toBe('admin');
  });

  it('is recorded in the audit log as its admin before any sign-in', async () => {
    const id = await harness.connect(companyUrn(company.id));
    expect(
      await harness.row(
        `SELECT actor, after ->> 'role' AS role FROM audit_entry WHERE installation_id = $1 AND object = 'member'
         ORDER BY position DESC LIMIT 1`,
        id,
      ),
    ).toEqual({ actor: `person ${await memberIdOf(ADA, id)}`, role: 'admin' });
  });

  it('is the admin of the company chosen after an organization’s consent', async () => {
    harness.platform.addCompany({ organizationId: company.organizationId });
    harness.platform.resource = organizationUrn(company.organizationId);
    const attempt = await harness.begin();
    expect((await harness.returnFromPlatform(attempt)).text).toContain(company.id);
    const query = new URLSearchParams({ state: attempt.state, company_id: company.id });
    const headers = { cookie: attempt.cookie };
    expect((await harness.call('GET', `/oauth/company?${query.toString()}`, { headers })).status).toBe(200);
    expect(await roleAfterSignIn(BO, organizationUrn(company.organizationId))).toBe('viewer');
    expect(await roleAfterSignIn(ADA, organizationUrn(company.organizationId))).toBe('admin');
  });

  it('replaces on a second time the credential and no role: a viewer stays a viewer, a removed member stays removed', async () => {
    const id = await harness.connect(companyUrn(company.id));
    expect(await roleAfterSignIn(BO)).toBe('viewer');
    harness.platform.person = BO;
    expect(await harness.connect(companyUrn(company.id))).toBe(id);
    expect([await roleOf(ADA, id), await roleOf(BO, id)]).toEqual(['admin', 'viewer']);
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const url = `/api/v1/members/${await memberIdOf(BO, id)}`;
    expect((await ada.call('DELETE', url, { headers: await csrfOf(ada) })).status).toBe(204);
    harness.platform.person = BO;
    await harness.connect(companyUrn(company.id));
    await expect(signIn(harness, companyUrn(company.id), BO)).rejects.toThrow(/not signed in: 403/);
    const body = { role: 'bookkeeper' };
    expect((await ada.call('PUT', url, { headers: await csrfOf(ada), body })).status).toBe(204);
    expect(await roleAfterSignIn(BO)).toBe('bookkeeper');
  });

  it('becomes the admin on a second time when none is left', async () => {
    const id = await harness.connect(companyUrn(company.id));
    await harness.admin.query('DELETE FROM member WHERE installation_id = $1', [id]);
    harness.platform.person = BO;
    await harness.connect(companyUrn(company.id));
    expect(await roleOf(BO, id)).toBe('admin');
  });

  it('is the only admin when the connection follows an uninstall', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const query = new URLSearchParams({ companyName: company.name });
    const url = `/api/v1/installation?${query.toString()}`;
    expect((await ada.call('DELETE', url, { headers: await csrfOf(ada) })).status).toBe(200);
    harness.platform.person = BO;
    await harness.connect(companyUrn(company.id));
    expect([await roleOf(ADA, id), await roleOf(BO, id)]).toEqual([undefined, 'admin']);
    expect(await roleAfterSignIn(ADA)).toBe('viewer');
  });

  it('waits for a concurrent sign-in without a deadlock', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const attempt = await harness.begin();
    await harness.admin.query('BEGIN');
    await harness.admin.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`member ${id}`]);
    const connecting = harness.returnFromPlatform(attempt);
    const waiting = `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`;
    while ((await harness.admin.query(waiting)).rowCount === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await harness.admin.query('SELECT FROM installation WHERE id = $1 FOR SHARE NOWAIT', [id]);
    await harness.admin.query('COMMIT');
    expect((await connecting).status).toBe(200);
  });
});

describe('when the platform names no person', () => {
  it('at the consent, a member who signs in is a viewer', async () => {
    harness.platform.next(INTROSPECTION, respondingWith(200, { active: true }));
    await harness.connect(companyUrn(company.id));
    expect(await roleAfterSignIn(BO)).toBe('viewer');
    expect(await roleAfterSignIn(ADA)).toBe('viewer');
  });

  it('because an API key connected the company, a member who signs in is a viewer', async () => {
    const body = { apiKey: harness.platform.addApiKey(companyUrn(company.id), 'basic') };
    const connected = await harness.call('POST', '/api/v1/operator/installations', {
      token: OPERATOR_TOKEN,
      body,
    });
    expect(connected.status).toBe(201);
    expect(await roleAfterSignIn(BO)).toBe('viewer');
    expect(await roleAfterSignIn(ADA)).toBe('viewer');
  });

  it('the operator’s code makes exactly one person the first admin', async () => {
    harness.platform.next(INTROSPECTION, respondingWith(200, { active: true }));
    const id = await harness.connect(companyUrn(company.id));
    const makeCode = (of: string) =>
      harness.call('POST', `/api/v1/operator/installations/${of}/first-admin-codes`, { token: OPERATOR_TOKEN });
    const ada = await signIn(harness, companyUrn(company.id), ADA);
    const bo = await signIn(harness, companyUrn(company.id), BO);
    const other = harness.platform.addCompany();
    harness.platform.next(INTROSPECTION, respondingWith(200, { active: true }));
    const foreign = String(at((await makeCode(await harness.connect(companyUrn(other.id)))).json, 'code'));
    const code = String(at((await makeCode(id)).json, 'code'));
    const claim = async (who: Visitor, entered: string) =>
      (await who.call('PUT', '/api/v1/me/first-admin', { headers: await csrfOf(who), body: { code: entered } })).status;
    expect([at((await whoIs(bo)).json, 'hasAdmin'), await claim(bo, '')]).toEqual([false, 400]);
    for (const wrong of [foreign, `${code}x`, code.slice(1), code.slice(0, -1), 'x', 'v1.test...']) {
      expect([wrong, await claim(bo, wrong)]).toEqual([wrong, 422]);
    }
    expect([await claim(bo, code), await claim(ada, code)]).toEqual([204, 409]);
    expect((await whoIs(bo)).json).toMatchObject({ role: 'admin', hasAdmin: true });
    expect((await makeCode(id)).status).toBe(409);
    expect([await roleOf(BO, id), await roleOf(ADA, id)]).toEqual(['admin', 'viewer']);
    expect(
      await harness.row(
        `SELECT actor FROM audit_entry WHERE installation_id = $1 AND object = 'member' AND after ->> 'role' = 'admin'`,
        id,
      ),
    ).toEqual({ actor: `person ${await memberIdOf(BO, id)}` });
  });

  it('a code whose request is sent again with its Idempotency-Key is the same one', async () => {
    harness.platform.next(INTROSPECTION, respondingWith(200, { active: true }));
    const id = await harness.connect(companyUrn(company.id));
    const path = `/api/v1/operator/installations/${id}/first-admin-codes`;
    const headers = { 'idempotency-key': 'one-code' };
    const [first, again] = [
      await harness.call('POST', path, { token: OPERATOR_TOKEN, headers }),
      await harness.call('POST', path, { token: OPERATOR_TOKEN, headers }),
    ];
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json]);
    const { json } = await harness.call('GET', path, { token: OPERATOR_TOKEN });
    expect(at(json, 'data')).toHaveLength(1);
  });

  it('codes are listed, revoked one by one, expire after a week, and are void when the company is connected again', async () => {
    harness.platform.next(INTROSPECTION, respondingWith(200, { active: true }));
    const id = await harness.connect(companyUrn(company.id));
    const path = `/api/v1/operator/installations/${id}/first-admin-codes`;
    const call = (method: 'GET' | 'POST' | 'DELETE', url = path) =>
      harness.call(method, url, { token: OPERATOR_TOKEN });
    const make = async () => (await call('POST')).json as { readonly id: string; readonly code: string };
    const listed = async () =>
      (at((await call('GET')).json, 'data') as readonly { readonly id: string }[]).map((one) => one.id);
    const bo = await signIn(harness, companyUrn(company.id), BO);
    const claim = async (code: string) =>
      (await bo.call('PUT', '/api/v1/me/first-admin', { headers: await csrfOf(bo), body: { code } })).status;
    const [revoked, old, good] = [await make(), await make(), await make()];
    expect([...(await listed())].sort()).toEqual([revoked.id, old.id, good.id].sort());
    expect((await call('GET')).text).not.toContain(good.code);
    expect((await call('DELETE', `${path}/${revoked.id}`)).status).toBe(204);
    for (const unknown of [revoked.id, 'nonsense']) {
      expect((await call('DELETE', `${path}/${unknown}`)).status).toBe(404);
    }
    await harness.admin.query(`UPDATE first_admin_code SET expires_at = now() WHERE id = $1`, [old.id]);
    expect(await listed()).toEqual([good.id]);
    expect([await claim(revoked.code), await claim(old.code)]).toEqual([422, 422]);
    await harness.admin.query(`UPDATE installation SET generation = generation + 1 WHERE id = $1`, [id]);
    expect([await listed(), await claim(good.code)]).toEqual([[], 422]);
    await harness.admin.query(`UPDATE installation SET generation = generation - 1 WHERE id = $1`, [id]);
    const { rows } = await harness.admin.query(
      `SELECT actor, action FROM audit_entry WHERE installation_id = $1 AND object = 'first_admin_code' ORDER BY position`,
      [id],
    );
    const made = { actor: 'operator', action: 'created' };
    expect(rows.slice(0, 4)).toEqual([made, made, made, { actor: 'operator', action: 'removed' }]);
    expect(await claim(good.code)).toBe(204);
    expect(await listed()).toEqual([]);
    for (let n = 0; n < 2; n += 1) {
      expect((await call('GET', path.replace(id, n === 0 ? 'nonsense' : company.id))).status).toBe(404);
    }
  });

  it.each([
    ['goes away', reset],
    ['says that its own token is none', respondingWith(200, { active: false })],
  ])('because it %s, the company is not connected', async (_, failing) => {
    const before = await harness.installationCount();
    harness.platform.resource = companyUrn(company.id);
    harness.platform.next(INTROSPECTION, failing);
    expect((await harness.returnFromPlatform(await harness.begin())).status).toBe(502);
    expect(await harness.installationCount()).toBe(before);
  });
});
