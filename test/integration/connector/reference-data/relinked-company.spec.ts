import { beforeEach, describe, expect, it } from '@jest/globals';
import { account, addDraft, clearSources, vendor } from './sync-fixtures.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

describe('after another ERP company was linked', () => {
  const harness = startedOnce(() => SyncHarness.start());
  let tenant: Tenant;
  beforeEach(async () => {
    clearSources(harness.sources);
    tenant = await harness.addTenant();
  });

  it('a number decided for a vendor of the company before names none of the new one', async () => {
    const { platform, master } = harness.sources;
    const id = addDraft(harness.sources, 'Paper');
    await harness.service.recordCreatedVendors.record(tenant, { id, name: 'Paper' }, 'V-1');
    master.vendorRows = [vendor('V-1', { name: 'Someone else' })];
    await harness.service.requestScheduledSyncs.requestAfterLink(tenant.installationId);
    await harness.processQueue(tenant);
    expect(platform.vendors.get(id)?.name).toBe('Paper');
    expect(platform.vendors.get(id)?.externalId).not.toBe('V-1');
  });

  it('what a person has confirmed for the company before counts no more', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = Array.from({ length: 20 }, (_, index) => account(index.toString()));
    await harness.sync(tenant, ['accounts']);
    platform.calls.length = 0;
    await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts'], { confirmedArchives: 19 });
    master.accountRows = [account('0')];
    await harness.service.requestScheduledSyncs.requestAfterLink(tenant.installationId);
    await harness.processQueue(tenant);
    expect(platform.writes).toEqual([]);
    const runs = await harness.service.reader.listRuns(tenant.installationId, {
      kind: 'accounts',
      before: undefined,
      limit: 1,
    });
    expect(runs).toMatchObject([{ state: 'needs_confirmation', reason: 'connected' }]);
  });
});
