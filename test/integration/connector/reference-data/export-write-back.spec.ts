import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { CreateVendorOutcome } from '../../../../src/connector/erp/erp-ledger.js';
import { toErpVendorId } from '../../../../src/kernel/ids.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { ExportsHarness, fetched } from '../exports/exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

/** Takes every vendor, under one number. */
class TakingErp extends FakeErp {
  created = 0;

  override createVendor(): Promise<CreateVendorOutcome> {
    this.created += 1;
    const vendor = {
      id: toErpVendorId('erp-N-7'),
      code: 'N-7',
      name: 'New Ltd',
      country: 'DE',
      blocked: false,
      isEmployee: false,
    };
    return Promise.resolve({ outcome: 'created', vendor });
  }
}

const erp = new TakingErp();
const harness = startedOnce(() => ExportsHarness.start(new OneErp(erp)));

/** An expense of a vendor that the ERP does not know by what the item says of it. */
const purchaseFrom = (vendorId: string) =>
  itemOf({
    type: 'card_purchase',
    method: 'accounts_payable',
    amount: '12500',
    lines: [{ amount: '12500', account: '5410' }],
    vendor: { id: vendorId, name: 'New Ltd', country: 'DE', defaultCurrency: 'EUR' },
  });

it('a vendor that an export creates in the ERP is marked to get its number on the platform', async () => {
  const tenant = await harness.addTenant({ policies: { unknownVendor: 'create' } });
  const vendorId = randomUUID();
  const job = await harness.addJob(tenant, [fetched(tenant.companyId, randomUUID(), purchaseFrom(vendorId))]);
  await harness.processQueue(tenant);
  expect([...job.results.values()].map(({ failureReason }) => failureReason)).toEqual([undefined]);
  expect(job.status).toBe('completed');
  const { installationId } = tenant;
  const matches = await harness.admin.query(
    `SELECT platform_vendor_id, state, decision, erp_vendor_number, decided_by FROM vendor_match WHERE installation_id = $1`,
    [installationId],
  );
  expect(matches.rows).toEqual([
    {
      platform_vendor_id: vendorId,
      state: 'decided',
      decision: 'link',
      erp_vendor_number: 'N-7',
      decided_by: 'export',
    },
  ]);
  const runs = await harness.admin.query('SELECT kind, reason, state FROM sync_run WHERE installation_id = $1', [
    installationId,
  ]);
  expect(runs.rows).toEqual([{ kind: 'vendor-drafts', reason: 'export', state: 'requested' }]);
});

it('a vendor that a person has just linked is not created beside it', async () => {
  const tenant = await harness.addTenant({ policies: { unknownVendor: 'create' } });
  const vendorId = randomUUID();
  const { installationId, companyId } = tenant;
  await harness.admin.query(
    `INSERT INTO vendor_match (installation_id, company_id, platform_vendor_id, name, state, decision, erp_vendor_number,
       decided_by, changed_at)
     VALUES ($1, $2, $3, 'New Ltd', 'decided', 'link', 'V-7', 'Ada', clock_timestamp())`,
    [installationId, companyId, vendorId],
  );
  erp.created = 0;
  const job = await harness.addJob(tenant, [fetched(companyId, randomUUID(), purchaseFrom(vendorId))]);
  await harness.processQueue(tenant);
  expect(job.status).toBe('completed');
  expect(erp.created).toBe(0);
  const { rows } = await harness.admin.query(
    'SELECT decision, erp_vendor_number, decided_by FROM vendor_match WHERE installation_id = $1',
    [installationId],
  );
  expect(rows).toEqual([{ decision: 'link', erp_vendor_number: 'V-7', decided_by: 'Ada' }]);
});
