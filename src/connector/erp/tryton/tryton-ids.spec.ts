import { expect, it } from '@jest/globals';
import { toErpCompanyId } from '../../../kernel/ids.js';
import type { Clock } from '../../../kernel/clock.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { contextWith, day, itemOf, itemVendor, line, linesOf, post } from '../../bookkeeping/item/planning.fixtures.js';
import type { ErpCall } from '../erp-call.js';
import type { PostingGroup } from '../erp-ledger.js';
import { groupValues, type MoveReferences } from './move-values.js';
import { TrytonMasterData } from './tryton-master-data.js';
import type { TrytonRpc } from './tryton-rpc.js';

// Tryton numbers its records through, and codes of accounts, parties and taxes may be numbers, too: here each code is the
// number of another record.

const account = (id: number, code: string) => ({ id, code, name: `Account ${code}`, type: 1, 'taxes.': [] });
const party = (id: number, code: string) => ({ id, code, name: `Party ${code}`, active: true, 'addresses.': [] });
const tax = (id: number, name: string) => ({ id, name, type: 'percentage', active: true });

const ROWS = {
  'account.account': [account(401, '512'), account(512, '625'), account(625, '445'), account(445, '401')],
  'account.tax': [
    { ...tax(20, '10'), 'invoice_account.': { code: '401' } },
    { ...tax(10, '20'), 'invoice_account.': { code: '445' } },
  ],
  'party.party': [{ ...party(23, '17'), account_payable: 445 }, party(17, '23')],
  'company.employee': [],
};
const rpc = {
  readAll: (_: unknown, model: keyof typeof ROWS) => Promise.resolve(ROWS[model]),
} as unknown as TrytonRpc;
const clock = { now: () => new Date('2026-02-10T12:00:00Z') } as Clock;
const call = { company: toErpCompanyId('1') } as ErpCall;

async function context() {
  const masterData = new TrytonMasterData(rpc, clock, false);
  const none = contextWith();
  return contextWith({
    accounts: await masterData.accounts(call, { functionalCurrency: none.functionalCurrency, timeZone: 'UTC' }),
    taxCodes: await masterData.taxCodes(call),
    vendors: await masterData.vendors(call),
    taxDetails: false,
    settings: { wallets: { EUR: '512' } },
  });
}

const taxed = line({ amount: '12000', account: '625', tax: { type: 'inclusive', amount: '2000', code: '20' } });
const item: ExportItem = {
  ...itemOf({ type: 'card_purchase', amount: '12000', method: 'accounts_payable', vendor: itemVendor('17') }),
  accountingEntryLines: [taxed],
};

it('a code is never taken for the number of another record', async () => {
  const { entries } = post(item, await context());
  expect(entries.map(linesOf)).toEqual([
    ['625 +10000', '445 +2000', '401·17 -12000'],
    ['401·17 +12000', '512 -12000'],
  ]);
});

it('the number of a vendor is not another one either where only its id is known', async () => {
  const vendor = itemVendor('gone', { externalId: '17' });
  const { entries } = post({ ...item, bookkeeping: null, vendor }, await context());
  expect(entries.map(({ role }) => role)).toEqual(['entry']);
});

it('a move refers to the records by their numbers', async () => {
  const { entries } = post(item, await context());
  const references: MoveReferences = {
    journal: 3,
    currencies: new Map(),
    openPeriod: () => 26,
    activeParties: new Set([23]),
    analyticAccounts: new Map(),
  };
  const posted = entries.map((entry) => ({ ...entry, state: 'posted' as const, postingDate: day('2026-02-10') }));
  const trail = { installationId: 'i', exportJobId: 'j', mappingVersion: 1, fence: 1n };
  const group = { key: 'k', revision: 1, contentDigest: 'd', entries: posted, trail } as unknown as PostingGroup;
  const [invoice] = groupValues(call.company, group, references);
  expect(invoice?.['lines']).toMatchObject([
    [
      'create',
      [
        { account: 512, tax_lines: [['create', [{ tax: 10, type: 'base' }]]] },
        { account: 625, tax_lines: [['create', [{ tax: 10, type: 'tax' }]]] },
        { account: 445, party: 23 },
      ],
    ],
  ]);
});
