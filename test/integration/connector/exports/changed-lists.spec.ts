// Lists of the ledger, which counts their changes: the next job reads again what has changed, and nothing else.
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { OpenAdapter } from '../../../../src/connector/erp/kit/open-adapter.js';
import { HttpProxy } from '../../../../src/erp-contract/http-proxy.js';
import type { ErpCompanyId } from '../../../../src/kernel/ids.js';
import { createCompany, LEDGER_KEY, startLedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import { OneAdapter, openLedgerAdapter } from '../../../support/one-erp.js';
import { startedOnce } from '../../../support/started-once.js';
import { ExportsHarness, fetched, type Tenant } from './exports-harness.js';

const LIST =
  /^GET \/companies\/[^/]+\/(master-data$|(?:accounts|tax-codes|dimensions|dimension-values|vendors|periods)(?=\?))/;
/** All lists by one request. */
const ALL = ['master-data'];

const ledger = startedOnce(startLedgerServer);
const line = startedOnce(() => HttpProxy.start(0, ledger.url));
let adapter: OpenAdapter;
const exports = startedOnce(() => {
  adapter = openLedgerAdapter(line.url, LEDGER_KEY);
  return ExportsHarness.start(new OneAdapter(adapter));
});
let company: ErpCompanyId;
let tenant: Tenant;

afterAll(() => {
  adapter.close();
});
beforeEach(async () => {
  company = await createCompany(ledger);
  tenant = await exports.addTenant({ erpCompany: company, policies: { postingState: 'posted' } });
});

/** A job with one purchase of V-7. @returns the accounts of its entry, and the lists that were read for the job */
async function exportPurchase(account = '5410') {
  line.seen.length = 0;
  const vendor = { id: randomUUID(), name: 'Papier GmbH', code: 'V-7', defaultCurrency: 'EUR' };
  const lines = [{ amount: '1000', account }];
  const item = itemOf({ type: 'card_purchase', method: 'accounts_payable', amount: '1000', lines, vendor });
  const one = fetched(tenant.companyId, randomUUID(), item);
  const job = await exports.addJob(tenant, [one]);
  await exports.processQueue(tenant);
  const { status, failureReason } = job.results.get(one.accountingEntryId) ?? {};
  const read = line.seen.flatMap(({ method, path }) => LIST.exec(`${method} ${path}`)?.[1] ?? []);
  const { data } = await ledger.get<{
    readonly data: readonly { readonly key: string; readonly lines: readonly { readonly accountCode: string }[] }[];
  }>(`/companies/${company}/journal-entries`);
  const entry = data.find(({ key, lines: [first] }) => key === one.accountingEntryId && first !== undefined);
  const accounts = entry?.lines.map(({ accountCode }) => accountCode);
  return [failureReason ?? status, accounts, [...new Set(read)].toSorted()];
}

it('the next job does not read lists again while nothing changes', async () => {
  expect(await exportPurchase()).toEqual(['successful', ['5410', '2440'], ALL]);
  expect(await exportPurchase()).toEqual(['successful', ['5410', '2440'], []]);
});

it('the next job posts to the account that a vendor was given in between', async () => {
  await exportPurchase();
  const changed = { number: 'V-7', name: 'Papier GmbH', country: 'DE', payableAccountCode: '2441' };
  await ledger.put(`/companies/${company}/vendors`, { data: [changed] });
  expect(await exportPurchase()).toEqual(['successful', ['5410', '2441'], ['vendors']]);
});

it.each([
  ['accounts', 'accounts', { code: '5411', name: 'Consumables abroad', type: 'expense' }, ['accounts']],
  ['tax codes', 'tax-codes', { code: 'I9', name: '9 %', rate: '0.09', inputAccountCode: '2641' }, ['tax-codes']],
  ['dimensions', 'dimensions', { code: 'PR', name: 'Project' }, ['dimension-values', 'dimensions']],
  ['periods', 'periods', { fiscalYear: 2027, from: '2027-01-01', to: '2027-12-31', state: 'open' }, ['periods']],
])('%s that were added are read, and the same ones put again are no change', async (_, list, row, read) => {
  await exportPurchase();
  await ledger.put(`/companies/${company}/${list}`, { data: [row] });
  expect((await exportPurchase())[2]).toEqual(read);
  await ledger.put(`/companies/${company}/${list}`, { data: [row] });
  expect((await exportPurchase())[2]).toEqual([]);
});
