import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { ReconciliationModule } from '../../../../src/connector/reconciliation/reconciliation.module.js';
import { createCompany, startLedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import type { ErpCompanyId } from '../../../../src/kernel/ids.js';
import { ExportsHarness, fetched, type Tenant } from '../exports/exports-harness.js';
import { ReconciliationUseCases } from './reconciliation-use-cases.js';
import { startedOnce } from '../../../support/started-once.js';

// An invoice and its payment come in two jobs, in either order. The ledger settles them when the second one is posted, without
// help, and the comparison finds nothing to repair. What was in the way then is settled by the comparison once it is
// there.

const NEVER = new AbortController().signal;
const PERIOD = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
const payable = {
  amount: '1000',
  method: 'accounts_payable',
  vendor: 'V-7',
  contra: '1935',
  invoice: { invoiceNumber: 'A-1', invoiceDate: '2026-02-01', dueDate: null, status: 'ready' },
};

const ledger = startedOnce(startLedgerServer);
const exports = startedOnce(() => ExportsHarness.start(ledger.connections, undefined, [ReconciliationModule]));

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
])('after each job of %j the number of open items is: %j', async (types, expected) => {
  const company = await createCompany(ledger);
  const tenant = await exports.addTenant({ erpCompany: company, policies: { postingState: 'posted' } });
  const opened: number[] = [];
  for (const type of types) {
    const item = fetched(tenant.companyId, randomUUID(), itemOf({ ...payable, type }));
    const job = await exports.addJob(tenant, [item]);
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
    opened.push(await openItems(company));
  }
  expect(opened).toEqual(expected);
  expect(await reconcile(tenant)).toMatchObject({ state: 'completed', jobs: types.length, discrepancies: 0 });
});

const openItems = async (company: ErpCompanyId) => {
  const { data } = await ledger.get<{ readonly data: readonly unknown[] }>(
    `/companies/${company}/open-items?date=2026-12-31`,
  );
  return data.length;
};

const reconcile = async ({ installationId }: Tenant) => {
  const service = new ReconciliationUseCases(exports);
  await service.request(installationId, { period: PERIOD });
  await service.processDue(installationId, NEVER);
  return (await service.reader.listRuns(installationId, undefined, 1))[0];
};

const discrepancies = async ({ installationId }: Tenant, state: 'open' | 'repaired') =>
  new ReconciliationUseCases(exports).reader.listDiscrepancies(
    installationId,
    { state, class: undefined },
    undefined,
    10,
  );

describe('an invoice in dollars and its payment at another rate', () => {
  const realizedFx = (active: boolean) => ({ code: '7960', name: 'Realized FX', type: 'income', active });
  let company: ErpCompanyId;
  let tenant: Tenant;

  const accounts = (...data: readonly object[]) => ledger.put(`/companies/${company}/accounts`, { data });
  const saveMapping = async (version: number, more: object) => {
    await exports.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, $2, $3, 'test', now())`,
      [
        tenant.installationId,
        version,
        {
          accounts: { ...companyData.settings, realizedFx: undefined, ...more },
          policies: { ...companyData.policies, postingState: 'posted' },
        },
      ],
    );
  };
  const run = async (type: string, date: string) => {
    const text = { ...payable, amount: '100000', currency: 'USD', contra: '1936', type, date };
    const item = fetched(tenant.companyId, randomUUID(), itemOf(text));
    const job = await exports.addJob(tenant, [item]);
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
    return item.accountingEntryId;
  };

  beforeEach(async () => {
    company = await createCompany(ledger);
    await accounts({ code: '1936', name: 'Wallet USD', type: 'asset' }, realizedFx(true));
    await ledger.put(`/companies/${company}/exchange-rates`, {
      data: [
        { from: 'USD', to: 'EUR', date: '2026-02-10', rate: '0.90' },
        { from: 'USD', to: 'EUR', date: '2026-02-12', rate: '0.93' },
      ],
    });
    tenant = await exports.addTenant({ erpCompany: company });
  });

  it('stay open without an account for realized FX, and are settled by the comparison once it is set', async () => {
    await saveMapping(2, {});
    await run('invoice', '2026-02-10T12:00:00Z');
    const payment = await run('invoice_payment', '2026-02-12T12:00:00Z');
    expect(await openItems(company)).toBe(2);
    await saveMapping(3, { realizedFx: '7960' });
    expect(await reconcile(tenant)).toMatchObject({ state: 'completed', discrepancies: 1, repaired: 1 });
    expect(await discrepancies(tenant, 'repaired')).toMatchObject([
      { class: 'settlement-open', subject: payment, settledBy: 'connector', settledAs: 'settle' },
    ]);
    expect([await openItems(company), await discrepancies(tenant, 'open')]).toEqual([0, []]);
    expect(await reconcile(tenant)).toMatchObject({ state: 'completed', discrepancies: 0 });
    expect(await openItems(company)).toBe(0);
  });

  it('stay in the inbox with the ledger’s message while the account is archived', async () => {
    await saveMapping(2, { realizedFx: '7960' });
    const payment = await run('invoice_payment', '2026-02-12T12:00:00Z');
    await accounts(realizedFx(false));
    await run('invoice', '2026-02-10T12:00:00Z');
    expect(await reconcile(tenant)).toMatchObject({ state: 'completed', discrepancies: 1, repaired: 0 });
    const expected = {
      class: 'settlement-open',
      subject: payment,
      evidence: {
        refusal:
          'Not settled with each other on vendor V-7: payment A-1 and invoice A-1. Their exchange rates differ, and account 7960 is not active. Resolve that in the accounting system, or match the two entries there by hand: every comparison tries again.',
      },
    };
    const [found, ...others] = await discrepancies(tenant, 'open');
    expect([found, others]).toMatchObject([expected, []]);
    await reconcile(tenant);
    expect(await discrepancies(tenant, 'open')).toMatchObject([{ id: found?.id, ...expected }]);
    await accounts(realizedFx(true));
    expect(await reconcile(tenant)).toMatchObject({ discrepancies: 1, repaired: 1 });
    expect([await openItems(company), await discrepancies(tenant, 'open')]).toEqual([0, []]);
  });
});
