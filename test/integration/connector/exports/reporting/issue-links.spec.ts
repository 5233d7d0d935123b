import { beforeEach, describe, expect, it } from '@jest/globals';
import { startedOnce } from '../../../../support/started-once.js';
import { ExportsHarness, purchase, type Tenant } from '../exports-harness.js';

// From a reason on the platform to the page where it is resolved.

const PAGES = 'https://connector.example/app/issues';
const exports = startedOnce(() =>
  ExportsHarness.start(undefined, undefined, [], { CONNECTOR_ISSUE_PAGES: `${PAGES}/` }),
);
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

async function reasonOf(account: string): Promise<string> {
  const [good, bad] = [purchase(tenant.companyId), purchase(tenant.companyId, { account })];
  const job = await exports.addJob(tenant, [good, bad]);
  await exports.processQueue(tenant);
  return job.results.get(bad.accountingEntryId)?.failureReason ?? '';
}

describe('the reason of a failed item', () => {
  it('ends with the link of its issue, and is stored without it', async () => {
    expect(await reasonOf('0000')).toMatch(/\. https:\/\/connector\.example\/app\/issues\/account%3A0000$/);
    const { rows } = await exports.admin.query<{ reason: string }>(
      'SELECT reason FROM issue WHERE installation_id = $1',
      [tenant.installationId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.reason).not.toContain('https://');
  });

  it('keeps the link whole within the platform’s limit, however long both are', async () => {
    const reason = await reasonOf('9'.repeat(200));
    expect(reason.length).toBeLessThanOrEqual(1_000);
    expect(reason).toMatch(/\/app\/issues\/account%3A9+~~[0-9a-f]{16}$/);
  });
});
