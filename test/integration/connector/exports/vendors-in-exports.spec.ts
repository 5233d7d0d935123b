// Vendors that an export creates in the ERP, by the policy "create" (B3.5).
import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { companyData, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { ItemVendor } from '../../../../src/connector/bookkeeping/item/export-item.js';
import { ErpUnavailable, type CreateVendorOutcome, type ErpLedger } from '../../../../src/connector/erp/erp-ledger.js';
import { toErpVendorId } from '../../../../src/kernel/ids.js';
import { ExportsHarness, fetched, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const created = new Map<string, CreateVendorOutcome>();

/** Takes every vendor once per key, under the next number. */
const acceptVendor: ErpLedger['createVendor'] = (_, vendor, key) => {
  const number = `N-${(created.size + 1).toString()}`;
  const { name, country, taxRegistrationNumber } = vendor;
  const outcome = created.get(key) ?? {
    outcome: 'created' as const,
    vendor: {
      id: toErpVendorId(`erp-${number}`),
      code: number,
      name,
      ...(typeof country === 'string' && country !== 'UNDEFINED' && { country }),
      ...(typeof taxRegistrationNumber === 'string' && { taxNumber: taxRegistrationNumber }),
      blocked: false,
      isEmployee: false,
    },
  };
  created.set(key, outcome);
  return Promise.resolve(outcome);
};

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  exports.erp.onVendor = acceptVendor;
  created.clear();
  tenant = await exports.addTenant({ policies: { unknownVendor: 'create' } });
});

const platformVendor = (name: string, more: Partial<ItemVendor> = {}): ItemVendor => ({
  id: randomUUID(),
  name,
  defaultCurrency: 'EUR',
  ...more,
});

/** @returns what was reported to the platform of one purchase per vendor, in their order */
async function exportPurchasesFrom(vendors: readonly ItemVendor[]) {
  const items = vendors.map((vendor) => {
    const lines = [{ amount: '1000', account: '5410' }];
    const item = itemOf({ type: 'card_purchase', method: 'accounts_payable', amount: '1000', lines, vendor });
    return fetched(tenant.companyId, randomUUID(), item);
  });
  const job = await exports.addJob(tenant, items);
  await exports.processQueue(tenant);
  return items.map(({ accountingEntryId }) => {
    const { status, failureReason } = job.results.get(accountingEntryId) ?? {};
    return failureReason ?? status;
  });
}

it.each([
  ['no country', {}],
  ['the country UNDEFINED', { country: 'UNDEFINED' }],
  ['a country', { country: 'SE' }],
])('a vendor with %s is created once and used, in later exports too', async (_, more) => {
  const vendor = platformVendor('Solo Name', more);
  expect(await exportPurchasesFrom([vendor, vendor])).toEqual(['successful', 'successful']);
  expect(await exportPurchasesFrom([vendor])).toEqual(['successful']);
  expect(created.size).toBe(1);
});

it('an entry in doubt is planned with the vendor created for it, even if no key of the item finds it', async () => {
  const { erp } = exports;
  erp.guarantee = { level: 'searchable-reference', searchLagMs: 60_000 };
  const post = erp.post.bind(erp);
  erp.post = () => {
    erp.post = post;
    throw new Error('killed before the request left');
  };
  const vendor = platformVendor('Corner Shop');
  await exportPurchasesFrom([vendor]);
  // What the next worker reads from the ERP: the vendor under a number that the platform does not know yet.
  const [stored] = [...created.values()].flatMap((outcome) => ('vendor' in outcome ? [outcome.vendor] : []));
  expect(stored).toBeDefined();
  erp.masterData = {
    ...companyData,
    vendors: [...companyData.vendors, ...(stored ? [{ ...stored, name: 'CS 1' }] : [])],
  };
  await exports.processQueueAgain(tenant);
  const { rows } = await exports.admin.query<{ failure_reason: string | null; state: string }>(
    'SELECT state, failure_reason FROM export_item WHERE installation_id = $1',
    [tenant.installationId],
  );
  expect(rows).toEqual([{ state: 'pending', failure_reason: null }]);
  expect(created.size).toBe(1);
});

it.each([
  ['name and country', [{ country: 'SE' }, { country: 'SE' }], ['Twin Café', 'TWIN  CAFÉ']],
  ['tax number', [{ taxRegistrationNumber: 'SE 55' }, { taxRegistrationNumber: 'SE-55' }], ['One', 'Two']],
])('two vendors with the same %s are one vendor in the ERP', async (_, more, names) => {
  const vendors = names.map((name, index) => platformVendor(name, more[index]));
  expect(await exportPurchasesFrom(vendors)).toEqual(['successful', 'successful']);
  expect(created.size).toBe(1);
});

it('two vendors with the same name and no country are two, because a name alone identifies no vendor', async () => {
  const vendors = [platformVendor('Same Name'), platformVendor('Same Name')];
  expect(await exportPurchasesFrom(vendors)).toEqual(['successful', 'successful']);
  expect(created.size).toBe(2);
});

describe('a creation whose response was lost', () => {
  const intents = async () => {
    const { rows } = await exports.admin.query<Record<string, string>>(
      `SELECT name, decision, erp_vendor_number AS number FROM vendor_match WHERE installation_id = $1 ORDER BY name`,
      [tenant.installationId],
    );
    return rows.map(({ name, decision, number }) => [name, decision, number]);
  };
  const requested = async () => {
    const { rows } = await exports.admin.query<{ readonly seconds: number }>(
      `SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS seconds FROM sync_run
       WHERE installation_id = $1 AND kind = 'vendor-drafts' AND state = 'requested'`,
      [tenant.installationId],
    );
    return rows.map(({ seconds }) => seconds <= 20);
  };

  it.each<[string, () => never]>([
    [
      'the worker is killed',
      () => {
        throw new Error('killed');
      },
    ],
    [
      'the ERP does not answer',
      () => {
        throw new ErpUnavailable({ kind: 'timeout', message: 'no answer' });
      },
    ],
  ])('since %s is requested again by its key, whether or not the job continues', async (_, interrupt) => {
    exports.erp.onVendor = async (...asked) => {
      await acceptVendor(...asked);
      return interrupt();
    };
    await exportPurchasesFrom([platformVendor('Lost Ltd')]);
    expect(created.size).toBe(1);
    expect(await intents()).toEqual([['Lost Ltd', 'create', null]]);
    expect(await requested()).toEqual([true]);
  });

  it('keeps what is known of the vendors before it', async () => {
    exports.erp.onVendor = (...asked) => {
      const [, { name }] = asked;
      const failure = { kind: 'server-error', message: 'in maintenance' } as const;
      return name === 'B Ltd' ? Promise.resolve({ outcome: 'unavailable', failure }) : acceptVendor(...asked);
    };
    await exportPurchasesFrom([platformVendor('A Ltd'), platformVendor('B Ltd')]);
    expect(await intents()).toEqual([
      ['A Ltd', 'link', 'N-1'],
      ['B Ltd', 'create', null],
    ]);
    expect(await requested()).toEqual([true]);
  });

  it('is not confused with a refusal, which is not stored', async () => {
    exports.erp.onVendor = () => Promise.resolve({ outcome: 'refused', message: 'no' });
    await exportPurchasesFrom([platformVendor('Refused Ltd')]);
    expect(await intents()).toEqual([]);
  });
});
