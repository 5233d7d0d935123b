import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { addDays, localDateIn } from '../../../../src/kernel/local-date.js';
import { fetched, purchase } from '../exports/exports-harness.js';
import { ReviewHarness, type ReviewTenant } from './review-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  tenant = await harness.addTenant();
});

const failedEntries = (count: number, account: string) =>
  Array.from({ length: count }, () => purchase(tenant.companyId, { account }));

describe('a list of issues', () => {
  const keys = async (query: string, of = tenant) => {
    const { status, body } = await harness.send(of, 'GET', `/issues?${query}`, undefined, { as: 'viewer' });
    return status === 200 ? (body['data'] as readonly { issueKey: string }[]).map(({ issueKey }) => issueKey) : status;
  };
  const handle = async (key: string, body: object, as: 'viewer' | 'bookkeeper' = 'bookkeeper') =>
    harness.send(tenant, 'PUT', `/issues/${key}/handling`, body, { as });

  beforeEach(async () => {
    // 125.00 each; the oldest blocks most, the youngest the greatest sum.
    await harness.export(tenant, failedEntries(3, '6420'));
    harness.clock.passMinutes(1);
    await harness.export(tenant, failedEntries(1, '6475'));
    harness.clock.passMinutes(1);
    const large = {
      type: 'card_purchase',
      amount: '90000',
      contra: '1935',
      lines: [{ amount: '90000', account: '6999' }],
    };
    await harness.export(tenant, [fetched(tenant.companyId, randomUUID(), itemOf(large))]);
  });

  it.each([
    ['sort=entries', ['account:6420', 'account:6475', 'account:6999']],
    ['sort=amount', ['account:6999', 'account:6420', 'account:6475']],
    ['sort=age', ['account:6420', 'account:6475', 'account:6999']],
    ['search=NAME%20OF%206475', ['account:6475']],
    ['kind=tax-code', []],
    ['kind=account&search=6999', ['account:6999']],
    ['sort=colour', 400],
    ['kind=A', 400],
    ['search=', 400],
  ])('with ?%s', async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  it.each([
    ['', 3, '1400.00', 5],
    ['search=NAME%20OF%206475', 1, '125.00', 1],
    ['state=closed', 0, undefined, undefined],
  ])('with ?%s adds up to %i', async (query, total, amount, entries) => {
    const { body } = await harness.send(tenant, 'GET', `/issues/totals?${query}`, undefined, { as: 'viewer' });
    const amounts = amount === undefined ? [] : [{ currency: 'EUR', amount, entries }];
    expect(body).toMatchObject({ total, amounts });
  });

  it('is paged in the order of its sort', async () => {
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const { body } = await harness.send(tenant, 'GET', `/issues?sort=amount&limit=1${after}`);
      seen.push(...(body['data'] as readonly { issueKey: string }[]).map(({ issueKey }) => issueKey));
      const { nextCursor } = body;
      if (typeof nextCursor !== 'string') break;
      after = `&after=${nextCursor}`;
    }
    expect(seen).toEqual(['account:6999', 'account:6420', 'account:6475']);
  });

  it('shows who handles each, and hides what is postponed or was booked by hand until it fails again', async () => {
    expect((await handle('account:6420', { assignee: 'Ada' }, 'viewer')).status).toBe(403);
    expect((await handle('account:0', { assignee: 'Ada' })).status).toBe(404);
    expect((await handle('account:6420', { assignee: 'Ada', note: 'asked the bank' })).body).toMatchObject({
      issueKey: 'account:6420',
      state: 'open',
      handling: { assignee: 'Ada', note: 'asked the bank', snoozedUntil: null, bookedByHand: false },
    });
    expect(await keys('assignee=Ada')).toEqual(['account:6420']);
    await handle('account:6475', { snoozedUntil: '2099-01-31' });
    await handle('account:6999', { bookedByHand: true, note: 'J-7' });
    expect([await keys(''), await keys('state=snoozed'), await keys('state=left'), await keys('state=closed')]).toEqual(
      [['account:6420'], ['account:6475'], ['account:6999'], []],
    );
    const overview = await harness.send(tenant, 'GET', '/overview');
    expect(overview.body['issues']).toMatchObject({ count: 1, entries: 3 });
    harness.clock.passMinutes(1);
    await harness.export(tenant, failedEntries(1, '6999'));
    await handle('account:6475', { snoozedUntil: '2026-01-31' });
    expect(await keys('sort=age')).toEqual(['account:6420', 'account:6475', 'account:6999']);
  });

  it('keeps the line breaks of a note, and takes no other control character', async () => {
    const note = 'Asked the bank.\nThey call back on Monday.';
    expect(await handle('account:6420', { note })).toMatchObject({ status: 200, body: { handling: { note } } });
    expect((await handle('account:6420', { note: 'one\u0007' })).status).toBe(400);
  });

  it('postpones one to the midnight of the company, which the home page goes by too', async () => {
    const now = new Date();
    // Where it is another day than in UTC.
    const timeZone = now.getUTCHours() < 12 ? 'Etc/GMT+12' : 'Etc/GMT-14';
    await harness.admin.query(
      `INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at) VALUES ($1, $2, now())`,
      [tenant.installationId, timeZone],
    );
    const today = localDateIn(now, timeZone);
    const open = async () => {
      const { body } = await harness.send(tenant, 'GET', '/overview');
      return [await keys('search=6475'), (body['issues'] as { count: number }).count];
    };
    await handle('account:6475', { snoozedUntil: addDays(today, 1) });
    expect(await open()).toEqual([[], 2]);
    await handle('account:6475', { snoozedUntil: today });
    expect(await open()).toEqual([['account:6475'], 3]);
  });

  it('has entries that were booked by hand, which no export posts until that is taken back', async () => {
    const [entry] = failedEntries(1, '6777');
    if (entry === undefined) throw new Error('no entry');
    const exported = async () => (await harness.export(tenant, [entry])).results.get(entry.accountingEntryId);
    await exported();
    harness.clock.passMinutes(1);
    await handle('account:6777', { bookedByHand: true });
    const rule = { subject: 'account', source: '6777', target: '6110' };
    const rules = await harness.send(tenant, 'POST', '/mapping/rules/bulk', { upserts: [rule] }, { seen: 1 });
    expect(rules.status).toBe(200);
    harness.clock.passMinutes(1);
    expect(await exported()).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('booked by hand, so it was not posted: it would be in the books twice'),
    });
    expect([harness.erp.posts.flat(), await keys('state=left')]).toEqual([[], ['account:6777']]);
    await handle('account:6777', { bookedByHand: false });
    expect(await exported()).toMatchObject({ status: 'successful' });
    expect(harness.erp.posts.flat()).toEqual([entry.accountingEntryId]);
    expect(await keys('state=closed')).toContain('account:6777');
  });

  it('keeps what a change leaves out, so that a note hides no entry that has failed since', async () => {
    await handle('account:6999', { bookedByHand: true, assignee: 'Ada' });
    expect((await handle('account:6999', { note: 'J-7' })).body).toMatchObject({
      state: 'left',
      handling: { assignee: 'Ada', note: 'J-7', bookedByHand: true },
    });
    harness.clock.passMinutes(1);
    await harness.export(tenant, failedEntries(1, '6999'));
    // Of two people who have the issue before them each changes something else.
    await handle('account:6999', { assignee: null });
    expect((await handle('account:6999', { snoozedUntil: '2026-01-31' })).body).toMatchObject({
      state: 'open',
      handling: { assignee: null, note: 'J-7', snoozedUntil: '2026-01-31', bookedByHand: false },
    });
    expect((await handle('account:6999', { bookedByHand: true })).body).toMatchObject({ state: 'left' });
    expect((await handle('account:6999', { bookedByHand: false })).body).toMatchObject({ state: 'open' });
  });

  it.each([
    { assignee: '' },
    { note: ' \u2003' },
    { note: 'x'.repeat(1_001) },
    { snoozedUntil: '2026-02-30' },
    { snoozedUntil: 'tomorrow' },
    { bookedByHand: 'yes' },
    { left: true },
  ])('refuses %j of one', async (body) => {
    expect((await handle('account:6420', body)).status).toBe(400);
  });

  it('is resolved for several issues at once, each separately', async () => {
    const send = (issueKeys: readonly string[], as: 'viewer' | 'bookkeeper' = 'bookkeeper') =>
      harness.send(tenant, 'POST', '/issues/resolutions', { issueKeys }, { as });
    expect((await send(['account:6420'], 'viewer')).status).toBe(403);
    expect((await send([])).status).toBe(400);
    expect((await send(Array.from({ length: 51 }, (_, index) => `account:${index.toString()}`))).status).toBe(400);
    const { status, body } = await send(['account:6420', 'account:0', 'account:6475', 'account:6420']);
    expect([status, body['data']]).toMatchObject([
      202,
      [
        { issueKey: 'account:6420', outcome: 'resolved', reexport: { entries: 3 } },
        { issueKey: 'account:0', outcome: 'unknown', reexport: null },
        { issueKey: 'account:6475', outcome: 'resolved', reexport: { entries: 1 } },
      ],
    ]);
    expect((await send(['account:6420'])).body['data']).toMatchObject([{ outcome: 'in-progress' }]);
  });
});

it('an issue of a rule that was deleted meanwhile asks for no target, only for the re-export', async () => {
  const rule = { subject: 'account', source: '404', target: '6071' };
  await harness.send(tenant, 'POST', '/mapping/rules', rule, { seen: 1 });
  const accounts = companyData.accounts.map((one) => (one.code === '6071' ? { ...one, active: false } : one));
  harness.erp.masterData = { ...companyData, accounts };
  await harness.export(tenant, failedEntries(1, '404'));
  const shown = async () => (await harness.send(tenant, 'GET', '/issues/rule:1', undefined, { as: 'viewer' })).body;
  expect(await shown()).toMatchObject({
    message: { text: 'Rule 1 has a target that is not active.' },
    suggestedResolution: { action: 'rule' },
  });

  await harness.send(tenant, 'POST', '/mapping/rules/bulk', { upserts: [], deletes: ['1'] }, { seen: 2 });
  expect(await shown()).toMatchObject({
    kind: 'rule',
    message: { text: 'Rule 1, deleted since, had a target that is not active.' },
    suggestedResolution: {
      action: 'outside',
      text: 'Rule 1 was deleted since: export the entries again, which are then decided without it.',
    },
  });
  expect(await harness.send(tenant, 'POST', '/issues/rule:1/resolution', {})).toMatchObject({
    status: 202,
    body: { mappingVersion: null },
  });
});
