import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { plannedLine } from '../../../../src/erp-contract/posting-group.builder.js';
import { History, purchaseEntry, purchaseLines } from './history.js';

// Vendors and dimension values of an entry are looked for in the lists of the company that it was posted to.

let history: History;

beforeEach(async () => {
  history = await History.start();
  const { account } = plannedLine('5410', 0n);
  const lines = purchaseLines({
    vendor: { id: account.id as never, code: 'V-7' },
    dimensions: [{ dimension: 'CC', value: '100', decision: { by: 'code' } }],
  });
  await history.addJob(1, [purchaseEntry({}, lines)]);
  await history.reconcile();
  expect(await history.discrepancies()).toEqual([]);
});
afterEach(async () => {
  await history.exports.close();
});

it.each([
  ['another company is linked', 'another-company'],
  ['no company is linked', null],
])('an entry of before has no discrepancy when %s', async (_, company) => {
  await history.query(`UPDATE installation SET erp_company_id = $1`, company);
  history.erp.masterData = { ...companyData, vendors: [], dimensions: [] };
  await history.reconcile();
  expect(await history.discrepancies()).toEqual([]);
});

it('an entry of the linked company has, when its vendor is gone', async () => {
  history.erp.masterData = { ...companyData, vendors: [] };
  await history.reconcile();
  expect(await history.discrepancies()).toMatchObject([{ class: 'vendor-orphaned', state: 'open' }]);
});
