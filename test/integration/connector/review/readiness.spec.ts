import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { account, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { startedOnce } from '../../../support/started-once.js';
import { fetched } from '../exports/exports-harness.js';
import { ReviewHarness, type ReviewTenant } from './review-harness.js';

// Ready to export? What is known to be in the way before an export begins.

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

interface Blocker {
  readonly kind: string;
  readonly count: number;
  readonly code: string;
  readonly link: string;
}

beforeEach(async () => {
  jest.restoreAllMocks();
  harness.erp.restore();
  harness.platform.restore();
  harness.platform.referenceData.accounts.clear();
  tenant = await harness.addTenant();
});

const read = async () => (await harness.send(tenant, 'GET', '/overview/readiness', undefined, { as: 'viewer' })).body;
const blockers = (body: Awaited<ReturnType<typeof read>>, kind: string) =>
  (body['blockers'] as readonly Blocker[]).filter((each) => each.kind === kind);

/** Purchases on a category that is only known to the platform. */
const purchases = (code: string, count: number, id = randomUUID()) =>
  Array.from({ length: count }, () =>
    fetched(
      tenant.companyId,
      randomUUID(),
      itemOf({ type: 'card_purchase', amount: '1250', lines: [{ amount: '1250', account: account(code, { id }) }] }),
    ),
  );

it('shows what blocks failed entries, and what of them would be posted once it is resolved', async () => {
  await harness.export(tenant, [...purchases('404', 2), ...purchases('405', 1)]);
  const before = await read();
  expect(before).toMatchObject({ ready: false, failedEntries: { willPost: 0, needYou: 3, notKnown: 0 } });
  expect(blockers(before, 'issue')).toMatchObject([
    { count: 2, code: 'issue.account', link: '/issues/account%3A404' },
    { count: 1, code: 'issue.account', link: '/issues/account%3A405' },
  ]);
  const rule = { subject: 'account', source: '404', target: '6110' };
  expect((await harness.send(tenant, 'POST', '/mapping/rules/bulk', { upserts: [rule] }, { seen: 1 })).status).toBe(
    200,
  );
  const after = await read();
  expect(after).toMatchObject({ ready: false, failedEntries: { willPost: 2, needYou: 1 } });
  expect(blockers(after, 'issue')).toMatchObject([{ count: 1, link: '/issues/account%3A405' }]);
});

it('counts entries that could not be read among those that need a person', async () => {
  const unreadable = { accountingEntryId: randomUUID(), unreadable: 'amount: is missing' };
  await harness.export(tenant, [unreadable, ...purchases('404', 1)]);
  const body = await read();
  expect(body).toMatchObject({ ready: false, failedEntries: { willPost: 0, needYou: 2, notKnown: 0 } });
  expect(blockers(body, 'issue').map(({ count, link }) => [count, link])).toEqual([
    [1, '/issues/account%3A404'],
    [1, '/issues/unreadable%3Aentry'],
  ]);
});

it('counts all entries of an issue that was left and is open again, as the list of issues does', async () => {
  await harness.export(tenant, purchases('404', 2));
  harness.clock.passMinutes(1);
  await harness.send(tenant, 'PUT', '/issues/account:404/handling', { bookedByHand: true });
  expect(await read()).toMatchObject({ ready: true, failedEntries: { needYou: 0 } });
  harness.clock.passMinutes(1);
  await harness.export(tenant, purchases('404', 1));
  const { body } = await harness.send(tenant, 'GET', '/issues/account:404');
  expect(body).toMatchObject({ state: 'open', entries: 3 });
  expect(await read()).toMatchObject({ ready: false, failedEntries: { needYou: 3 } });
});

it('counts unmapped values of the platform that are in use, and not those that are unused', async () => {
  const used = randomUUID();
  for (const [id, code] of [
    [used, '404'],
    [randomUUID(), '405'],
  ] as const) {
    const category = { id, code, name: 'Unknown', externalId: `platform-${code}`, archived: false };
    harness.platform.referenceData.accounts.set(id, { ...category, taxCodeExternalId: null, metadata: null });
  }
  await harness.export(tenant, purchases('404', 3, used));
  expect(blockers(await read(), 'unmapped')).toMatchObject([
    {
      count: 1,
      code: 'readiness.unmapped.categories',
      parameters: { count: 1, entries: 3 },
      text: '1 category of the platform in use is not mapped: 3 entries of the last 90 days named it.',
      link: '/reference-data?tab=categories',
    },
  ]);
});

it('reports a lost connection in the language of the reader, and what could not be checked', async () => {
  await harness.admin.query(`UPDATE installation SET erp_company_id = NULL WHERE id = $1`, [tenant.installationId]);
  const answer = await harness.app.inject({
    url: '/api/v1/overview/readiness',
    headers: { authorization: `Bearer ${tenant.tokens.viewer}`, 'accept-language': 'de' },
  });
  const body = answer.json<Record<string, unknown>>();
  expect(body).toMatchObject({ ready: false, failedEntries: null });
  expect(blockers(body, 'accounting-system')).toMatchObject([
    { code: 'setup.erp-company.not-linked', text: expect.stringContaining('Buchhaltung'), link: '/setup' },
  ]);
  expect((body['notChecked'] as readonly { code: string }[]).map(({ code }) => code)).toEqual([
    'readiness.not-checked.lists',
    'readiness.not-checked.entries',
  ]);
});

it.each(['unreachable', 'timeout', 'rate-limit', 'authentication'] as const)(
  'calls an accounting system that fails with %s once, and reports that it could not check',
  async (kind) => {
    await harness.export(tenant, purchases('404', 2));
    harness.erp.failure = { kind, message: 'secret words of the ERP' };
    harness.clock.passMinutes(60);
    const asked = jest.spyOn(harness.erp, 'loadMasterData');
    const body = await read();
    expect(asked).toHaveBeenCalledTimes(1);
    expect(body).toMatchObject({ ready: false, failedEntries: null });
    expect(blockers(body, 'accounting-system')).toMatchObject([
      { code: `setup.erp-reachable.${kind}`, link: '/setup' },
    ]);
    expect((body['notChecked'] as readonly { code: string }[]).map(({ code }) => code)).toEqual([
      'readiness.not-checked.lists',
      'readiness.not-checked.entries',
    ]);
    expect(JSON.stringify(body)).not.toContain('secret words');
  },
);

it('is not ready while the operator has paused exports, and says why', async () => {
  await harness.admin.query(
    `UPDATE installation SET paused_at = now(), paused_by = 'operator', pause_reason = 'The ledger is moved.' WHERE id = $1`,
    [tenant.installationId],
  );
  const body = await read();
  expect(body).toMatchObject({ ready: false, notChecked: [] });
  expect(blockers(body, 'paused')).toMatchObject([
    {
      count: 1,
      text: 'The operator of this service has paused exports: The ledger is moved. An export that is asked for waits, and goes on when the operator lets it.',
      link: null,
    },
  ]);
});

it('is ready when nothing blocks it', async () => {
  const ready = await read();
  expect(ready).toEqual({
    ready: true,
    blockers: [],
    failedEntries: { willPost: 0, needYou: 0, notKnown: 0, isTruncated: false },
    notChecked: [],
  });
});
