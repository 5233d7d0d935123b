import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// Reconciliation on the settings page: what a viewer sees of it, and what a bookkeeper decides there without a script.

const ADA = { sub: 'ada', username: 'Ada Admin' };
const SUBJECT = '018f2f6a-3c1e-7d2b-9a4e-0123456789ab';

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let ada: Visitor;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany({ name: 'Example' });
  id = await harness.connect(companyUrn(company.id), ADA);
  ada = await signIn(harness, companyUrn(company.id), ADA);
});

const section = async (visitor: Visitor) =>
  /<section id="reconciliation">[^]*?<\/section>/.exec((await visitor.call('GET', '/settings')).text)?.[0] ?? '';

/** As if a run had found them; each is as many days old as its place in the list says, from 1. */
async function seen(classes: readonly string[], more: object = {}): Promise<readonly string[]> {
  const run = randomUUID();
  await harness.admin.query(
    `INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, state, period_from, period_until, requested_at,
       started_at, finished_at, jobs, items, discrepancies, repaired, next_attempt_at)
     VALUES ($1, $2, $3, 'period', 'person', 'completed', '2026-03-01', '2026-04-01', '2026-03-31T02:00:00Z', '2026-03-31T02:00:10Z',
       '2026-03-31T02:05:00Z', 3, 1200, $4, 0, now())`,
    [id, run, company.id, classes.length],
  );
  const ids = classes.map(() => randomUUID());
  await harness.admin.query(
    `INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, accounting_entry_id, evidence,
       currency, amount_minor, occurred_at, state, first_seen_at, last_seen_at, last_seen_run)
     SELECT $1, found.id, $3, class, $6::text, found.id::text, ($6::text)::uuid, $5, 'EUR', 12500, now(), 'open',
       now() - make_interval(days => place::int, hours => 1), now(), $2
     FROM unnest($4::uuid[], $7::text[]) WITH ORDINALITY AS found (id, class, place)`,
    [id, run, company.id, ids, { platform: null, record: null, erp: null, ...more }, SUBJECT, classes],
  );
  return ids;
}

const stateOf = (discrepancy: string) =>
  harness.row(`SELECT state, settled_as AS "as", settled_by AS "by", note FROM discrepancy WHERE id = $1`, discrepancy);

async function signInAs(role: string): Promise<Visitor> {
  const bo = await signIn(harness, companyUrn(company.id), { sub: 'bo', username: 'Bo Lund' });
  const memberId = String(at((await whoIs(bo)).json, 'memberId'));
  await ada.submit(`/settings/members/${memberId}/role`, { role });
  return bo;
}

describe('the section', () => {
  it('says that nothing was compared and nothing is open', async () => {
    const text = await section(ada);
    for (const part of ['none yet', 'not scheduled yet', 'No discrepancy is open.']) {
      expect(text).toContain(part);
    }
    expect(text.match(/\/api\/v1\/month-ends\/\d{4}-\d{2}\?format=html/g)).toHaveLength(2);
  });

  it('shows runs, classes with their age, and each discrepancy with what the ERP says', async () => {
    await harness.admin.query(
      `INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at)
       VALUES ($1, 'Europe/Copenhagen', '2026-04-01T00:00:00Z')
       ON CONFLICT (installation_id) DO UPDATE SET next_run_at = EXCLUDED.next_run_at`,
      [id],
    );
    await seen(['amount-drift', 'settlement-open', 'amount-drift'], { refusal: 'Account <7960> is away.' });
    const text = (await section(ada)).replaceAll(/\s+/g, ' ');
    expect(text).toContain('2026-03-31 02:05 UTC, of all jobs');
    expect(text).toContain('1200 entries, 3 discrepancies, 0 resolved.');
    expect(text).toContain('2026-04-01 00:00 UTC');
    expect(text).toMatch(/class=amount-drift">amount drift<\/a><\/td><td class="number">2<\/td><td>for 3 days/);
    expect(text).toMatch(/class=settlement-open">settlement open<\/a><\/td><td class="number">1<\/td><td>for 2 days/);
    expect(text).toContain(`<code>${SUBJECT}</code> 125.00 EUR`);
    expect(text).toContain('Account &lt;7960&gt; is away.');
    expect(text.match(/value="reverse"/g)).toHaveLength(2);
    expect(text.match(/value="accept"/g)).toHaveLength(3);
  });

  it('is without forms for a viewer, and has no more than twenty of the oldest', async () => {
    await seen(Array.from({ length: 21 }, () => 'account-drift'));
    const text = await section(await signInAs('viewer'));
    expect(text.match(/<article>/g)).toHaveLength(20);
    expect([text.includes('<form'), text.includes('GET /api/v1/discrepancies')]).toEqual([false, true]);
  });
});

describe('its forms', () => {
  const actions = (discrepancy: string | undefined) => `/settings/discrepancies/${discrepancy ?? ''}/actions`;

  it('let a bookkeeper accept a discrepancy with a note', async () => {
    const [discrepancy = ''] = await seen(['account-drift']);
    const bo = await signInAs('bookkeeper');
    expect(await section(bo)).toContain(`action="${actions(discrepancy)}"`);
    const reply = await bo.submit(actions(discrepancy), { action: 'accept', note: 'agreed with Eva' });
    expect([reply.status, reply.headers['location']]).toEqual([303, '/settings#reconciliation']);
    expect(await stateOf(discrepancy)).toEqual({
      state: 'accepted',
      as: 'accept',
      by: expect.stringMatching(/^person [0-9a-f-]{36}$/),
      note: 'agreed with Eva',
    });
    expect(await section(bo)).toContain('No discrepancy is open.');
  });

  it('say in a page what cannot be done', async () => {
    const [discrepancy = ''] = await seen(['settlement-open']);
    for (const [path, fields, status, words] of [
      [actions(discrepancy), { action: 'reverse', note: 'x' }, 409, 'not possible for a discrepancy'],
      [actions(discrepancy), { action: 'accept', note: '' }, 400, 'note should not be empty'],
      [actions(randomUUID()), { action: 'accept', note: 'x' }, 404, 'There is no such discrepancy.'],
      [actions('none'), { action: 'accept', note: 'x' }, 404, 'There is no such discrepancy.'],
    ] as const) {
      const reply = await ada.submit(path, fields);
      expect([reply.status, reply.headers['content-type'], reply.text.includes(words)]).toEqual([
        status,
        'text/html; charset=utf-8',
        true,
      ]);
    }
    expect(await stateOf(discrepancy)).toMatchObject({ state: 'open' });
  });

  it('are for bookkeepers, of their own company, with the token of the page', async () => {
    const [discrepancy = ''] = await seen(['account-drift']);
    const fields = { action: 'accept', note: 'x' };
    expect((await (await signInAs('viewer')).submit(actions(discrepancy), fields)).status).toBe(403);
    const csrf = (await csrfOf(ada))['x-csrf-token'] ?? '';
    expect((await ada.post(actions(discrepancy), fields)).status).toBe(403);
    expect((await ada.post(actions(discrepancy), { ...fields, csrf: `${csrf}x` })).status).toBe(403);
    const other = harness.platform.addCompany({ name: 'Other' });
    await harness.connect(companyUrn(other.id), ADA);
    const elsewhere = await signIn(harness, companyUrn(other.id), ADA);
    expect((await elsewhere.submit(actions(discrepancy), fields)).status).toBe(404);
    expect(await stateOf(discrepancy)).toMatchObject({ state: 'open' });
  });
});
