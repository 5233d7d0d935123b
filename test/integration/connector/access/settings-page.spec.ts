import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// The page of an installation: what it shows to whom, and what its forms do without a script.

const HOSTILE = '<script>alert(1)</script>&"\'';

const ADA = { sub: 'ada', username: `Ada ${HOSTILE}` };

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let ada: Visitor;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany({ name: `Example ${HOSTILE}` });
  id = await harness.connect(companyUrn(company.id), ADA);
  ada = await signIn(harness, companyUrn(company.id), ADA);
});

const page = async (visitor: Visitor) => (await visitor.call('GET', '/settings')).text;
const signInBo = () => signIn(harness, companyUrn(company.id), { sub: 'bo', username: 'Bo Lund' });
const memberOf = async (visitor: Visitor) => String(at((await whoIs(visitor)).json, 'memberId'));

describe('the page', () => {
  it('shows connection, set-up, inbox, people and tokens to an admin', async () => {
    const { headers, text } = await ada.call('GET', '/settings');
    expect([headers['content-type'], headers['cache-control']]).toEqual(['text/html; charset=utf-8', 'no-store']);
    for (const part of ['Connection', 'Set-up', 'Needs attention', 'People', 'API tokens', 'Sign out']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('<span class="mark done">connected</span>');
    expect(text).toContain('No entry is held up.');
    expect(text).toContain('PUT /api/v1/erp-company');
  });

  it('has no script and no inline style, and no stored text becomes a tag', async () => {
    await ada.submit('/settings/api-tokens', { label: HOSTILE, role: 'viewer', days: '1' });
    const text = await page(ada);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#x27;');
    expect(text).not.toMatch(/<script|<style|style=|onclick|javascript:/i);
    const style = await ada.call('GET', '/settings/style.css');
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  it('names what keeps entries from being exported', async () => {
    await harness.admin.query(
      `WITH job AS (
         INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
           created_on_platform_at, expires_at, detected_at, next_run_at)
         VALUES ($1, gen_random_uuid(), $2, 'detected', 1, false, now(), now(), now(), now()) RETURNING id),
       cause AS (
         INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
         VALUES ($1, 'account:6420', 'account', '6420', 'account_unknown', 'because', now(), now()))
       INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, first_seen_at, last_seen_at)
       SELECT $1, 'account:6420', gen_random_uuid(), id, now(), now() FROM job`,
      [id, company.id],
    );
    const text = await page(ada);
    expect(text).toContain('account 6420');
    expect(text).toContain('<td class="number">1</td>');
  });

  it('shows a viewer no other member, and no form but the sign-out', async () => {
    const bo = await signInBo();
    const text = await page(bo);
    expect(text).toContain('Bo Lund (you)');
    expect(text).not.toContain('Ada');
    expect(text).not.toContain('API tokens');
    expect(text.match(/<form/g)).toHaveLength(1);
  });
});

describe('its forms', () => {
  it('give a role', async () => {
    const bo = await signInBo();
    const reply = await ada.submit(`/settings/members/${await memberOf(bo)}/role`, { role: 'bookkeeper' });
    expect([reply.status, reply.headers['location']]).toEqual([303, '/settings']);
    expect((await whoIs(bo)).json).toMatchObject({ role: 'bookkeeper' });
  });

  it('take membership away, also one’s own', async () => {
    const bo = await signInBo();
    await ada.submit(`/settings/members/${await memberOf(bo)}/role`, { role: 'admin' });
    const own = await bo.submit(`/settings/members/${await memberOf(bo)}/removal`);
    expect([own.status, own.text.includes('You are no longer a member')]).toEqual([200, true]);
    expect(bo.session).toBeUndefined();
    expect(await page(ada)).toContain('Bo Lund (removed)');
  });

  it('make a token, show it this once, and revoke it', async () => {
    const made = await ada.submit('/settings/api-tokens', { label: 'nightly', role: 'viewer', days: '7' });
    const token = /<code id="new-token">(cat_[\w-]{43})<\/code>/.exec(made.text)?.[1] ?? '';
    expect([made.status, made.headers['cache-control'], token.length]).toEqual([200, 'no-store', 47]);
    expect((await harness.call('GET', '/api/v1/me', { token })).status).toBe(200);
    const text = await page(ada);
    expect(text).not.toContain(token);
    expect(text).toContain(`<code>${token.slice(0, 8)}…</code>`);
    const revocation = /action="(\/settings\/api-tokens\/[0-9a-f-]+\/revocation)"/.exec(text)?.[1] ?? '';
    expect((await ada.submit(revocation)).status).toBe(303);
    expect((await harness.call('GET', '/api/v1/me', { token })).status).toBe(401);
  });

  it('say in a page what does not work', async () => {
    const last = await ada.submit(`/settings/members/${await memberOf(ada)}/role`, { role: 'viewer' });
    expect([last.status, last.headers['content-type']]).toEqual([409, 'text/html; charset=utf-8']);
    expect(last.text).toContain('the last admin has to make another member admin first');
    const wrong = await ada.submit('/settings/api-tokens', { label: 'x', role: 'viewer', days: '9999' });
    expect([wrong.status, wrong.text.includes('days must not be greater than 366')]).toEqual([400, true]);
    const unknown = await ada.submit(`/settings/members/${randomUUID()}/role`, { role: 'viewer' });
    expect(unknown.status).toBe(404);
  });

  it('of a session that is over lead to signing in, and do nothing', async () => {
    const csrf = (await csrfOf(ada))['x-csrf-token'] ?? '';
    await harness.admin.query('DELETE FROM member_session WHERE installation_id = $1', [id]);
    const reply = await ada.post('/settings/api-tokens', { csrf, label: 'x', role: 'viewer', days: '1' });
    expect([reply.status, reply.text.includes('Please sign in')]).toEqual([401, true]);
    expect(await harness.row('SELECT count(*)::int FROM api_token WHERE installation_id = $1', id)).toEqual({
      count: 0,
    });
  });

  it('are for admins, whatever is posted', async () => {
    const bo = await signInBo();
    const adaId = await memberOf(ada);
    for (const [path, fields] of [
      ['/settings/api-tokens', { label: 'x', role: 'viewer', days: '1' }],
      [`/settings/members/${adaId}/role`, { role: 'viewer' }],
      [`/settings/members/${adaId}/removal`, {}],
      [`/settings/api-tokens/${randomUUID()}/revocation`, {}],
    ] as const) {
      const reply = await bo.submit(path, fields);
      expect([path, reply.status, reply.text.includes('This needs the role')]).toEqual([path, 403, true]);
    }
  });

  it('need the token of the page, and a page of ours [D3.31]', async () => {
    const path = `/settings/members/${await memberOf(await signInBo())}/removal`;
    const csrf = (await csrfOf(ada))['x-csrf-token'] ?? '';
    for (const [fields, headers] of [
      [{}, {}],
      [{ csrf: `${csrf}x` }, {}],
      [{ csrf }, { 'sec-fetch-site': 'cross-site' }],
      [{ csrf }, { origin: 'https://evil.example' }],
    ] as const) {
      expect((await ada.post(path, fields, headers)).status).toBe(403);
    }
    expect((await ada.post(path, { csrf }, { 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(303);
  });

  it.each([
    ['a field twice', 'csrf=a&csrf=b'],
    ['a field that reaches a prototype', '__proto__=x'],
    ['a field of no form', 'installation_id=x'],
  ])('with %s are a bad request', async (_, body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await ada.call('POST', '/settings/sign-out', { headers, body });
    expect(reply.status).toBe(400);
  });

  it('do not open the API', async () => {
    const reply = await ada.post('/api/v1/api-tokens', { label: 'x', role: 'viewer' }, await csrfOf(ada));
    expect(reply.status).toBe(415);
  });
});
