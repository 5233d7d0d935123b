import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { itemOf } from '../../../../src/connector/bookkeeping/planning.fixtures.js';
import { ReconciliationModule } from '../../../../src/connector/reconciliation/reconciliation.module.js';
import { ReconciliationService } from '../../../../src/connector/reconciliation/reconciliation.service.js';
import {
  createCompany,
  startLedgerServer,
  type LedgerServer,
} from '../../../contract/erp-ledger/ledger-server.js';
import { ExportsHarness, fetched } from '../exports/exports-harness.js';

// An invoice and its payment come in two jobs, in either order. The ledger settles them when the second one is posted, with
// nobody's help, and the comparison finds nothing to mend.

const NEVER = new AbortController().signal;
const PERIOD = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
const payable = {
  amount: '1000',
  method: 'accounts_payable',
  vendor: 'V-7',
  contra: '1935',
  invoice: { invoiceNumber: 'A-1', invoiceDate: '2026-02-01', dueDate: null, status: 'ready' },
};

let ledger: LedgerServer;
let exports: ExportsHarness;

beforeAll(async () => {
  ledger = await startLedgerServer();
  exports = await ExportsHarness.start(ledger.erp, undefined, [ReconciliationModule]);
});
afterAll(async () => {
  await exports.close();
  await ledger.close();
});

it.each([
  [
    ['invoice', 'invoice_payment'],
    [1, 0],
  ],
  [
    ['invoice_payment', 'invoice'],
    [1, 0],
  ],
  [['invoice'], [1]],
])('after each job of %j there are so many open items: %j', async (types, expected) => {
  const company = await createCompany(ledger);
  const tenant = await exports.addTenant({ erpCompany: company, policies: { postingState: 'posted' } });
  const opened: number[] = [];
  for (const type of types) {
    const item = fetched(tenant.companyId, randomUUID(), itemOf({ ...payable, type }));
    const job = await exports.addJob(tenant, [item]);
    await exports.workAgain(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
    const { data } = await ledger.get<{ readonly data: readonly unknown[] }>(
      `/companies/${company}/open-items?date=2026-12-31`,
    );
    opened.push(data.length);
  }
  expect(opened).toEqual(expected);
  const service = exports.get(ReconciliationService);
  await service.request(tenant.installationId, { period: PERIOD });
  await service.runDueOf(tenant.installationId, NEVER);
  expect(await service.listRuns(tenant.installationId, undefined, 1)).toMatchObject([
    { state: 'completed', jobs: types.length, differences: 0 },
  ]);
});
