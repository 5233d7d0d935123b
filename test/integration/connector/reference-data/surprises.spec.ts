import { beforeEach, describe, expect, it } from '@jest/globals';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { account, addDraft, dimension, clearSources, vendor } from './sync-fixtures.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// The platform is not as it was when the plan was made, or does not say what became of a request: the run looks again.

describe('a concurrent change in the middle of a run', () => {
  const harness = startedOnce(() => SyncHarness.start());
  let tenant: Tenant;
  beforeEach(async () => {
    clearSources(harness.sources);
    tenant = await harness.addTenant();
  });

  /** Another client does this just before the first request of this kind. */
  const meanwhile = (call: string, act: () => void) => {
    let isDone = false;
    harness.sources.platform.before = (each) => {
      if (each.call === call && !isDone) {
        isDone = true;
        act();
      }
    };
  };
  const taxCode = { code: 'I25', name: '25 %', rate: '0.25', active: true } as const;
  const other = { code: null, archived: false, taxCodeExternalId: null, metadata: null };

  it('an account that another client has created is imported (409)', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    meanwhile('create account', () => {
      platform.accounts.set('x', { ...other, id: 'x', externalId: '1', name: 'Theirs' });
    });
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run).toMatchObject({ state: 'completed', counts: { created: 1, updated: 1, problems: 0 } });
    expect([...platform.accounts.values()]).toMatchObject([{ id: 'x', name: 'Account 1', code: '1' }]);
  });

  it('no account is archived when the ERP shows none at all', async () => {
    const { platform } = harness.sources;
    platform.accounts.set('x', { ...other, id: 'x', externalId: '1', name: 'Theirs' });
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('shows no active account'),
      counts: { archived: 0 },
    });
    expect([...platform.accounts.values()]).toMatchObject([{ archived: false }]);
  });

  const group = { id: 'g', code: 'CC', name: 'CC', archived: false, metadata: {} };

  it.each([
    ['tax-codes', 'tax code', () => (harness.sources.master.taxCodeRows = [])],
    ['tax-codes', 'tax code', () => (harness.sources.master.taxCodeRows = [{ ...taxCode, active: false }])],
    ['tags', 'value of a chosen dimension', () => (harness.sources.master.dimensionRows = [])],
    ['tags', 'value of a chosen dimension', () => (harness.sources.master.dimensionRows = [dimension('CC', [])])],
    ['vendors', 'vendor', () => (harness.sources.master.vendorRows = [])],
    [
      'vendors',
      'vendor',
      () => (harness.sources.master.vendorRows = [vendor('V-1', { usable: false }), vendor('V-2', { usable: false })]),
    ],
  ] as const)('nothing is archived when the ERP suddenly shows none of its %s', async (kind, what, lose) => {
    const { platform, master } = harness.sources;
    master.taxCodeRows = [taxCode];
    master.dimensionRows = [dimension('CC', ['a', 'b'])];
    master.vendorRows = [vendor('V-1'), vendor('V-2')];
    platform.groups.set('g', group);
    expect((await harness.sync(tenant, [kind])).map(({ state }) => state)).toEqual(['completed']);
    platform.calls.length = 0;
    lose();
    const [run] = await harness.sync(tenant, [kind]);
    expect(run).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining(`shows no active ${what}, so nothing was archived`),
      counts: { archived: 0 },
    });
    expect(platform.writes).toEqual([]);
  });

  it('the group of a dimension that is no longer chosen is archived, even if no other has a value', async () => {
    const { platform, master } = harness.sources;
    platform.groups.set('g', group);
    master.dimensionRows = [dimension('CC', [])];
    await harness.service.chooseDimensions.choose(tenant.installationId, 0, [], 'somebody');
    const [run] = await harness.sync(tenant, ['tags']);
    expect(run).toMatchObject({ state: 'completed', counts: { archived: 1 } });
  });

  it('an equal account that exists already counts as created (200)', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    meanwhile('create account', () => {
      platform.accounts.set('x', { ...other, id: 'x', externalId: '1', code: '1', name: 'Account 1' });
    });
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run).toMatchObject({ state: 'completed', counts: { created: 1, updated: 0 } });
    expect(platform.accounts.size).toBe(1);
  });

  it('a batch whose rows exist already is accepted', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1'), account('2')];
    meanwhile('create accounts', () => {
      platform.accounts.set('x', { ...other, id: 'x', externalId: '1', name: 'Theirs' });
    });
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run?.state).toBe('completed');
    expect([...platform.accounts.values()].map(({ name }) => name).sort()).toEqual(['Account 1', 'Account 2']);
  });

  it('a batch that is too large for the platform (413) is sent in smaller ones', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1'), account('2'), account('3')];
    platform.before = ({ call }) => {
      if (call === 'create accounts') {
        throw new PlatformRefusal(413, '', '', undefined);
      }
    };
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run).toMatchObject({ state: 'completed', counts: { created: 3, problems: 0 } });
    expect(platform.accounts.size).toBe(3);
  });

  it('a vendor of an unknown state that has the number is left alone, and the problem says what to do', async () => {
    const { platform, master } = harness.sources;
    master.vendorRows = [vendor('V-1')];
    const id = addDraft(harness.sources, 'Theirs', { externalId: 'V-1', state: 'SUSPENDED' });
    const [run] = await harness.sync(tenant, ['vendors']);
    expect(run).toMatchObject({ state: 'completed_with_problems', counts: { created: 0, problems: 1 } });
    expect(platform.writes).toEqual([]);
    expect(platform.vendors.get(id)).toMatchObject({ name: 'Theirs', state: 'SUSPENDED' });
    const [problem] = await harness.records(tenant, run?.id ?? '');
    expect(problem).toMatchObject({
      key: 'V-1',
      detail: expect.stringMatching(/"SUSPENDED".*activate or archive that vendor/),
    });
  });

  it('a vendor with the number exists already (409) and is used', async () => {
    const { platform, master } = harness.sources;
    master.vendorRows = [vendor('V-1')];
    meanwhile('create vendor', () => {
      addDraft(harness.sources, 'Theirs', { externalId: 'V-1' });
    });
    const [run] = await harness.sync(tenant, ['vendors']);
    expect(run?.state).toBe('completed');
    expect([...platform.vendors.values()]).toMatchObject([{ name: 'Vendor V-1', externalId: 'V-1', state: 'ACTIVE' }]);
  });

  it('a tag exists already, and one that was to be archived is archived already', async () => {
    const { platform, master } = harness.sources;
    platform.groups.set('g', { id: 'g', code: 'CC', name: 'CC', archived: false, metadata: {} });
    for (const code of ['old', 'older']) {
      platform.addTag('g', { code, name: code, archived: false });
    }
    master.dimensionRows = [dimension('CC', ['a'])];
    meanwhile('archive tags', () => {
      const [id = ''] = platform.tags.get('g')?.keys() ?? [];
      platform.tags.get('g')?.delete(id);
      platform.addTag('g', { code: 'a', name: 'Theirs', archived: true });
    });
    const [run] = await harness.sync(tenant, ['tags']);
    expect(run?.state).toBe('completed');
    expect(
      [...(platform.tags.get('g')?.values() ?? [])].map(({ code, name, archived }) => [code, name, archived]),
    ).toEqual([
      ['older', 'older', true],
      ['a', 'a', false],
    ]);
  });

  it.each(['create tax code', 'create tag group'])('"%s" has an unknown outcome and is not repeated', async (lost) => {
    const { platform, master } = harness.sources;
    master.taxCodeRows = [{ code: 'I25', name: '25 %', rate: '0.25', active: true }];
    master.dimensionRows = [dimension('CC', ['a'])];
    await harness.service.chooseDimensions.choose(tenant.installationId, 0, ['CC'], 'somebody');
    let isLost = false;
    platform.after = ({ call }) => {
      if (call === lost && !isLost) {
        isLost = true;
        throw new NoResponse('time-out', true);
      }
    };
    const runs = await harness.sync(tenant, ['tax-codes', 'tags']);
    expect(runs.map(({ state, counts }) => [state, counts.created])).toEqual([
      ['completed', 1],
      ['completed', 2],
    ]);
    expect([platform.taxCodes.size, platform.groups.size]).toEqual([1, 1]);
  });

  it('repeated changes end the run with a problem', async () => {
    const { platform, master } = harness.sources;
    master.accountRows = [account('1')];
    platform.accounts.set('x', { ...other, id: 'x', externalId: '1', name: 'Theirs' });
    platform.before = ({ call }) => {
      // Each time the plan is carried out, the account is another one.
      if (call === 'update account') {
        const id = `x${platform.calls.length.toString()}`;
        platform.accounts.clear();
        platform.accounts.set(id, { ...other, id, externalId: '1', name: 'Theirs' });
      }
    };
    const [run] = await harness.sync(tenant, ['accounts']);
    expect(run).toMatchObject({ state: 'completed_with_problems', counts: { updated: 0, problems: 1 } });
    expect(platform.writes).toHaveLength(3);
  });
});
