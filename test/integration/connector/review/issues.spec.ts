import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { CompanyOwnership } from '../../../../src/connector/exports/stores/company-ownership.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
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

const failedEntries = (count: number, account = '6420') =>
  Array.from({ length: count }, () => purchase(tenant.companyId, { account }));
const readIssues = async (state = 'open', of = tenant) => {
  const { body } = await harness.send(of, 'GET', `/issues?state=${state}`, undefined, { as: 'viewer' });
  return body['data'] as readonly Readonly<Record<string, unknown>>[];
};
const resolve = (key: string, body: object = {}, as: 'bookkeeper' | 'admin' | 'viewer' = 'bookkeeper') =>
  harness.send(tenant, 'POST', `/issues/${key}/resolution`, body, { as });

describe('500 entries that fail for one reason', () => {
  it('are one row, are posted after one call, and have their row closed automatically', async () => {
    const items = failedEntries(500);
    const job = await harness.export(tenant, [...items, purchase(tenant.companyId)]);
    const [row, ...others] = await readIssues();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      issueKey: 'account:6420',
      kind: 'account',
      reference: '6420',
      name: 'Name of 6420',
      state: 'open',
      failureType: 'account_unknown',
      entries: 500,
      amounts: [{ currency: 'EUR', amount: '62500.00', entries: 500 }],
      jobs: 1,
      jobIds: [job.id],
      closedAt: null,
      suggestedResolution: { action: 'rule' },
    });

    const resolved = await resolve('account:6420', { rule: { target: '6110' } });
    expect(resolved).toMatchObject({
      status: 202,
      body: {
        mappingVersion: 2,
        reexport: { state: 'waiting', entries: 500, requestedBy: expect.any(String) },
      },
    });
    await harness.followUp(tenant);

    expect(await readIssues()).toEqual([]);
    expect(await readIssues('closed')).toMatchObject([
      { issueKey: 'account:6420', state: 'closed', entries: 500, closedAt: expect.any(String) },
    ]);
    const { body } = await harness.send(tenant, 'GET', '/issues/account:6420');
    expect(body['latestReexport']).toMatchObject({ state: 'completed', successful: 500, failed: 0 });
    for (const { accountingEntryId } of items) {
      expect(harness.erp.standing(accountingEntryId)).toBe(1);
    }
  });

  it('stay one row over several jobs, with the date it was first seen', async () => {
    const items = failedEntries(3);
    const first = await harness.export(tenant, items);
    const [before] = await readIssues();
    harness.clock.passMinutes(60);
    const second = await harness.export(tenant, [...items, ...failedEntries(1)]);
    expect(await readIssues()).toMatchObject([
      { entries: 4, jobs: 1, jobIds: [second.id], firstSeen: before?.['firstSeen'] },
    ]);
    expect(first.id).not.toBe(second.id);
  });
});

describe('an issue', () => {
  it('stays open for what fails again, and is closed for the rest', async () => {
    const both = fetched(
      tenant.companyId,
      randomUUID(),
      itemOf({
        type: 'card_purchase',
        amount: '200',
        lines: [
          { amount: '100', account: '6420' },
          { amount: '100', account: '6421' },
        ],
      }),
    );
    await harness.export(tenant, [both, ...failedEntries(2)]);
    expect((await readIssues()).map((row) => [row['issueKey'], row['entries']])).toEqual([
      ['account:6420', 3],
      ['account:6421', 1],
    ]);
    await resolve('account:6420', { rule: { target: '6110' } });
    await harness.followUp(tenant);
    expect((await readIssues()).map((row) => [row['issueKey'], row['entries']])).toEqual([['account:6421', 1]]);
    const { body } = await harness.send(tenant, 'GET', '/issues/account:6420');
    expect(body).toMatchObject({
      state: 'closed',
      latestReexport: { state: 'completed_with_errors', successful: 2, failed: 1 },
    });
  });

  it('can be resolved although a rule for it was saved since, without an export', async () => {
    await harness.export(tenant, failedEntries(2));
    const rule = { subject: 'account', source: '6420', target: '6110' };
    const saved = await harness.send(tenant, 'POST', '/mapping/rules', rule, { seen: 1 });
    expect(saved).toMatchObject({ status: 201, body: { version: 2 } });
    expect(await resolve('account:6420', { rule: { target: '6110' } })).toMatchObject({
      status: 202,
      body: { mappingVersion: 2, reexport: { entries: 2 } },
    });
    await harness.followUp(tenant);
    expect(await readIssues()).toEqual([]);
  });

  it('of a setting can be resolved by an administrator', async () => {
    const topUp = fetched(
      tenant.companyId,
      randomUUID(),
      itemOf({ type: 'fee', amount: '100', currency: 'USD', lines: [{ amount: '100', account: '6570' }] }),
    );
    await harness.export(tenant, [topUp]);
    expect(await readIssues()).toMatchObject([
      { issueKey: 'setting-missing:wallet-USD', suggestedResolution: { action: 'setting' } },
    ]);
    const resolution = { setting: { account: '1936' } };
    expect((await resolve('setting-missing:wallet-USD', resolution)).status).toBe(403);
    expect(await resolve('setting-missing:wallet-USD', resolution, 'admin')).toMatchObject({
      status: 202,
      body: { mappingVersion: 2 },
    });
    await harness.followUp(tenant);
    expect(await readIssues()).toEqual([]);
  });

  it('that was resolved in the ERP needs only the re-export', async () => {
    await harness.export(tenant, failedEntries(1, '9999'));
    const { masterData } = harness.erp;
    harness.erp.masterData = masterData && {
      ...masterData,
      accounts: masterData.accounts.map((one) => ({ ...one, active: true })),
    };
    expect(await resolve('account:9999')).toMatchObject({ status: 202, body: { mappingVersion: null } });
    await harness.followUp(tenant);
    expect(await readIssues()).toEqual([]);
  });

  it.each([
    [{ supplier: { name: 'VECTORPAD INC' } }, 'VECTORPAD INC'],
    [{ supplier: null }, null],
  ])('of one entry says which: %j', async (texts, supplier) => {
    const item = itemOf({
      type: 'card_purchase',
      amount: '100',
      date: '2026-02-03T10:00:00Z',
      lines: [{ amount: '100', account: '6420' }],
    });
    const entryId = randomUUID();
    await harness.export(tenant, [fetched(tenant.companyId, entryId, { ...item, ...texts })]);
    const known = { accountingEntryId: entryId, date: '2026-02-03', supplier };
    expect(await readIssues()).toMatchObject([{ entries: 1, onlyEntry: known }]);
    const { body } = await harness.send(tenant, 'GET', '/issues/account:6420/entries');
    expect(body['data']).toMatchObject([{ accountingEntryId: entryId, entry: { date: '2026-02-03', supplier } }]);
    await harness.export(tenant, failedEntries(1));
    expect(await readIssues()).toMatchObject([{ entries: 2, onlyEntry: null }]);
  });

  it('shows its entries and the job that cleared them, paged', async () => {
    const items = failedEntries(3);
    await harness.export(tenant, items);
    await resolve('account:6420', { rule: { target: '6110' } });
    await harness.followUp(tenant);
    const first = await harness.send(tenant, 'GET', '/issues/account:6420/entries?limit=2');
    const next = String(first.body['nextCursor']);
    const second = await harness.send(tenant, 'GET', `/issues/account:6420/entries?limit=2&after=${next}`);
    const entries = [first, second].flatMap(({ body }) => body['data'] as readonly Record<string, unknown>[]);
    expect(entries.map((entry) => entry['accountingEntryId'])).toEqual(
      items.map(({ accountingEntryId }) => accountingEntryId).toSorted(),
    );
    expect(entries[0]).toMatchObject({
      entry: { date: expect.stringMatching(/^20/), type: 'card_purchase' },
      itemType: 'card_purchase',
      currency: 'EUR',
      amount: '125.00',
      clearedByJobId: expect.any(String),
    });
  });
});

describe('the re-export of a resolution', () => {
  it('waits while another one runs', async () => {
    await harness.export(tenant, failedEntries(1));
    await resolve('account:6420', { rule: { target: '6110' } });
    harness.platform.addJob(tenant.companyId, []);
    await harness.followUp(tenant);
    const { body } = await harness.send(tenant, 'GET', '/issues/account:6420');
    expect(body['latestReexport']).toMatchObject({
      state: 'waiting',
      problem: expect.stringContaining('under way'),
    });
    const again = await harness.app.inject({
      method: 'POST',
      url: '/api/v1/issues/account:6420/resolution',
      headers: { authorization: `Bearer ${tenant.tokens.bookkeeper}`, 'accept-language': 'de' },
      payload: {},
    });
    expect(again.json()).toMatchObject({
      type: 'urn:problem:resolution-in-progress',
      reexport: {
        problem: 'Ein anderer Export des Unternehmens läuft. Dieser wird wieder verlangt, wenn jener zu Ende ist.',
      },
    });
    for (const job of harness.platform.jobs.values()) job.status = 'completed';
    await harness.followUp(tenant);
    expect(await readIssues()).toEqual([]);
  });

  it('is requested once when two people resolve the issue at the same moment', async () => {
    await harness.export(tenant, failedEntries(2));
    const both = await Promise.all([resolve('account:6420'), resolve('account:6420')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    expect(both.find(({ status }) => status === 409)?.body['type']).toBe('urn:problem:resolution-in-progress');
  });

  const MINUTES_LATER = 5;
  it.each([
    ['at once', () => Promise.resolve()],
    ['after it was requested again, which the platform refused because of that job', () => harness.followUp(tenant)],
    [
      'after it could not be requested again, because another worker had the company',
      async () => {
        const { installationId, companyId } = tenant;
        const owner = harness.app.get(CompanyOwnership, { strict: false });
        await owner.whileOwner(installationId, companyId, () => harness.followUp(tenant));
      },
    ],
  ])('is recognized when the response about its job was lost, %s', async (_, meanwhile) => {
    await harness.export(tenant, failedEntries(2));
    await resolve('account:6420', { rule: { target: '6110' } });
    harness.platform.after = (call) => {
      if (call === 'create-job') throw new NoResponse('lost', true);
    };
    await harness.followUp(tenant);
    harness.platform.after = () => undefined;
    expect((await harness.send(tenant, 'GET', '/issues/account:6420')).body['latestReexport']).toMatchObject({
      state: 'requested',
    });
    const [lost] = [...harness.platform.jobs.values()].filter(
      ({ companyId, status }) => companyId === tenant.companyId && status === 'pending',
    );
    harness.clock.freezeMinutes(MINUTES_LATER);
    await meanwhile();
    await harness.detect(tenant, lost?.id ?? '');
    await harness.processQueue(tenant);
    expect((await harness.send(tenant, 'GET', '/issues/account:6420')).body['latestReexport']).toMatchObject({
      state: 'completed',
      exportJobId: lost?.id,
    });
    expect(await readIssues()).toEqual([]);
  });

  it('that the platform refuses shows the reason, and can be requested again', async () => {
    await harness.export(tenant, failedEntries(1));
    for (const job of harness.platform.jobs.values()) job.data.length = 0;
    await resolve('account:6420', { rule: { target: '6110' } });
    await harness.followUp(tenant);
    expect((await harness.send(tenant, 'GET', '/issues/account:6420')).body).toMatchObject({
      state: 'open',
      latestReexport: {
        state: 'refused',
        problem: 'The platform makes no export of these entries: unknown accounting entries',
      },
    });
    expect((await resolve('account:6420')).status).toBe(202);
  });
});

describe('an unsuitable resolution', () => {
  beforeEach(async () => {
    await harness.export(tenant, failedEntries(1));
  });

  it.each([
    ['a target that is not there', { rule: { target: '0' } }, 422, ['/rule/target']],
    ['a setting', { setting: { account: '1936' } }, 422, ['']],
    ['both', { setting: { account: '1936' }, rule: { target: '6110' } }, 422, undefined],
    ['a rule without a target', { rule: {} }, 400, ['/rule/target']],
    ['something else', { other: 1 }, 400, ['/other']],
  ])('is %s', async (_, body, status, pointers) => {
    const refused = await resolve('account:6420', body, 'admin');
    const errors = refused.body['errors'] as readonly { readonly pointer: string }[] | undefined;
    const found = errors && [...new Set(errors.map(({ pointer }) => pointer))];
    expect([refused.status, found]).toEqual([status, pointers]);
    expect(await readIssues()).toHaveLength(1);
    const { rows } = await harness.admin.query('SELECT 1 FROM reexport WHERE installation_id = $1', [
      tenant.installationId,
    ]);
    expect(rows).toEqual([]);
  });

  it('a viewer cannot resolve an issue, and an unknown issue is not found', async () => {
    expect((await resolve('account:6420', {}, 'viewer')).status).toBe(403);
    expect((await resolve('account:1')).status).toBe(404);
    expect((await resolve('%00')).status).toBe(404);
  });

  it('another installation can neither see nor resolve an issue', async () => {
    const other = await harness.addTenant();
    expect(await readIssues('open', other)).toEqual([]);
    expect((await harness.send(other, 'GET', '/issues/account:6420')).status).toBe(404);
    expect((await harness.send(other, 'POST', '/issues/account:6420/resolution', {})).status).toBe(404);
    const { body } = await resolve('account:6420');
    const { id } = body['reexport'] as { readonly id: string };
    expect((await harness.send(tenant, 'GET', `/reexports/${id}`)).status).toBe(200);
    expect((await harness.send(other, 'GET', `/reexports/${id}`)).status).toBe(404);
  });
});

it('issues are paged with most entries first', async () => {
  await harness.export(tenant, [...failedEntries(1, 'a'), ...failedEntries(2, 'b'), ...failedEntries(1, 'c')]);
  const keys: unknown[] = [];
  let after = '';
  for (let page = 0; page < 3; page += 1) {
    const { body } = await harness.send(tenant, 'GET', `/issues?limit=1${after}`);
    keys.push(...(body['data'] as readonly { readonly issueKey: string }[]).map(({ issueKey }) => issueKey));
    after = `&after=${String(body['nextCursor'])}`;
  }
  expect(keys).toEqual(['account:b', 'account:a', 'account:c']);
});
