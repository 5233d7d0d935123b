import { beforeEach, describe, expect, it } from '@jest/globals';
import { dimension, clearSources } from './sync-fixtures.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

describe('the sync of dimensions as tag groups', () => {
  const harness = startedOnce(() => SyncHarness.start());
  let tenant: Tenant;
  beforeEach(async () => {
    clearSources(harness.sources);
    tenant = await harness.addTenant();
  });

  it('reports what the platform refuses, and continues', async () => {
    const { platform, master } = harness.sources;
    platform.mostActiveTags = 2;
    platform.groups.set('g', { id: 'g', code: 'CC', name: 'CC', archived: false, metadata: {} });
    master.dimensionRows = [dimension('CC', ['a', 'b', 'c', 'd'])];
    const [run] = await harness.sync(tenant, ['tags']);
    expect(run).toMatchObject({ state: 'completed_with_problems', counts: { created: 2, problems: 2 } });
    // The group is full with the third; the fourth is not even asked for.
    expect(platform.writes).toHaveLength(3);
    const problems = (await harness.records(tenant, run?.id ?? '')).filter(({ outcome }) => outcome === 'problem');
    expect(problems.map(({ key }) => key)).toEqual(['CC/c', 'CC/d']);
    expect(problems[1]?.detail).toContain('as many active tags as the platform allows');
  });

  it('reports what to do when a company has too many tag groups', async () => {
    const { platform, master } = harness.sources;
    platform.mostActiveGroups = 1;
    master.dimensionRows = [dimension('A', ['x']), dimension('B', ['y'])];
    const chosen = await harness.service.chooseDimensions.choose(tenant.installationId, 0, ['A', 'B'], 'somebody');
    expect(chosen.outcome).toBe('chosen');
    await harness.processQueue(tenant);
    const [run] = await harness.service.reader.listRuns(tenant.installationId, {
      kind: 'tags',
      before: undefined,
      limit: 1,
    });
    expect(run).toMatchObject({ state: 'completed_with_problems', counts: { created: 2, problems: 2 } });
    const problems = (await harness.records(tenant, run?.id ?? '')).filter(({ outcome }) => outcome === 'problem');
    expect(problems[0]?.detail).toContain('choose fewer dimensions');
  });

  it('chooses matching dimensions automatically, keeps them, and drops those that no longer exist', async () => {
    const { platform, master } = harness.sources;
    platform.groups.set('g', { id: 'g', code: 'cc', name: 'CC', archived: false, metadata: {} });
    platform.groups.set('h', { id: 'h', code: 'own', name: 'Own', archived: false, metadata: {} });
    master.dimensionRows = [dimension('CC', []), dimension('P', [])];
    await harness.sync(tenant, ['tags']);
    const offer = await harness.service.chooseDimensions.offer(tenant.installationId);
    expect(offer.choice).toMatchObject({ version: 1, codes: ['CC'], chosenBy: 'sync' });
    expect(platform.groups.get('h')?.archived).toBe(true);
    master.dimensionRows = [dimension('CC', [], false), dimension('P', [])];
    await harness.sync(tenant, ['tags']);
    expect((await harness.service.chooseDimensions.offer(tenant.installationId)).choice).toMatchObject({
      version: 2,
      codes: [],
    });
    expect(platform.groups.get('g')?.archived).toBe(true);
  });

  it('changes no tag group while no dimension is chosen and none matches', async () => {
    const { platform, master } = harness.sources;
    platform.groups.set('h', { id: 'h', code: 'own', name: 'Own', archived: false, metadata: {} });
    master.dimensionRows = [dimension('CC', ['a'])];
    const [run] = await harness.sync(tenant, ['tags']);
    expect(run).toMatchObject({ state: 'completed_with_problems', counts: { problems: 1 } });
    expect(platform.writes).toEqual([]);
  });

  it('refuses a stale, unknown or too long choice of dimensions', async () => {
    const { installationId } = tenant;
    harness.sources.master.dimensionRows = ['A', 'B', 'C', 'D', 'E', 'F'].map((code) => dimension(code, []));
    const choose = (seen: number, ...codes: string[]) =>
      harness.service.chooseDimensions.choose(installationId, seen, codes, 'somebody');
    expect(await choose(0, 'a', 'Z')).toEqual({ outcome: 'unknown', codes: ['Z'] });
    expect(await choose(0, 'A', 'B', 'C', 'D', 'E', 'F')).toEqual({ outcome: 'too-many' });
    expect(await choose(1, 'A')).toEqual({ outcome: 'stale' });
    expect(await choose(0, 'a')).toMatchObject({ outcome: 'chosen', choice: { version: 1, codes: ['A'] } });
    expect(await choose(0, 'B')).toEqual({ outcome: 'stale' });
    expect(await choose(1, 'B')).toMatchObject({ outcome: 'chosen', choice: { version: 2 } });
  });
});
