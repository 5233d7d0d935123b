import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountRule, MappingHarness, type MappingTenant } from './mapping-harness.js';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { CachedMasterData } from '../../../../src/connector/erp/kit/cached-master-data.js';
import { startedOnce } from '../../../support/started-once.js';

const harness = startedOnce(() => MappingHarness.start());
/** Of an ERP whose lists are kept for a minute. */
const keeping = startedOnce(() => MappingHarness.start(new CachedMasterData().of('connection')));
let tenant: MappingTenant;

beforeEach(async () => {
  harness.erp.restore();
  tenant = await harness.addTenant();
});

/** As the export pipeline leaves them: entries that failed because nothing knew their account. */
async function storeFailures(
  of: MappingTenant,
  codes: readonly string[],
  { daysAgo = 0, on = harness } = {},
): Promise<void> {
  const job = randomUUID();
  const seenAt = `now() - make_interval(days => ${daysAgo.toString()})`;
  await on.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $2, 'running', 1, false, now(), now(), now(), now())`,
    [of.installationId, job],
  );
  for (const code of codes) {
    await on.admin.query(
      `INSERT INTO issue (installation_id, issue_key, kind, reference, name, failure_type, reason, first_seen_at, last_seen_at)
       VALUES ($1, 'account:' || $2, 'account', $2, 'Meals', 'account_unknown', '', ${seenAt}, ${seenAt})
       ON CONFLICT DO NOTHING`,
      [of.installationId, code],
    );
    await on.admin.query(
      `INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, first_seen_at, last_seen_at)
       VALUES ($1, 'account:' || $2, $3, $4, ${seenAt}, ${seenAt})`,
      [of.installationId, code, randomUUID(), job],
    );
  }
}

const suggestions = (query = '', of = tenant) =>
  harness.send(of, 'GET', `/mapping/suggestions${query}`, { as: 'viewer' });

describe('suggestions', () => {
  it('are the keys of failed items that would still fail, with matching targets', async () => {
    await storeFailures(tenant, ['06071', '06071', 'M-1']);
    await storeFailures(tenant, ['old'], { daysAgo: 91 });
    const { status, body } = await suggestions();
    expect([status, body]).toMatchObject([
      200,
      {
        data: [
          {
            subject: 'account',
            sourceGroup: null,
            source: '06071',
            name: 'Meals',
            items: 2,
            proposals: [{ targetGroup: null, target: '6071', because: 'same-code' }],
          },
          { source: 'M-1', items: 1, proposals: [{ target: '6071', because: 'same-name' }] },
        ],
        more: false,
      },
    ]);
    expect((await suggestions('?limit=1')).body).toMatchObject({ data: [{ source: '06071' }], more: true });

    await harness.send(tenant, 'POST', '/mapping/rules', { seen: 1, body: accountRule('06071', '6071') });
    expect((await suggestions()).body).toMatchObject({ data: [{ source: 'M-1' }] });
  });

  it('remember the former target of a key', async () => {
    await storeFailures(tenant, ['M-1']);
    await harness.send(tenant, 'POST', '/mapping/rules', { seen: 1, body: accountRule('M-1', '5410') });
    await harness.send(tenant, 'DELETE', '/mapping/rules/1', { seen: 2 });
    expect((await suggestions()).body).toMatchObject({
      data: [
        {
          proposals: [
            { target: '5410', because: 'used-before' },
            { target: '6071', because: 'same-name' },
          ],
        },
      ],
    });
  });

  it('are from lists that were read a moment ago, even if the accounting system has changed', async () => {
    const reader = await keeping.addTenant();
    await storeFailures(reader, ['06071'], { on: keeping });
    const proposed = async () => (await keeping.send(reader, 'GET', '/mapping/suggestions', { as: 'viewer' })).body;
    const before = await proposed();
    expect(before).toMatchObject({ data: [{ proposals: [{ target: '6071' }] }] });
    keeping.erp.masterData = { ...companyData, accounts: [] };
    expect(await proposed()).toEqual(before);
  });

  it('are those of the own installation', async () => {
    await storeFailures(tenant, ['M-1']);
    expect((await suggestions('', await harness.addTenant())).body).toEqual({ data: [], more: false });
  });

  it('require settings and a linked company', async () => {
    for (const missing of [{ settings: false }, { linked: false }]) {
      const answer = await suggestions('', await harness.addTenant(missing));
      expect([answer.status, answer.body['type']]).toEqual([409, 'urn:problem:setup-incomplete']);
    }
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'x=1'])('with %s are a bad request', async (query) => {
    expect((await suggestions(`?${query}`)).status).toBe(400);
  });
});
