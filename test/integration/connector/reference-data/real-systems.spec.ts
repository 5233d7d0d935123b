// The same runs between the simulator and the ledger: what the client sends is what they take.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlatformHttp } from '../../../../src/connector/platform/platform-http.js';
import { ReferenceDataApi } from '../../../../src/connector/platform/reference-data-api.js';
import { SystemClock } from '../../../../src/foundation/clock/system-clock.js';
import { HttpClient } from '../../../../src/foundation/http/client/http-client.js';
import { toCompanyId, type ErpCompanyId } from '../../../../src/kernel/ids.js';
import { UnlimitedBudget } from '../../../support/platform/unlimited-budget.js';
import { createCompany, startLedgerServer, type LedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import { listAt, SimulatorHarness, textAt } from '../../simulator/simulator-harness.js';
import { SyncHarness, type Tenant } from './sync-harness.js';

const KINDS = ['tax-codes', 'accounts', 'tags', 'vendors'] as const;

describe('reference data of the ledger and the simulator', () => {
  let simulator: SimulatorHarness;
  let ledger: LedgerServer;
  let harness: SyncHarness;
  let client: HttpClient;
  let platformCompany: string;
  let erpCompany: ErpCompanyId;
  let tenant: Tenant;

  beforeAll(async () => {
    [simulator, ledger] = await Promise.all([SimulatorHarness.start(), startLedgerServer()]);
    const baseUrl = simulator.url;
    client = new HttpClient({ baseUrl, timeoutMs: 20_000, maxResponseBytes: 10_000_000, maxConnections: 4 });
    harness = await SyncHarness.start({
      referenceData: new ReferenceDataApi(new PlatformHttp(client, new SystemClock(), new UnlimitedBudget())),
      erp: ledger.connections,
    });
    platformCompany = await simulator.addCompany();
    erpCompany = await createCompany(ledger);
    const key = await simulator.control('POST', '/api-keys', { companyId: platformCompany });
    tenant = await harness.addTenant({
      companyId: toCompanyId(platformCompany),
      erpCompanyId: erpCompany,
      accessToken: textAt(key, 'apiKey'),
    });
  });
  afterAll(async () => {
    await harness.close();
    client.close();
    await ledger.close();
    await simulator.stop();
  });

  const control = (path: string, body?: unknown) =>
    simulator.control(body === undefined ? 'GET' : 'POST', `/companies/${platformCompany}/${path}`, body);
  const shown = async (list: string, ...fields: readonly string[]) =>
    listAt(await control(`${list}?limit=100`), 'data')
      .map((row) => fields.map((field) => String(Reflect.get(Object(row) as object, field))).join(' '))
      .sort();
  const states = async () => {
    const runs = await harness.sync(tenant, KINDS);
    return runs.map(({ state, counts, failure }) => ({
      state,
      changes: Object.entries<number>({ ...counts })
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${name} ${count.toString()}`),
      failure,
    }));
  };
  const nothing = { state: 'completed', changes: [], failure: null };

  it('is synchronized, left unchanged, updated and restored', async () => {
    await control('tag-groups', [
      { code: 'cc', name: 'Old', tags: [{ code: '100', name: 'Old' }, { code: 'gone' }, { code: 'gone2' }] },
      { code: 'own', name: 'Own' },
    ]);
    await control('accounts', [
      { externalId: 'acc-1935', name: 'Old', taxCodeExternalId: 'X' },
      { externalId: 'gone', name: 'Gone' },
    ]);
    await control('tax-codes', [{ name: 'Gone', code: 'X', rate: 0.1 }]);
    await control('vendors', [
      { name: 'Old', externalId: 'V-7', code: 'V-7', state: 'ARCHIVED' },
      { name: 'Gone', externalId: 'V-0' },
    ]);
    await control('draft-vendors', { name: 'New Ltd', country: 'DE', defaultCurrency: 'EUR' });

    expect(await states()).toEqual([
      { state: 'completed', changes: ['created 1', 'archived 1'], failure: null },
      { state: 'completed', changes: ['created 5', 'updated 1', 'archived 1'], failure: null },
      { state: 'completed', changes: ['updated 2', 'archived 3'], failure: null },
      {
        state: 'completed_with_problems',
        changes: ['archived 1', 'problems 1', 'unarchived 1', 'createdInErp 1'],
        failure: null,
      },
    ]);
    expect(await shown('tax-codes', 'code', 'name', 'rate', 'archived')).toEqual([
      'I25 25 % 0.25 false',
      'X Gone 0.1 true',
    ]);
    expect(await shown('accounts', 'externalId', 'code', 'name', 'archived')).toEqual([
      '2440 2440 Accounts payable false',
      '2441 2441 Payable to subsidiaries false',
      '2641 2641 Input tax false',
      '5410 5410 Consumables false',
      '7960 7960 Realized FX false',
      'acc-1935 1935 Wallet false',
      'gone null Gone true',
    ]);
    expect(await shown('tag-groups', 'code', 'name', 'archived')).toEqual(['cc Cost centre false', 'own Own true']);
    expect(await shown('tags', 'code', 'name', 'archived')).toEqual([
      '100 Sales false',
      'gone undefined true',
      'gone2 undefined true',
    ]);
    expect(await shown('vendors', 'name', 'state', 'externalId', 'code', 'country')).toEqual([
      'Gone ARCHIVED V-0 undefined UNDEFINED',
      'New Ltd ACTIVE V-00001 V-00001 DE',
      'Papier GmbH ACTIVE V-7 V-7 DE',
    ]);

    expect(await states()).toEqual([
      nothing,
      nothing,
      nothing,
      { ...nothing, state: 'completed_with_problems', changes: ['problems 1'] },
    ]);

    const path = `/companies/${erpCompany}`;
    await ledger.put(`${path}/accounts`, { data: [{ code: '5410', name: 'Supplies', type: 'expense' }] });
    await ledger.put(`${path}/dimension-values`, {
      data: [{ dimensionCode: 'CC', code: 'Gone', name: 'Back', active: true }],
    });
    await ledger.put(`${path}/vendors`, {
      data: [{ number: 'V-7', name: 'Papier GmbH', country: 'DE', archived: true }],
    });
    expect((await states()).map(({ changes }) => changes)).toEqual([
      [],
      ['updated 1'],
      ['unarchived 1'],
      ['archived 1'],
    ]);
    expect((await states()).map(({ changes }) => changes)).toEqual([[], [], [], []]);
  });

  it('includes companies of the connection, and none of an organization that is not its own', async () => {
    const search = (text: string, organizationId?: string) =>
      harness.service.listVisibleCompanies.list(tenant.installationId, { organizationId, text, limit: 10 });
    expect((await search('example')).map(({ id }) => id)).toEqual([platformCompany]);
    expect(await search('nobody')).toEqual([]);
    await expect(search('', '0f0e0d0c-0000-4000-8000-000000000001')).rejects.toMatchObject({ status: 403 });
  });
});
