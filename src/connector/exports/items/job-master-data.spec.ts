import { expect, it } from '@jest/globals';
import { companyData, currency, itemOf } from '../../bookkeeping/item/planning.fixtures.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import type { RateRequest } from '../../erp/erp-ledger.js';
import { JobMasterData } from './job-master-data.js';

it.each([
  ['a plain day west of UTC', '2026-02-10', 'America/Los_Angeles', '2026-02-03', '2026-02-10'],
  ['a plain day east of UTC', '2026-02-10', 'Pacific/Auckland', '2026-02-03', '2026-02-10'],
  [
    'an instant that is the day before there',
    '2026-02-10T03:00:00Z',
    'America/Los_Angeles',
    '2026-02-02',
    '2026-02-09',
  ],
  ['an instant that is the day after there', '2026-02-10T22:00:00Z', 'Pacific/Auckland', '2026-02-04', '2026-02-11'],
])('the rates of the item’s own day are loaded: %s [B4]', async (_, date, timeZone, from, to) => {
  const requests: RateRequest[] = [];
  const erp = {
    capabilities: { payablesNeedVendor: false, limits: { linesPerEntry: 100 } },
    findRates: (request: RateRequest) => {
      requests.push(request);
      return Promise.resolve([]);
    },
  } as unknown as ConnectedErp;
  const { settings, policies } = companyData;
  const mapping = { version: 1, rules: [], settings: { accounts: settings, policies } };
  const data = new JobMasterData(erp, { ...companyData, timeZone }, mapping);
  const item = itemOf({ type: 'card_purchase', amount: '1000', currency: 'USD', date });
  await data.contextFor([{ accountingEntryId: item.accountingEntryId, item }]);
  expect(requests).toEqual([{ currencies: [currency('USD')], from, to }]);
});

it('chunks that are planned at the same time keep each other’s rates', async () => {
  const requests: RateRequest[] = [];
  const erp = {
    capabilities: { payablesNeedVendor: false, limits: { linesPerEntry: 100 } },
    findRates: async (request: RateRequest) => {
      requests.push(request);
      await new Promise(setImmediate);
      const rate = { to: currency('EUR'), date: request.from, rate: '1' };
      return request.currencies.map((from) => ({ ...rate, from }));
    },
  } as unknown as ConnectedErp;
  const { settings, policies } = companyData;
  const data = new JobMasterData(erp, companyData, {
    version: 1,
    rules: [],
    settings: { accounts: settings, policies },
  });
  const purchase = (code: string, date: string) => {
    const item = itemOf({ type: 'card_purchase', amount: '1000', currency: code, date });
    return { accountingEntryId: item.accountingEntryId, item };
  };
  await Promise.all([
    data.contextFor([purchase('USD', '2026-01-10'), purchase('GBP', '2026-01-10')]),
    data.contextFor([purchase('USD', '2026-03-10')]),
  ]);
  // The second needs more days of a currency: it reads all of them, since what it finds replaces what was known.
  expect(requests.filter(({ currencies }) => currencies[0] === currency('USD'))).toEqual([
    { currencies: [currency('USD')], from: '2026-01-03', to: '2026-01-10' },
    { currencies: [currency('USD')], from: '2026-01-03', to: '2026-03-10' },
  ]);
});
