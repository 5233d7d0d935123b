import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ErpUnavailable } from '../../../../src/connector/erp/erp-ledger.js';
import { addDraft, clearSources, vendor } from './sync-fixtures.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

describe('vendors in both directions', () => {
  const harness = startedOnce(() => SyncHarness.start());
  let tenant: Tenant;
  beforeEach(async () => {
    clearSources(harness.sources);
    tenant = await harness.addTenant();
  });

  it('an ambiguous vendor waits, and the decision of a person is carried out', async () => {
    const { platform, master } = harness.sources;
    const taxNumber = 'DE123456789';
    master.vendorRows = [vendor('V-1', { taxNumber }), vendor('V-2', { taxNumber })];
    const id = addDraft(harness.sources, 'Paper', { taxRegistrationNumber: taxNumber });
    await harness.sync(tenant, ['vendors']);
    expect(platform.writes).toEqual([]);
    const [waiting] = await harness.service.reader.listWaitingVendors(tenant.installationId, undefined, 10);
    expect(waiting).toMatchObject({
      platformVendorId: id,
      reason: 'ambiguous',
      candidates: [{ number: 'V-1' }, { number: 'V-2' }],
    });
    const decide = (number: string) =>
      harness.service.decideVendor.decide(tenant.installationId, id, { decision: 'link', number }, 'somebody');
    expect(await decide('V-9')).toEqual({ outcome: 'unknown-number' });
    expect(await decide('V-2')).toEqual({ outcome: 'decided' });
    expect(await decide('V-2')).toEqual({ outcome: 'not-waiting' });
    await harness.processQueue(tenant);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'V-2', code: 'V-2' });
    await harness.sync(tenant, ['vendors']);
    expect([...platform.vendors.values()].map(({ externalId }) => externalId).sort()).toEqual(['V-1', 'V-2']);
    const { rows } = await harness.admin.query('SELECT 1 FROM vendor_match WHERE installation_id = $1', [
      tenant.installationId,
    ]);
    expect(rows).toEqual([]);
  });

  it('a number that another vendor of the platform has, or is about to get, is refused with its name', async () => {
    const { master } = harness.sources;
    master.vendorRows = [vendor('V-1'), vendor('V-2')];
    addDraft(harness.sources, 'Stationery', { state: 'ACTIVE', externalId: 'V-1' });
    const strict = await harness.addTenant({ unknownVendor: 'fail' });
    const [paper, ink] = [addDraft(harness.sources, 'Paper'), addDraft(harness.sources, 'Ink')];
    await harness.sync(strict, ['vendor-drafts']);
    const link = (id: string, number: string) =>
      harness.service.decideVendor.decide(strict.installationId, id, { decision: 'link', number }, 'Ada');
    expect(await link(paper, 'V-1')).toEqual({ outcome: 'number-taken', name: 'Stationery' });
    expect(await link(paper, 'V-2')).toEqual({ outcome: 'decided' });
    expect(await link(ink, 'V-2')).toEqual({ outcome: 'number-taken', name: 'Paper' });
    expect(await harness.service.reader.listWaitingVendors(strict.installationId, undefined, 10)).toMatchObject([
      { platformVendorId: ink, reason: 'unknown' },
    ]);
  });

  /** This happens just after a run has read the platform's vendors. */
  const whileComparing = (act: () => Promise<unknown>) => {
    const { platform } = harness.sources;
    jest.spyOn(platform, 'listVendors').mockImplementationOnce(async (...asked) => {
      const vendors = await platform.listVendors(...asked);
      await act();
      return vendors;
    });
  };

  it('what a person decides while a run compares is carried out', async () => {
    const { platform, master } = harness.sources;
    const taxNumber = 'DE123456789';
    master.vendorRows = [vendor('V-1', { taxNumber }), vendor('V-2', { taxNumber })];
    const id = addDraft(harness.sources, 'Paper', { taxRegistrationNumber: taxNumber });
    await harness.sync(tenant, ['vendors']);
    whileComparing(() =>
      harness.service.decideVendor.decide(tenant.installationId, id, { decision: 'link', number: 'V-2' }, 'Ada'),
    );
    await harness.sync(tenant, ['vendors']);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'V-2' });
  });

  it('the number of a vendor that an export creates while a run compares is kept', async () => {
    const { platform, master } = harness.sources;
    const taxNumber = 'DE123456789';
    master.vendorRows = [vendor('V-1', { taxNumber }), vendor('V-2', { taxNumber })];
    let id = '';
    whileComparing(() => {
      id = addDraft(harness.sources, 'Paper', { taxRegistrationNumber: taxNumber });
      master.vendorRows = [...master.vendorRows, vendor('N-7')];
      return harness.service.recordCreatedVendors.record(tenant, { id, name: 'Paper' }, 'N-7');
    });
    await harness.sync(tenant, ['vendors']);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'N-7' });
  });

  it('a new vendor is created in the ERP and gets its number, with few reads', async () => {
    const { platform, master, erp } = harness.sources;
    master.vendorRows = Array.from({ length: 500 }, (_, index) => vendor(`V-${index.toString()}`));
    await harness.sync(tenant, ['vendors']);
    platform.calls.length = 0;
    const id = addDraft(harness.sources, 'New Ltd', { country: 'DE', taxRegistrationNumber: 'DE123456789' });
    await harness.service.startSyncs.startAfterVendorCreated(tenant.installationId);
    await harness.processQueue(tenant);
    expect(erp.created).toEqual([`platform-vendor-${id}`]);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'N-1', code: 'N-1' });
    expect(platform.calls.map(({ call }) => call)).toEqual(['vendors', 'activate vendor', 'vendors']);
  });

  it('a draft that resembles another vendor that waits waits, too, when only drafts are compared', async () => {
    const { platform, master } = harness.sources;
    const taxNumber = 'DE123456789';
    master.vendorRows = [vendor('V-1', { taxNumber })];
    const known = addDraft(harness.sources, 'Paper', { state: 'ACTIVE', taxRegistrationNumber: taxNumber });
    const id = addDraft(harness.sources, 'Paper Ltd', { taxRegistrationNumber: taxNumber });
    await harness.sync(tenant, ['vendors']);
    await harness.service.startSyncs.startAfterVendorCreated(tenant.installationId);
    await harness.processQueue(tenant);
    expect(platform.writes).toEqual([]);
    const waiting = await harness.service.reader.listWaitingVendors(tenant.installationId, undefined, 10);
    expect(waiting.map(({ platformVendorId, reason }) => [platformVendorId, reason]).sort()).toEqual(
      [known, id].sort().map((each) => [each, 'ambiguous']),
    );
  });

  it('a draft that is a vendor which another has as its code alone waits, too, when only drafts are compared', async () => {
    const { platform, master } = harness.sources;
    const taxNumber = 'DE123456789';
    master.vendorRows = [vendor('V-1', { taxNumber })];
    addDraft(harness.sources, 'Stationery', { state: 'ACTIVE', code: 'V-1' });
    const id = addDraft(harness.sources, 'Paper', { taxRegistrationNumber: taxNumber });
    await harness.service.startSyncs.startAfterVendorCreated(tenant.installationId);
    await harness.processQueue(tenant);
    expect(platform.writes).toEqual([]);
    expect(await harness.service.reader.listWaitingVendors(tenant.installationId, undefined, 10)).toMatchObject([
      { platformVendorId: id, reason: 'already-linked', candidates: [{ number: 'V-1' }] },
    ]);
  });

  it.each(['vendors', 'vendor-drafts'] as const)('%s: drafts that a person archives are no loss', async (kind) => {
    const { platform, master } = harness.sources;
    const strict = await harness.addTenant({ unknownVendor: 'fail' });
    master.vendorRows = Array.from({ length: 10 }, (_, index) => vendor(`V-${index.toString()}`));
    const drafts = ['Paper', 'Ink', 'Toner'].map((name) => addDraft(harness.sources, name));
    await harness.sync(strict, ['vendors']);
    for (const id of drafts) {
      await harness.service.decideVendor.decide(strict.installationId, id, { decision: 'archive' }, 'Ada');
    }
    await harness.admin.query(`DELETE FROM sync_run WHERE state = 'requested'`);
    const [run] = await harness.sync(strict, [kind]);
    expect(run).toMatchObject({ state: 'completed', counts: { archived: 3 } });
    expect(drafts.map((id) => platform.vendors.get(id)?.state)).toEqual(['ARCHIVED', 'ARCHIVED', 'ARCHIVED']);
  });

  it('under the policy fail no vendor is created', async () => {
    const strict = await harness.addTenant({ unknownVendor: 'fail' });
    const id = addDraft(harness.sources, 'New Ltd');
    await harness.service.startSyncs.startAfterVendorCreated(strict.installationId);
    await harness.processQueue(strict);
    expect(harness.sources.erp.created).toEqual([]);
    expect(await harness.service.reader.listWaitingVendors(strict.installationId, undefined, 10)).toMatchObject([
      { platformVendorId: id, reason: 'unknown' },
    ]);
  });

  it('a vendor that the ERP refuses waits, with the message of the ERP', async () => {
    harness.sources.erp.refusal = 'the name is taken';
    addDraft(harness.sources, 'New Ltd');
    const [run] = await harness.sync(tenant, ['vendors']);
    expect(run).toMatchObject({ state: 'completed_with_problems' });
    expect(await harness.service.reader.listWaitingVendors(tenant.installationId, undefined, 10)).toMatchObject([
      { reason: 'refused', detail: 'the name is taken' },
    ]);
  });

  it('a vendor that a person links while a run is about to create it is not created', async () => {
    const { platform, master, erp } = harness.sources;
    erp.refusal = 'the name is taken';
    const id = addDraft(harness.sources, 'New Ltd');
    await harness.sync(tenant, ['vendors']);
    erp.refusal = undefined;
    erp.created.length = 0;
    master.vendorRows = [vendor('V-2')];
    whileComparing(() =>
      harness.service.decideVendor.decide(tenant.installationId, id, { decision: 'link', number: 'V-2' }, 'Ada'),
    );
    await harness.service.startSyncs.startAfterVendorCreated(tenant.installationId);
    await harness.processQueue(tenant);
    expect(erp.created).toEqual([]);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'V-2' });
  });

  it('a vendor created by an export gets exactly its number', async () => {
    const { platform, master } = harness.sources;
    const taxNumber = 'DE123456789';
    master.vendorRows = [vendor('V-1', { taxNumber }), vendor('V-2', { taxNumber }), vendor('N-7')];
    const id = addDraft(harness.sources, 'Paper', { taxRegistrationNumber: taxNumber });
    await harness.service.recordCreatedVendors.record(tenant, { id, name: 'Paper' }, 'N-7');
    await harness.service.recordCreatedVendors.record(tenant, { id: 'no id of the platform', name: 'Ink' }, 'N-8');
    await harness.processQueue(tenant);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'N-7' });
  });

  it('a vendor of an interrupted export gets its number as soon as the ERP shows it', async () => {
    const { platform, master, erp } = harness.sources;
    const id = addDraft(harness.sources, 'Paper', { state: 'ACTIVE' });
    const key = `platform-vendor-${id}`;
    await harness.service.recordCreatedVendors.recordIntent(tenant, { id, name: 'Paper' });
    erp.before = () => {
      throw new ErpUnavailable({ kind: 'server-error', message: 'in maintenance' });
    };
    await harness.passTime(tenant);
    await harness.admin.query('UPDATE sync_run SET attempts = 15 WHERE installation_id = $1', [tenant.installationId]);
    await harness.processQueue(tenant);
    const { rows } = await harness.admin.query<{ seconds: number; state: string }>(
      `SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS seconds, state FROM sync_run
       WHERE installation_id = $1 AND kind = 'vendor-drafts'`,
      [tenant.installationId],
    );
    expect(rows).toMatchObject([{ state: 'running' }]);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(30);
    erp.before = () => undefined;
    await harness.passTime(tenant);
    await harness.processQueue(tenant);
    expect(new Set(erp.created)).toEqual(new Set([key]));
    expect(master.vendorRows).toHaveLength(1);
    expect(platform.vendors.get(id)).toMatchObject({ state: 'ACTIVE', externalId: 'N-1', code: 'N-1' });
  });

  it('a vendor whose creation was interrupted is on the platform once, also when all vendors are compared first', async () => {
    const { platform, erp } = harness.sources;
    const id = addDraft(harness.sources, 'Paper');
    erp.after = () => {
      throw new Error('the worker is killed');
    };
    await harness.service.startSyncs.startAfterVendorCreated(tenant.installationId);
    await harness.processQueue(tenant);
    erp.after = () => undefined;
    await harness.sync(tenant, ['vendors']);
    expect([...platform.vendors.values()]).toMatchObject([{ id, state: 'ACTIVE', externalId: 'N-1' }]);
  });

  it('a vendor that the ERP has refused to an export is deleted from the record', async () => {
    const id = addDraft(harness.sources, 'Paper');
    await harness.service.recordCreatedVendors.recordIntent(tenant, { id, name: 'Paper' });
    await harness.service.recordCreatedVendors.withdrawIntent(tenant, { id, name: 'Paper' });
    const { rows } = await harness.admin.query('SELECT 1 FROM vendor_match WHERE installation_id = $1', [
      tenant.installationId,
    ]);
    expect(rows).toEqual([]);
  });
});
