// Lists of an ERP that lets them be reused: those that one job has read are those of the next, for a minute.
// What ends an entry is never an old list.
import { beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { companyData, itemOf, vendor } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { PostingGuarantee, ErpMasterData } from '../../../../src/connector/erp/erp-ledger.js';
import { CachedMasterData } from '../../../../src/connector/erp/kit/cached-master-data.js';
import { FakeErp, refuses } from '../../../support/fake-erp.js';
import { FakeMasterData } from '../../../support/fake-master-data.js';
import { OneErp } from '../../../support/one-erp.js';
import { startedOnce } from '../../../support/started-once.js';
import { ExportsHarness, fetched, purchase, type Tenant } from './exports-harness.js';
import { FakeClock } from './fake-clock.js';

class CountingErp extends FakeErp {
  reads = 0;

  override async loadMasterData(): Promise<ErpMasterData | undefined> {
    this.reads += 1;
    return super.loadMasterData();
  }
}

const clock = new FakeClock();
const erp = new CountingErp();
const connections = new OneErp(erp, new FakeMasterData(), {}, new CachedMasterData().of('connection'), clock);
const exports = startedOnce(() => ExportsHarness.start(connections));
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  erp.restore();
  tenant = await exports.addTenant({
    erpCompany: erp.companyId,
    policies: { unknownVendor: 'create', conflicts: 'reverse-and-repost' },
  });
  // What an earlier test has left is too old.
  clock.passMinutes(2);
  expect(await verdictOn(purchase(tenant.companyId))).toBe('successful');
  erp.reads = 0;
});

/** What is reported to the platform of a job's only item. */
async function verdictOn(item: ReturnType<typeof purchase>) {
  const job = await exports.addJob(tenant, [item]);
  await exports.processQueue(tenant);
  const { status, failureReason } = job.results.get(item.accountingEntryId) ?? {};
  return failureReason ?? status;
}

const aPurchase = (account?: string) => purchase(tenant.companyId, account === undefined ? {} : { account });

function close(account: string): void {
  const closed = companyData.accounts.map((one) => (one.code === account ? { ...one, active: false } : one));
  erp.masterData = { ...companyData, accounts: closed };
}

it('a small job right after another requests no lists, and one a minute later does', async () => {
  expect([await verdictOn(aPurchase()), erp.reads]).toEqual(['successful', 0]);
  clock.passMinutes(1);
  expect([await verdictOn(aPurchase()), erp.reads]).toEqual(['successful', 1]);
});

it('an account that was closed in between has the same result as with lists read for the job', async () => {
  close('5410');
  erp.script.push(refuses('account 5410 is closed'));
  const outdated = aPurchase();
  const verdict = await verdictOn(outdated);
  expect(erp.posts).toContainEqual([outdated.accountingEntryId]);
  expect(erp.reads).toBe(1);
  clock.passMinutes(2);
  const later = aPurchase();
  expect(await verdictOn(later)).toBe(verdict);
  expect(verdict).toMatch(/5410/);
  expect(verdict).not.toMatch(/refused/);
  expect(erp.posts.flat()).not.toContain(later.accountingEntryId);
});

it('a post that the ERP refuses with current lists too is sent twice and no more', async () => {
  erp.script.push(refuses('not on a Tuesday'), refuses('not on a Tuesday'));
  const before = erp.posts.length;
  expect(await verdictOn(aPurchase())).toBe('The accounting system refused the entry: not on a Tuesday');
  expect([erp.posts.length - before, erp.reads]).toEqual([2, 1]);
});

it.each<PostingGuarantee>([{ level: 'none' }, { level: 'searchable-reference', searchLagMs: 60_000 }])(
  'at $level a refusal of the only entry of a job, planned with reused lists, is not in doubt',
  async (guarantee) => {
    erp.guarantee = guarantee;
    close('5410');
    erp.script.push(refuses('account 5410 is closed'));
    expect(await verdictOn(aPurchase())).toMatch(/5410/);
    expect(erp.reads).toBe(1);
  },
);

it('an account that was opened in between is found', async () => {
  const [first] = companyData.accounts;
  if (first === undefined) throw new Error('no account');
  erp.masterData = { ...companyData, accounts: [...companyData.accounts, { ...first, code: '5999', name: 'New' }] };
  expect([await verdictOn(aPurchase('5999')), erp.reads]).toEqual(['successful', 1]);
});

it('a vendor that a person has created in between is not created a second time', async () => {
  erp.masterData = { ...companyData, vendors: [...companyData.vendors, vendor('V-99')] };
  erp.onVendor = () => Promise.reject(new Error('it was to be created'));
  const lines = [{ amount: '1000', account: '5410' }];
  const supplier = { id: randomUUID(), name: 'Vendor V-99', code: 'V-99', defaultCurrency: 'EUR' };
  const item = itemOf({ type: 'card_purchase', method: 'accounts_payable', amount: '1000', lines, vendor: supplier });
  expect(await verdictOn(fetched(tenant.companyId, randomUUID(), item))).toBe('successful');
  expect(erp.reads).toBe(1);
});

it('an entry is not reversed for a replacement that would be refused', async () => {
  const entry = aPurchase();
  expect(await verdictOn(entry)).toBe('successful');
  close('5420');
  const changed = purchase(tenant.companyId, { id: entry.accountingEntryId, account: '5420' });
  expect(await verdictOn(changed)).toMatch(/5420/);
  expect([erp.reversals, erp.reads]).toEqual([[], 1]);
});
