import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { CheckDrift } from '../../../../src/connector/review/check-drift.js';
import { UNREACHABLE } from '../../../support/fake-erp.js';
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

const check = (of = tenant) => harness.send(of, 'POST', '/drift/checks');
const found = async (path = '/drift', of = tenant) => (await harness.send(of, 'GET', path)).body;
const saveRule = (body: object, seen: number) => harness.send(tenant, 'POST', '/mapping/rules', body, { seen });

/** The ERP as it is after a person changed accounts, tax codes, dimensions or vendors there. */
function change(changes: Partial<typeof companyData>): void {
  harness.erp.masterData = { ...companyData, ...changes };
}

describe('the drift check', () => {
  it('finds nothing while nothing has changed since the mapping', async () => {
    expect(await found()).toEqual({ checkedAt: null, data: [], more: false });
    expect((await check()).body).toMatchObject({ checkedAt: expect.any(String), data: [], more: false });
  });

  it('can run several times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => check()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('reports what was archived, renamed, blocked or removed since, and where it is used, until it is resolved', async () => {
    await saveRule({ subject: 'account', source: '404', target: '6071' }, 1);
    await saveRule({ subject: 'account', source: '405', target: '6110' }, 2);
    await saveRule({ subject: 'tax-code', source: 'T', target: 'HALF' }, 3);
    await saveRule({ subject: 'tag', sourceGroup: 'Team', source: 'North', targetGroup: 'CC', target: '100' }, 4);
    const invoice = itemOf({
      type: 'invoice',
      amount: '100',
      method: 'accounts_payable',
      vendor: 'V-7',
      invoice: { invoiceNumber: 'A-1' },
      lines: [{ amount: '100', account: '4010' }],
    });
    await harness.export(tenant, [fetched(tenant.companyId, randomUUID(), invoice)]);
    await check();

    harness.clock.passMinutes(60);
    change({
      accounts: companyData.accounts
        .filter(({ code }) => code !== '2890')
        .map((one) =>
          one.code === '6071' ? { ...one, active: false } : one.code === '6110' ? { ...one, name: 'Bureau' } : one,
        ),
      taxCodes: companyData.taxCodes.map((one) => (one.code === 'HALF' ? { ...one, active: false } : one)),
      dimensions: companyData.dimensions.map((one) => ({
        ...one,
        values: one.values.map((value) => (value.code === '100' ? { ...value, active: false } : value)),
      })),
      vendors: companyData.vendors.map((one) => (one.code === 'V-7' ? { ...one, blocked: true } : one)),
    });
    const seenAt = harness.clock.now().toISOString();
    const expected = [
      { kind: 'account', target: '2890', what: 'missing', usedBy: ['setting Out-of-pocket'], since: seenAt },
      { kind: 'account', target: '6071', what: 'archived', usedBy: ['rule 1'], since: seenAt },
      {
        kind: 'account',
        target: '6110',
        what: 'renamed',
        usedBy: ['rule 2'],
        since: seenAt,
        detail: expect.stringContaining('"Office"'),
      },
      { kind: 'dimension-value', group: 'CC', target: '100', what: 'archived', usedBy: ['rule 4'] },
      { kind: 'tax-code', target: 'HALF', what: 'archived', usedBy: ['rule 3'] },
      { kind: 'vendor', target: 'erp-V-7', what: 'blocked', usedBy: ['entries of the last 90 days'] },
    ];
    expect((await check()).body['data']).toMatchObject(expected);
    harness.clock.passMinutes(60);
    await check();
    expect((await found())['data']).toMatchObject(expected);
    expect((await found('/setup'))['drift']).toMatchObject({ data: expected });

    change({});
    expect((await check()).body['data']).toMatchObject([{ target: '6110', what: 'renamed' }]);
    harness.clock.passMinutes(31 * 24 * 60);
    expect((await found())['data']).toEqual([]);
  });

  it('looks for vendors of the linked company only', async () => {
    const invoice = itemOf({
      type: 'invoice',
      amount: '100',
      method: 'accounts_payable',
      vendor: 'V-7',
      invoice: { invoiceNumber: 'A-1' },
      lines: [{ amount: '100', account: '4010' }],
    });
    await harness.export(tenant, [fetched(tenant.companyId, randomUUID(), invoice)]);
    await check();
    await harness.admin.query(`UPDATE installation SET erp_company_id = $2 WHERE id = $1`, [
      tenant.installationId,
      `another-${tenant.installationId}`,
    ]);
    // The other company has its own vendors.
    change({ vendors: [] });
    expect((await check()).body).toMatchObject({ checkedAt: expect.any(String), data: [] });
  });

  it('deletes what the mapping no longer uses', async () => {
    await saveRule({ subject: 'account', source: '404', target: '6071' }, 1);
    await check();
    change({ accounts: companyData.accounts.filter(({ code }) => code !== '6071') });
    expect((await check()).body['data']).toHaveLength(1);
    await harness.send(
      tenant,
      'PUT',
      '/mapping/rules/1',
      { subject: 'account', source: '404', target: '5410' },
      { seen: 2 },
    );
    expect((await check()).body['data']).toEqual([]);
  });

  it('runs when a job begins, and daily', async () => {
    const queued = async () => {
      const { rows } = await harness.admin.query<{ count: string }>(
        `SELECT count(*) FROM pgboss.job WHERE name = 'check-drift' AND data ->> 'installationId' = $1`,
        [tenant.installationId],
      );
      return Number(rows[0]?.count);
    };
    await harness.export(tenant, [purchase(tenant.companyId)]);
    expect(await queued()).toBe(1);

    const checkDrift = harness.app.get(CheckDrift, { strict: false });
    await harness.admin.query(`DELETE FROM pgboss.job WHERE name = 'check-drift'`);
    await checkDrift.wake();
    expect(await queued()).toBe(1);
    await harness.admin.query(`DELETE FROM pgboss.job WHERE name = 'check-drift'`);
    await check();
    await checkDrift.wake();
    expect(await queued()).toBe(0);
    await harness.admin.query(`UPDATE drift_check SET next_check_at = next_check_at - interval '24 hours'`);
    await checkDrift.wake();
    expect(await queued()).toBe(1);
  });

  it('keeps its last result while the ERP does not respond, and runs again within the hour', async () => {
    await check();
    const before = await found();
    harness.erp.failure = UNREACHABLE;
    expect((await check()).status).toBe(503);
    expect(await found()).toEqual(before);
    const { rows } = await harness.admin.query<{ soon: boolean }>(
      `SELECT next_check_at < now() + interval '61 minutes' AS soon FROM drift_check WHERE installation_id = $1`,
      [tenant.installationId],
    );
    expect(rows).toEqual([{ soon: true }]);
  });

  it('shows the results of the own installation only', async () => {
    change({ accounts: companyData.accounts.filter(({ code }) => code !== '2890') });
    expect((await check()).body['data']).toHaveLength(1);
    expect(await found('/drift', await harness.addTenant())).toEqual({
      checkedAt: null,
      data: [],
      more: false,
    });
  });
});
