// A small run is killed before and after each request to the platform and the ERP and each transaction, and taken up
// again: both sides end as they do without a kill, and every change stands in the history once.
import { describe, expect, it } from '@jest/globals';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import type { MasterVendor } from '../../../../src/connector/bookkeeping/item/master-data.js';
import { SYNC_KINDS, type SyncKind } from '../../../../src/connector/reference-data/domain/sync-plan.js';
import type { SyncOptions } from '../../../../src/connector/reference-data/request-syncs.js';
import { SyncHarness, type Tenant } from './sync-harness.js';
import { startedOnce } from '../../../support/started-once.js';

type Fault = 'before' | 'after';

const vendor = (number: string, changes: Partial<MasterVendor> = {}): MasterVendor => ({
  number,
  name: `Vendor ${number}`,
  isEmployee: false,
  usable: true,
  ...changes,
});

describe('a run that is interrupted at any point', () => {
  const harness = startedOnce(() => SyncHarness.start());

  /** Every action of every subject, once. */
  function seed(): void {
    const { platform, master, erp } = harness.sources;
    const account = (externalId: string, name: string) => ({
      externalId,
      code: externalId,
      name,
      active: true,
    });
    master.taxCodeRows = ['A', 'B', 'C'].map((code) => ({ code, name: code, rate: '0.25', active: true }));
    master.accountRows = [account('1', 'one'), account('2', 'two'), account('3', 'three'), account('4', 'four')];
    const values = ['a', 'b', 'c'].map((code) => ({ code, name: code, active: true }));
    master.dimensionRows = ['X', 'Y', 'Z'].map((code) => ({ code, name: code, active: true, values }));
    master.vendorRows = [vendor('V-1'), vendor('V-2'), vendor('V-3'), vendor('V-4', { country: 'DE' })];
    for (const rows of [platform.accounts, platform.taxCodes, platform.groups, platform.tags, platform.vendors]) {
      rows.clear();
    }
    erp.reset();
    const content = { code: null, taxCodeExternalId: null, metadata: null };
    platform.accounts.set('a1', { ...content, id: 'a1', externalId: '1', name: 'old', archived: false });
    platform.accounts.set('a2', { ...content, id: 'a2', externalId: '2', name: 'two', archived: true });
    platform.accounts.set('a9', { ...content, id: 'a9', externalId: '9', name: 'gone', archived: false });
    const tax = { rate: 0.25, type: 'inclusive', ingoingTaxAccount: null, outgoingTaxAccount: null };
    platform.taxCodes.set('t1', { ...tax, id: 't1', code: 'A', name: 'old', archived: false });
    platform.taxCodes.set('t2', { ...tax, id: 't2', code: 'B', name: 'B', archived: true });
    platform.taxCodes.set('t9', { ...tax, id: 't9', code: 'Q', name: 'Q', archived: false });
    platform.groups.set('gx', { id: 'gx', code: 'x', name: 'old', archived: false, metadata: {} });
    platform.groups.set('gy', { id: 'gy', code: 'Y', name: 'Y', archived: true, metadata: {} });
    platform.groups.set('gq', { id: 'gq', code: 'Q', name: 'Q', archived: false, metadata: {} });
    const tags = [
      { code: 'a', name: 'old', archived: false },
      { code: 'b', name: 'b', archived: true },
      { code: 'q', name: 'q', archived: false },
      { code: 'r', name: 'r', archived: false },
    ];
    for (const tag of tags) {
      platform.addTag('gx', tag);
    }
    const base = {
      defaultCurrency: 'EUR',
      country: 'UNDEFINED',
      registrationNumber: null,
      taxRegistrationNumber: null,
    };
    const put = (id: string, state: string, name: string, number: string | null, more = {}) =>
      platform.vendors.set(id, { ...base, id, state, name, code: number, externalId: number, ...more });
    put(uuid(1), 'ACTIVE', 'old', 'V-1');
    put(uuid(2), 'ARCHIVED', 'Vendor V-2', 'V-2');
    put(uuid(4), 'DRAFT', 'Vendor V-4', null, { country: 'DE' });
    put(uuid(5), 'DRAFT', 'New Ltd', null, { country: 'DE' });
    put(uuid(9), 'ACTIVE', 'gone', 'V-9');
  }

  /** @returns how many places there were to be killed at, and what both sides and the history show in the end */
  async function run(
    kind: SyncKind,
    faultAt: number,
    fault: Fault,
    error: () => Error,
    options: SyncOptions = {},
  ): Promise<{ readonly places: readonly string[]; readonly end: object }> {
    seed();
    const tenant = await harness.addTenant();
    await harness.service.chooseDimensions.choose(tenant.installationId, 0, ['X', 'Y', 'Z'], 'somebody');
    await forget(tenant);
    await harness.service.startSyncs.startForPerson(tenant.installationId, [kind], options);
    const places: string[] = [];
    const hit = (when: Fault) => {
      if (places.length === faultAt && when === fault) {
        throw error();
      }
    };
    const enter = (place: string) => {
      places.push(place);
      hit('before');
    };
    const { sources } = harness;
    sources.platform.before = ({ call }) => {
      enter(call);
    };
    sources.erp.before = enter;
    sources.master.requests = enter;
    sources.beforeTransaction = (label) => {
      // Renewals come by time, not by the run.
      if (label !== 'renew sync') enter(`transaction ${label}`);
    };
    sources.platform.after = () => {
      hit('after');
    };
    sources.erp.after = () => {
      hit('after');
    };
    sources.afterTransaction = (label) => {
      if (label !== 'renew sync') hit('after');
    };
    for (let turn = 0; turn < 3; turn += 1) {
      // What is thrown out of the worker is what a killed process does not say.
      await harness.processQueue(tenant).catch(() => undefined);
      await harness.passTime(tenant);
    }
    sources.restore();
    return { places, end: await shown(tenant) };
  }

  /** Choosing has asked for a run of its own. */
  async function forget({ installationId }: Tenant): Promise<void> {
    await harness.admin.query('DELETE FROM sync_run WHERE installation_id = $1', [installationId]);
  }

  async function shown(tenant: Tenant): Promise<object> {
    const { platform, master } = harness.sources;
    const runs = await harness.service.reader.listRuns(tenant.installationId, {
      kind: undefined,
      before: undefined,
      limit: 10,
    });
    const history: unknown[] = [];
    for (const { id, kind, state, counts } of runs) {
      const records = await harness.records(tenant, id);
      const changes = records.map(
        ({ subject, action, key, outcome }) => `${subject} ${String(action)} ${key} ${outcome}`,
      );
      history.push({ kind, state, counts, changes: changes.sort() });
    }
    return { platform: platform.shown(), vendors: master.vendorRows, history };
  }

  it.each(SYNC_KINDS)('of %s has the same result as an uninterrupted one', async (kind) => {
    const none = await run(kind, -1, 'before', () => new Error('never'));
    expect(none.places.length).toBeGreaterThan(10);
    expect(JSON.stringify(none.end)).not.toContain('sent');
    for (const [index, place] of none.places.entries()) {
      for (const fault of ['before', 'after'] as const) {
        // As a kill, after which nothing is known, and as a request without a response.
        const errors = place.startsWith('transaction')
          ? [() => new Error('killed')]
          : [() => new Error('killed'), () => new NoResponse('time-out', true)];
        for (const error of errors) {
          const { end } = await run(kind, index + 1, fault, error);
          const what = { at: index + 1, place, fault, error: error().message };
          expect({ ...what, end: withoutDetours(end) }).toEqual({ ...what, end: withoutDetours(none.end) });
        }
      }
    }
  });

  it('of a preview lists and counts every planned change once', async () => {
    const never = () => new Error('never');
    const { places, end } = await run('accounts', -1, 'before', never, { isPreview: true });
    const recorded = places.indexOf('transaction record plan') + 1;
    expect(JSON.stringify(end)).toContain('planned');
    const again = await run('accounts', recorded, 'after', () => new Error('killed'), { isPreview: true });
    expect(again.places.length).toBeGreaterThan(places.length);
    expect(again.end).toEqual(end);
  });
});

/** A vendor whose making was interrupted half way is activated by a change of its own; how often is no difference. */
function withoutDetours(end: object): unknown {
  const text = JSON.stringify(end, (key, value: unknown) => (key === 'counts' ? undefined : value));
  return JSON.parse(text.replaceAll(/"vendor activate (N-1|V-3) done",/g, ''));
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`;
}
