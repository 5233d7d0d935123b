import { beforeEach, describe, expect, it } from '@jest/globals';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { account, addDraft, dimension, clearSources, vendor } from './sync-fixtures.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

describe('runs of reference data', () => {
  const harness = startedOnce(() => SyncHarness.start());
  let tenant: Tenant;
  beforeEach(async () => {
    clearSources(harness.sources);
    tenant = await harness.addTenant();
  });

  it('synchronize everything, report what they changed, and write nothing the second time', async () => {
    const { platform, master } = harness.sources;
    master.taxCodeRows = [{ code: 'I25', name: '25 %', rate: '0.25', active: true }];
    master.accountRows = [account('1', { taxCode: 'I25' }), account('2'), account('3', { active: false })];
    master.dimensionRows = [dimension('CC', ['a', 'b'])];
    master.vendorRows = [vendor('V-1'), vendor('V-2')];
    platform.groups.set('g', { id: 'g', code: 'cc', name: 'CC', archived: false, metadata: {} });
    platform.addTag('g', { code: 'old', name: 'old', archived: false });
    addDraft(harness.sources, 'New Ltd', { country: 'DE' });
    const kinds = ['vendors', 'tags', 'accounts', 'tax-codes'] as const;

    const runs = await harness.sync(tenant, kinds);
    expect(runs.map(({ kind, state }) => [kind, state])).toEqual(kinds.map((kind) => [kind, 'completed']));
    expect(runs.map(({ counts }) => [counts.created, counts.archived, counts.activated, counts.createdInErp])).toEqual([
      [2, 0, 0, 1],
      [2, 1, 0, 0],
      [2, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(platform.writes).toEqual([
      'create tax code',
      'create accounts',
      'archive tags',
      'create tag',
      'create tag',
      'activate vendor',
      'create vendor',
      'activate vendor',
      'create vendor',
      'activate vendor',
    ]);
    const [first] = [...platform.accounts.values()];
    expect(first).toMatchObject({ externalId: '1', code: '1', name: 'Account 1', taxCodeExternalId: 'I25' });
    expect([...platform.vendors.values()].map(({ state, externalId }) => [state, externalId])).toEqual([
      ['ACTIVE', 'N-1'],
      ['ACTIVE', 'V-1'],
      ['ACTIVE', 'V-2'],
    ]);
    const records = await harness.records(tenant, runs[1]?.id ?? '');
    expect(records.map(({ subject, action, key, outcome }) => [subject, action, key, outcome])).toEqual([
      ['tag', 'archive', 'CC/old', 'done'],
      ['tag', 'create', 'CC/a', 'done'],
      ['tag', 'create', 'CC/b', 'done'],
    ]);

    platform.calls.length = 0;
    const again = await harness.sync(tenant, kinds);
    expect(again.map(({ state }) => state)).toEqual(kinds.map(() => 'completed'));
    expect(platform.writes).toEqual([]);
    expect(harness.sources.erp.created).toHaveLength(1);
  });

  it('as previews change nothing and list every change', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1'), account('2')];
    const [run] = await harness.sync(tenant, ['accounts'], true);
    expect(run).toMatchObject({ state: 'completed', isPreview: true, counts: { created: 2 } });
    expect(platform.writes).toEqual([]);
    expect((await harness.records(tenant, run?.id ?? '')).map(({ key, outcome }) => [key, outcome])).toEqual([
      ['1', 'planned'],
      ['2', 'planned'],
    ]);
  });

  it('ask before they archive more than a fifth of a list, and continue when a person confirms', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = Array.from({ length: 12 }, (_, index) => account(index.toString()));
    await harness.sync(tenant, ['accounts']);
    platform.calls.length = 0;
    master.accountRows = [...master.accountRows.slice(0, 8), account('new')];
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run).toMatchObject({
      state: 'needs_confirmation',
      failure: expect.stringContaining('no longer has 4 of the 12 accounts'),
      counts: { archived: 0, created: 0 },
    });
    expect(platform.writes).toEqual([]);
    expect((await harness.records(tenant, run?.id ?? '')).map(({ key, action }) => [key, action]).toSorted()).toEqual([
      ['10', 'archive'],
      ['11', 'archive'],
      ['8', 'archive'],
      ['9', 'archive'],
      ['new', 'create'],
    ]);
    const [preview] = await harness.sync(tenant, ['accounts'], true);
    expect(preview).toMatchObject({ state: 'completed', counts: { archived: 4, created: 1 } });
    const [fewer] = await harness.sync(tenant, ['accounts'], false, 3);
    expect(fewer?.state).toBe('needs_confirmation');
    const [confirmed] = await harness.sync(tenant, ['accounts'], false, 4);
    expect(confirmed).toMatchObject({ state: 'completed', failure: null, counts: { archived: 4, created: 1 } });
  });

  it('are executed one of a kind at a time, with another one for requests made meanwhile', async () => {
    const { master } = harness.sources;
    master.accountRows = [account('1')];
    const [first] = await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']);
    const [second] = await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']);
    expect(second?.id).toBe(first?.id);
    let asked = false;
    master.requests = () => {
      if (!asked) {
        asked = true;
        void harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']);
      }
    };
    harness.sources.platform.before = ({ call }) => {
      if (call === 'create account') {
        master.accountRows = [account('1'), account('2')];
      }
    };
    await harness.processQueue(tenant);
    master.requests = () => undefined;
    const runs = await harness.service.reader.listRuns(tenant.installationId, {
      kind: 'accounts',
      before: undefined,
      limit: 10,
    });
    expect(runs.map(({ state, counts }) => [state, counts.created])).toEqual([
      ['completed', 1],
      ['completed', 1],
    ]);
  });

  it('are executed once by two workers', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    let second: Promise<void> | undefined;
    platform.before = ({ call }) => {
      if (call === 'create account') {
        second = harness.processQueue(tenant);
      }
    };
    await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']);
    await Promise.all([harness.processQueue(tenant), harness.processQueue(tenant)]);
    await second;
    expect(platform.writes).toEqual(['create account']);
    const { rows } = await harness.admin.query('SELECT state, fence FROM sync_run WHERE installation_id = $1', [
      tenant.installationId,
    ]);
    expect(rows).toEqual([{ state: 'completed', fence: '1' }]);
  });

  it.each([
    ['an ERP that is away', 'asked', new Error('away'), 'running'],
    ['a platform that is away', 'before', new NoResponse('time-out', true), 'running'],
    ['a missing permission', 'before', new PlatformRefusal(403, 'FORBIDDEN', '', undefined), 'failed'],
  ] as const)('%s', async (_, where, error, state) => {
    const { platform, master } = harness.sources;
    const fail = () => {
      throw error;
    };
    if (where === 'asked') {
      master.requests = fail;
    } else {
      platform.before = fail;
    }
    master.accountRows = [account('1')];
    const [run] = await harness.sync(tenant, ['accounts']);
    master.requests = () => undefined;
    platform.before = () => undefined;
    expect(run?.state).toBe(state);
    await harness.passTime(tenant);
    await harness.processQueue(tenant);
    expect((await harness.readRun(tenant, run?.id ?? '')).state).toBe(state === 'failed' ? 'failed' : 'completed');
  });

  it('that kill each worker end with what to do, and no other one begins them', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    const [run] = await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']);
    await harness.admin.query(
      `UPDATE sync_run SET state = 'running', started_at = now(), attempts = 20 WHERE id = $1`,
      [run?.id],
    );
    await harness.processQueue(tenant);
    expect(await harness.readRun(tenant, run?.id ?? '')).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('could not be finished in 20 attempts'),
    });
    expect(platform.calls).toEqual([]);
  });

  it('report what is missing when no ERP company is linked, or the linked one does not exist', async () => {
    const alone = await harness.addTenant({ erpCompanyId: null });
    const [unlinked] = await harness.sync(alone, ['accounts']);
    expect(unlinked?.failure).toContain('link one at Set-up');
    harness.sources.master.isThere = false;
    const [gone] = await harness.sync(tenant, ['accounts']);
    expect(gone?.failure).toContain('no longer knows the linked company');
  });

  it('start each time the installation is connected, and later by its schedule', async () => {
    const reasons = async () => {
      const runs = await harness.service.reader.listRuns(tenant.installationId, {
        kind: 'accounts',
        before: undefined,
        limit: 10,
      });
      return runs.map(({ reason, state }) => `${reason} ${state}`);
    };
    await harness.service.requestScheduledSyncs.requestIfDue(tenant.installationId);
    await harness.service.requestScheduledSyncs.requestIfDue(tenant.installationId);
    await harness.service.wakeSyncs.requestAndWake();
    expect(await reasons()).toEqual(['connected requested']);
    await harness.processQueue(tenant);
    await harness.admin.query(`UPDATE sync_schedule SET next_run_at = now() WHERE installation_id = $1`, [
      tenant.installationId,
    ]);
    await harness.service.wakeSyncs.requestAndWake();
    await harness.service.wakeSyncs.requestAndWake();
    expect(await reasons()).toEqual(['schedule requested', 'connected completed']);

    const connectAgain = () =>
      harness.admin.query(`UPDATE installation SET activated_at = clock_timestamp() WHERE id = $1`, [
        tenant.installationId,
      ]);
    await connectAgain();
    await harness.service.requestScheduledSyncs.requestIfDue(tenant.installationId);
    await harness.service.requestScheduledSyncs.requestIfDue(tenant.installationId);
    expect(await reasons()).toEqual(['connected requested', 'connected completed']);
    await harness.processQueue(tenant);
    await connectAgain();
    // No process has requested it yet: the next tick does.
    await harness.service.wakeSyncs.requestAndWake();
    expect(await reasons()).toEqual(['connected requested', 'connected completed', 'connected completed']);
  });

  it('are invisible to another tenant', async () => {
    harness.sources.master.accountRows = [account('1')];
    const [run] = await harness.sync(tenant, ['accounts']);
    const other = await harness.addTenant();
    const id = run?.id ?? '';
    expect(await harness.service.reader.findRun(other.installationId, id)).toBeUndefined();
    expect(await harness.records(other, id)).toEqual([]);
    expect(
      await harness.service.reader.listRuns(other.installationId, {
        kind: undefined,
        before: undefined,
        limit: 5,
      }),
    ).toEqual([]);
  });

  it('stop where another worker can continue', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = Array.from({ length: 1_500 }, (_, index) => account(index.toString()));
    const stopping = new AbortController();
    platform.after = ({ call }) => {
      if (call === 'create accounts') {
        stopping.abort();
      }
    };
    const [requested] = await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']);
    await harness.processQueue(tenant, stopping.signal);
    platform.after = () => undefined;
    expect(await harness.readRun(tenant, requested?.id ?? '')).toMatchObject({
      state: 'running',
      counts: { created: 1_000 },
    });
    await harness.processQueue(tenant);
    expect(await harness.readRun(tenant, requested?.id ?? '')).toMatchObject({
      state: 'completed',
      counts: { created: 1_500 },
    });
    expect(platform.writes).toEqual(['create accounts', 'create accounts']);
  });
});
