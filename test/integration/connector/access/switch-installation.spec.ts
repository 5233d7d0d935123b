import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SessionRepository } from '../../../../src/connector/access/session.repository.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';

// One person, several companies: seen in one list, and gone to without another sign-in.

const harness = startedOnce(() => ConnectHarness.start());
let ada: { readonly sub: string; readonly username: string };
let first: Company;
let second: Company;
let visitor: Visitor;

interface Company {
  readonly id: string;
  readonly data: PlatformCompanyData;
}

beforeEach(async () => {
  harness.platform.restore();
  ada = { sub: `ada-${randomUUID()}`, username: 'Ada Berg' };
  first = await company('Alpha');
  second = await company('Beta');
  await signIn(harness, companyUrn(second.data.id), ada);
  visitor = await signIn(harness, companyUrn(first.data.id), ada);
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function company(name: string): Promise<Company> {
  const data = harness.platform.addCompany({ name: `${name} ${randomUUID()}` });
  return { data, id: await harness.connect(companyUrn(data.id), ada) };
}

const listOf = async (by: Visitor) =>
  at((await by.call('GET', '/api/v1/me/installations')).json, 'data') as readonly Record<string, unknown>[];
const switchTo = async (by: Visitor, installationId: string, headers?: Readonly<Record<string, string>>) =>
  by.call('PUT', '/api/v1/me/installation', { body: { installationId }, headers: headers ?? (await csrfOf(by)) });

describe('the companies of a person', () => {
  it('are those of the member, by name, with role and pending work', async () => {
    expect(await listOf(visitor)).toEqual([
      {
        installationId: first.id,
        companyName: first.data.name,
        role: 'admin',
        current: true,
        connection: 'active',
        needsAttention: 0,
        failedEntries: 0,
        amounts: [],
      },
      expect.objectContaining({ installationId: second.id, companyName: second.data.name, current: false }),
    ]);
  });

  it('exclude those of others, those they were removed from, and those without a sign-in for a month', async () => {
    await harness.connect(companyUrn(harness.platform.addCompany().id), { sub: 'bo' });
    await harness.admin.query(
      `UPDATE member SET signed_in_at = signed_in_at - interval '31 days' WHERE installation_id = $1`,
      [second.id],
    );
    expect(await listOf(visitor)).toMatchObject([{ installationId: first.id }]);
    expect((await switchTo(visitor, second.id)).status).toBe(404);
    await harness.admin.query(
      `UPDATE member SET signed_in_at = clock_timestamp(), removed_at = clock_timestamp() WHERE installation_id = $1`,
      [second.id],
    );
    expect(await listOf(visitor)).toMatchObject([{ installationId: first.id }]);
    expect((await switchTo(visitor, second.id)).status).toBe(404);
  });

  it('are for a token the one it belongs to, and cannot be switched', async () => {
    const token = await harness.token(first.id);
    const { json } = await harness.call('GET', '/api/v1/me/installations', { token });
    expect(at(json, 'data')).toMatchObject([{ installationId: first.id, role: 'admin', current: true }]);
    const body = { installationId: second.id };
    expect((await harness.call('PUT', '/api/v1/me/installation', { token, body })).status).toBe(403);
  });
});

describe('switching companies', () => {
  it('continues in the other company with another session and the role there', async () => {
    await harness.admin.query(`UPDATE member SET role = 'viewer' WHERE installation_id = $1`, [second.id]);
    const before = visitor.session;
    const [csrf, stolen] = [await csrfOf(visitor), new Map(visitor.cookies)];
    expect((await switchTo(visitor, second.id)).status).toBe(204);
    expect(visitor.session).not.toBe(before);
    expect((await whoIs(visitor)).json).toMatchObject({ installationId: second.id, role: 'viewer' });
    expect(await csrfOf(visitor)).not.toEqual(csrf);
    expect((await visitor.call('GET', '/api/v1/members')).status).toBe(403);
    visitor.cookies.clear();
    for (const [name, value] of stolen) visitor.cookies.set(name, value);
    expect((await whoIs(visitor)).status).toBe(401);
  });

  it('leaves links of a tab of the company before without a file', async () => {
    const files = ['mapping/rules/export', 'month-ends/2026-03', 'erp-batches/1'];
    const own = await visitor.call('GET', `/api/v1/mapping/rules/export?installationId=${first.id}`);
    expect([own.status, own.headers['content-disposition']]).toEqual([200, expect.stringContaining('attachment')]);
    await switchTo(visitor, second.id);
    for (const file of files) {
      const reply = await visitor.call('GET', `/api/v1/${file}?installationId=${first.id}`);
      expect([file, reply.status, at(reply.json, 'type')]).toEqual([file, 409, 'urn:problem:company-switched']);
    }
  });

  it('is not a sign-in: the session lasts no longer, and actions that need a recent sign-in still require one', async () => {
    const shorten = `UPDATE member_session SET ends_at = clock_timestamp() + interval '1 hour' WHERE installation_id = $1`;
    await harness.admin.query(shorten, [first.id]);
    await harness.admin.query('DELETE FROM member_session WHERE installation_id = $1', [second.id]);
    await switchTo(visitor, second.id);
    const left = `SELECT ends_at <= clock_timestamp() + interval '1 hour' AS kept FROM member_session WHERE installation_id = $1`;
    expect(await harness.row(left, second.id)).toEqual({ kept: true });
    const remove = `/api/v1/members/${randomUUID()}`;
    const refused = await visitor.call('DELETE', remove, { headers: await csrfOf(visitor) });
    expect([refused.status, at(refused.json, 'type')]).toEqual([403, 'urn:problem:sign-in-again']);
  });

  it('requires the token of the page, and a company of the person', async () => {
    expect((await switchTo(visitor, second.id, {})).status).toBe(403);
    const foreign = await harness.connect(companyUrn(harness.platform.addCompany().id), { sub: 'bo' });
    for (const id of [foreign, randomUUID()]) {
      const reply = await switchTo(visitor, id);
      expect([reply.status, at(reply.json, 'type')]).toEqual([404, 'urn:problem:not-found']);
    }
    expect((await whoIs(visitor)).json).toMatchObject({ installationId: first.id });
  });

  it('of one session in two windows at the same time leads to one session', async () => {
    await harness.admin.query('DELETE FROM member_session WHERE installation_id = $1', [second.id]);
    const headers = await csrfOf(visitor);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = () =>
      harness.call('PUT', '/api/v1/me/installation', {
        body: { installationId: second.id },
        headers: { ...headers, cookie },
      });
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status).sort();
    expect([
      [204, 401],
      [204, 404],
    ]).toContainEqual(statuses);
    const count = 'SELECT count(*)::int FROM member_session WHERE installation_id = $1';
    expect([await harness.row(count, first.id), await harness.row(count, second.id)]).toEqual([
      { count: 0 },
      { count: 1 },
    ]);
  });

  it.each([
    ['removed there', `UPDATE member SET removed_at = clock_timestamp() WHERE installation_id = $1`],
    ['uninstalled there', `UPDATE installation SET state = 'uninstalled' WHERE id = $1`],
  ])('leaves no session to one who is %s meanwhile: it would count again later', async (_, end) => {
    await harness.admin.query('DELETE FROM member_session WHERE installation_id = $1', [second.id]);
    const sessions = harness.connector.app.get(SessionRepository, { strict: false });
    const take = sessions.take.bind(sessions);
    const headers = await csrfOf(visitor);
    jest.spyOn(sessions, 'take').mockImplementationOnce(async (tx, id) => {
      await harness.admin.query(end, [second.id]);
      return take(tx, id);
    });
    expect((await switchTo(visitor, second.id, headers)).status).toBe(404);
    const count = 'SELECT count(*)::int FROM member_session WHERE installation_id = $1';
    expect(await harness.row(count, second.id)).toEqual({ count: 0 });
  });

  it('is recorded in both audit logs as an action of the person', async () => {
    await switchTo(visitor, second.id);
    for (const [id, action] of [
      [first.id, 'removed'],
      [second.id, 'created'],
    ] as const) {
      const entries = await harness.admin.query<{ action: string; actor: string }>(
        `SELECT action, actor FROM audit_entry WHERE installation_id = $1 AND object = 'member_session' ORDER BY position DESC LIMIT 1`,
        [id],
      );
      expect(entries.rows).toEqual([{ action, actor: expect.stringMatching(/^person /) }]);
    }
  });
});
