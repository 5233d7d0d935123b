import { beforeEach, describe, expect, it } from '@jest/globals';
import { account, clearSources } from './sync-fixtures.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// What is asked for, or confirmed, while a run is under way, and what an attempt leaves that did not get to its end.

const content = { archived: false, taxCodeExternalId: null, metadata: null };

describe('runs that follow others', () => {
  const harness = startedOnce(() => SyncHarness.start());
  let tenant: Tenant;
  beforeEach(async () => {
    clearSources(harness.sources);
    tenant = await harness.addTenant();
  });

  /** This happens while the next run reads the ERP. */
  function meanwhile(happens: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve) => {
      harness.sources.master.requests = () => {
        harness.sources.master.requests = () => undefined;
        resolve(happens());
      };
    });
  }

  const newestFirst = () =>
    harness.service.reader.listRuns(tenant.installationId, { kind: 'accounts', before: undefined, limit: 10 });

  it.each([
    ['is compared', 'active', true, 1],
    ['waits for the first run of an ERP company that is not linked yet', 'active', false, 0],
    ['waits for the first run after a new consent', 'needs_reauthorization', true, 0],
  ] as const)('a vendor that appears on the platform %s', async (_, state, isLinked, expected) => {
    const { installationId } = isLinked ? tenant : await harness.addTenant({ erpCompanyId: null });
    await harness.admin.query('UPDATE installation SET state = $2 WHERE id = $1', [installationId, state]);
    await harness.service.startSyncs.startAfterVendorCreated(installationId);
    const filter = { kind: 'vendor-drafts', before: undefined, limit: 10 } as const;
    expect(await harness.service.reader.listRuns(installationId, filter)).toHaveLength(expected);
  });

  it('a preview that is asked for while one runs is followed by a preview', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    const preview = () =>
      harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts'], { isPreview: true });
    await preview();
    const asked = meanwhile(preview);
    await harness.processQueue(tenant);
    await asked;
    await harness.processQueue(tenant);
    expect((await newestFirst()).map(({ isPreview, state }) => [isPreview, state])).toEqual([
      [true, 'completed'],
      [true, 'completed'],
    ]);
    expect(platform.writes).toEqual([]);
  });

  it('the run after a new connection stays the first of it, whatever is asked for after that', async () => {
    harness.sources.master.accountRows = [account('1')];
    const { startSyncs, requestScheduledSyncs } = harness.service;
    await startSyncs.startForPerson(tenant.installationId, ['accounts']);
    const asked = meanwhile(async () => {
      await requestScheduledSyncs.requestAfterLink(tenant.installationId);
      await startSyncs.startForPerson(tenant.installationId, ['accounts']);
    });
    await harness.processQueue(tenant);
    await asked;
    await harness.processQueue(tenant);
    expect((await newestFirst()).map(({ reason, state }) => `${reason} ${state}`)).toEqual([
      'connected completed',
      'person completed',
    ]);
  });

  it('what a person has confirmed is not carried out twice', async () => {
    const { master } = harness.sources;
    const rows = Array.from({ length: 30 }, (_, index) => account(index.toString()));
    master.accountRows = rows;
    await harness.sync(tenant, ['accounts']);
    master.accountRows = rows.slice(10);
    await harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts'], { confirmedArchives: 10 });
    const asked = meanwhile(() => harness.service.startSyncs.startForPerson(tenant.installationId, ['accounts']));
    harness.sources.platform.after = () => {
      master.accountRows = rows.slice(20);
    };
    await harness.processQueue(tenant);
    await asked;
    await harness.processQueue(tenant);
    expect((await newestFirst()).map(({ state, counts }) => [state, counts.archived])).toEqual([
      ['needs_confirmation', 0],
      ['completed', 10],
      ['completed', 0],
    ]);
  });

  it('what a killed attempt has planned is gone when there is nothing left to do', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    harness.sources.afterTransaction = (label) => {
      if (label === 'record plan') throw new Error('killed');
    };
    await harness.sync(tenant, ['accounts'], true);
    harness.sources.restore();
    master.accountRows = [account('1', { active: false }), account('2')];
    platform.accounts.set('2', { ...content, id: '2', externalId: '2', code: '2', name: 'Account 2' });
    await harness.passTime(tenant);
    await harness.processQueue(tenant);
    const [preview] = await newestFirst();
    expect(preview).toMatchObject({ isPreview: true, state: 'completed', counts: { created: 0 } });
    expect(await harness.records(tenant, preview?.id ?? '')).toEqual([]);
  });

  it('what was planned until a person confirmed stands in the history as done alone', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('new')];
    for (let index = 0; index < 12; index += 1) {
      const id = index.toString();
      platform.accounts.set(id, { ...content, id, externalId: id, code: id, name: `Account ${id}` });
    }
    harness.sources.afterTransaction = (label) => {
      if (label === 'record plan') throw new Error('killed');
    };
    await harness.sync(tenant, ['accounts']);
    harness.sources.restore();
    await harness.passTime(tenant);
    const [run] = await harness.sync(tenant, ['accounts'], false, 12);
    expect(run).toMatchObject({ state: 'completed', counts: { archived: 12, created: 1 } });
    const outcomes = (await harness.records(tenant, run?.id ?? '')).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 13 }, () => 'done'));
  });
});
