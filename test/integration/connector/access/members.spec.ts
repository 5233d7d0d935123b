import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { respondingWith } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// Who may do what, and who says so (D3.1 to D3.3, D3.31, S1, S9).

const ADA = { sub: 'ada', username: 'Ada Berg' };

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let ada: Visitor;
let bo: Visitor;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany();
  id = await harness.connect(companyUrn(company.id), ADA);
  ada = await signIn(harness, companyUrn(company.id), ADA);
  bo = await signIn(harness, companyUrn(company.id), { sub: 'bo', username: 'Bo Lund' });
});

const idOf = async (visitor: Visitor) => String(at((await whoIs(visitor)).json, 'memberId'));
const roleOf = async (visitor: Visitor) => at((await whoIs(visitor)).json, 'role');
const setRole = async (by: Visitor, memberId: string, role: string) =>
  by.call('PUT', `/api/v1/members/${memberId}`, { headers: await csrfOf(by), body: { role } });
const remove = async (by: Visitor, memberId: string) =>
  by.call('DELETE', `/api/v1/members/${memberId}`, { headers: await csrfOf(by) });

/** Runs `work` while another change of the members is under way, which ends once the work waits for it. */
async function whileChanging<T>(installationId: string, change: string, work: () => Promise<T>): Promise<T> {
  const other = new pg.Client({
    connectionString: harness.connector.server.url,
    options: '-c search_path=connector',
  });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`member ${installationId}`]);
  await other.query(change, [installationId]);
  const progress: { isOver: boolean } = { isOver: false };
  const running = work().finally(() => {
    progress.isOver = true;
  });
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`;
  while (!progress.isOver && (await other.query(waiting)).rowCount === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await other.query('COMMIT');
  await other.end();
  return running;
}

describe('roles', () => {
  it('are admin for the first member, and viewer for all others', async () => {
    expect([await roleOf(ada), await roleOf(bo)]).toEqual(['admin', 'viewer']);
    const again = await signIn(harness, companyUrn(company.id), { sub: 'ada', username: 'Ada Berg-Lund' });
    expect([await roleOf(again), await idOf(again)]).toEqual(['admin', await idOf(ada)]);
    const { json } = await ada.call('GET', '/api/v1/members');
    expect(at(json, 'data')).toMatchObject([
      { subject: 'ada', displayName: 'Ada Berg-Lund', role: 'admin' },
      { subject: 'bo', displayName: 'Bo Lund', role: 'viewer' },
    ]);
  });

  it('are admin for one member only when the connecting person is unknown and two sign in at the same time', async () => {
    const fresh = harness.platform.addCompany();
    harness.platform.next('POST /oauth/token/introspect', respondingWith(200, { active: true }));
    const freshId = await harness.connect(companyUrn(fresh.id));
    const visitor = await whileChanging(
      freshId,
      `INSERT INTO member (installation_id, id, subject, role, created_at, signed_in_at)
       VALUES ($1, gen_random_uuid(), 'first', 'admin', now(), now())`,
      () => signIn(harness, companyUrn(fresh.id), { sub: 'second' }),
    );
    expect(await roleOf(visitor)).toBe('viewer');
  });

  it('take effect from the next request on, up and down [S9]', async () => {
    const boId = await idOf(bo);
    const detect = async () => (await bo.call('POST', '/api/v1/jobs/detections', { headers: await csrfOf(bo) })).status;
    expect(await detect()).toBe(403);
    expect((await setRole(ada, boId, 'bookkeeper')).status).toBe(204);
    expect(await detect()).toBe(202);
    expect((await setRole(ada, boId, 'viewer')).status).toBe(204);
    expect(await detect()).toBe(403);
  });

  it('are assigned by admins only [D3.3]', async () => {
    const boId = await idOf(bo);
    for (const role of ['viewer', 'bookkeeper'] as const) {
      await setRole(ada, boId, role);
      expect((await setRole(bo, boId, 'admin')).status).toBe(403);
      expect((await remove(bo, await idOf(ada))).status).toBe(403);
      expect((await bo.call('GET', '/api/v1/members')).status).toBe(403);
      expect(await roleOf(bo)).toBe(role);
    }
  });

  it('are never changed so that an installation has no admin', async () => {
    const [adaId, boId] = [await idOf(ada), await idOf(bo)];
    for (const change of [setRole(ada, adaId, 'viewer'), remove(ada, adaId)]) {
      const { status, json } = await change;
      expect([status, at(json, 'type')]).toEqual([409, 'urn:problem:last-admin']);
    }
    expect(await roleOf(ada)).toBe('admin');
    await setRole(ada, boId, 'admin');
    const second = await whileChanging(
      id,
      `UPDATE member SET role = 'viewer' WHERE installation_id = $1 AND subject = 'bo'`,
      () => setRole(ada, adaId, 'viewer'),
    );
    expect(second.status).toBe(409);
  });

  it('are not changed by an admin who is removed, or made a viewer, at the same time [S9]', async () => {
    const [adaId, boId] = [await idOf(ada), await idOf(bo)];
    // A third one, so that Ada would not be the last.
    await setRole(ada, await idOf(await signIn(harness, companyUrn(company.id), { sub: 'cleo' })), 'admin');
    for (const change of [`removed_at = now()`, `role = 'viewer'`]) {
      await setRole(ada, boId, 'admin');
      const again = await signIn(harness, companyUrn(company.id), { sub: 'bo' });
      for (const attempt of [() => remove(again, adaId), () => setRole(again, adaId, 'viewer')]) {
        await harness.admin.query(`UPDATE member SET removed_at = NULL, role = 'admin' WHERE id = $1`, [boId]);
        const sql = `UPDATE member SET ${change} WHERE installation_id = $1 AND subject = 'bo'`;
        const { status, json } = await whileChanging(id, sql, attempt);
        expect([change, status, at(json, 'type')]).toEqual([change, 403, 'urn:problem:forbidden']);
        expect(await roleOf(ada)).toBe('admin');
      }
    }
  });

  it('of a removed member end with their sessions, until an admin assigns a role again', async () => {
    const boId = await idOf(bo);
    await setRole(ada, boId, 'bookkeeper');
    expect((await remove(ada, boId)).status).toBe(204);
    expect((await whoIs(bo)).status).toBe(401);
    expect((await remove(ada, boId)).status).toBe(404);
    await expect(signIn(harness, companyUrn(company.id), { sub: 'bo' })).rejects.toThrow(/not signed in: 403/);
    const { json } = await ada.call('GET', '/api/v1/members');
    expect(at(json, 'data')).toMatchObject([{ removedAt: null }, { id: boId, removedAt: expect.any(String) }]);
    await setRole(ada, boId, 'viewer');
    expect((await whoIs(bo)).status).toBe(401);
    expect(await roleOf(await signIn(harness, companyUrn(company.id), { sub: 'bo' }))).toBe('viewer');
  });

  it.each(['owner', '', 7, null])('cannot be set to %j', async (role) => {
    const answer = await ada.call('PUT', `/api/v1/members/${await idOf(bo)}`, {
      headers: await csrfOf(ada),
      body: { role },
    });
    expect([answer.status, at(answer.json, 'type')]).toEqual([400, 'urn:problem:invalid-request']);
  });

  it('of another installation are not found', async () => {
    const other = harness.platform.addCompany();
    await harness.connect(companyUrn(other.id), { sub: 'cleo' });
    const cleo = await signIn(harness, companyUrn(other.id), { sub: 'cleo' });
    const foreign = await idOf(bo);
    for (const memberId of [foreign, randomUUID(), 'nonsense']) {
      for (const answer of [await setRole(cleo, memberId, 'admin'), await remove(cleo, memberId)]) {
        expect([answer.status, at(answer.json, 'detail')]).toEqual([404, 'There is no such member.']);
      }
    }
    expect(await roleOf(bo)).toBe('viewer');
  });
});

describe('the list of members', () => {
  it('is paged by cursor, without gaps or duplicates', async () => {
    for (const n of [1, 2, 3]) {
      await signIn(harness, companyUrn(company.id), { sub: `more-${n.toString()}` });
    }
    const seen: string[] = [];
    let url = '/api/v1/members?limit=2';
    for (let page = 0; page < 4; page += 1) {
      const { json } = await ada.call('GET', url);
      seen.push(...(at(json, 'data') as readonly { subject: string }[]).map(({ subject }) => subject));
      const cursor = at(json, 'nextCursor');
      if (typeof cursor !== 'string') {
        break;
      }
      url = `/api/v1/members?limit=2&after=${cursor}`;
    }
    expect(seen).toEqual(['ada', 'bo', 'more-1', 'more-2', 'more-3']);
  });

  it.each(['limit=0', 'limit=101', 'after=forged', 'unknown=1'])('with ?%s is a bad request', async (query) => {
    expect((await ada.call('GET', `/api/v1/members?${query}`)).status).toBe(400);
  });
});

describe('a write with a cookie', () => {
  const detect = (headers: Readonly<Record<string, string>>) =>
    ada.call('POST', '/api/v1/jobs/detections', { headers });

  it('requires the token of its own session [D3.31]', async () => {
    const token = (await csrfOf(ada))['x-csrf-token'] ?? '';
    const foreign = await csrfOf(bo);
    for (const headers of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': `${token}x` }, foreign]) {
      const { status, json } = await detect(headers);
      expect([status, at(json, 'type')]).toEqual([403, 'urn:problem:csrf-token']);
    }
    expect((await detect({ 'x-csrf-token': token })).status).toBe(202);
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000.evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
  ])('from another origin is refused, even with the token: %j [D3.31]', async (headers) => {
    const { status, json } = await detect({ ...(await csrfOf(ada)), ...headers });
    expect([status, at(json, 'type')]).toEqual([403, 'urn:problem:cross-site']);
  });

  it.each([
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:3000' },
    { origin: 'null' },
  ])('from our own page is accepted: %j', async (headers) => {
    expect((await detect({ ...(await csrfOf(ada)), ...headers })).status).toBe(202);
  });
});

describe('any other request', () => {
  it('that reads is refused from other sites, without CORS headers [D3.31]', async () => {
    const { status, headers } = await ada.call('GET', '/api/v1/me', {
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('with a token needs no CSRF token, from any origin', async () => {
    const token = await harness.token(id);
    const answer = await harness.call('POST', '/api/v1/jobs/detections', {
      token,
      headers: { origin: 'https://ci.example' },
    });
    expect(answer.status).toBe(202);
  });

  it('with both a token and a cookie is refused, whichever is valid', async () => {
    const token = await harness.token(id);
    for (const authorization of [`Bearer ${token}`, 'Bearer wrong', 'Basic eDp5']) {
      const { status, json } = await ada.call('GET', '/api/v1/me', { headers: { authorization } });
      expect([status, at(json, 'type')]).toEqual([400, 'urn:problem:two-credentials']);
    }
  });

  it('that names another tenant in a header is answered for its own', async () => {
    const { json } = await ada.call('GET', '/api/v1/me', {
      headers: { 'x-tenant-id': randomUUID(), 'x-installation-id': randomUUID() },
    });
    expect(at(json, 'installationId')).toBe(id);
  });

  it('of the operator accepts no cookie', async () => {
    expect((await ada.call('GET', '/api/v1/operator/installations')).status).toBe(401);
  });
});
