import { beforeEach, describe, expect, it } from '@jest/globals';
import { ENTERED } from '../../../../src/connector/erp/files/files.fixtures.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';

// What people choose from while they type: the lists of the accounting system, through the API.

const harness = startedOnce(() => ConnectHarness.start());
let id: string;

const call = async (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object, of = id) =>
  harness.call(method, `/api/v1/${path}`, { token: await harness.token(of), ...(body && { body }) });
const codes = async (path: string) => {
  const { status, json } = await call('GET', `erp/${path}`);
  return [status, (at(json, 'data') as readonly object[]).map((entry) => at(entry, 'code')), at(json, 'total')];
};
const refused = async (path: string, of = id) => {
  const { status, json } = await call('GET', `erp/${path}`, undefined, of);
  return [status, at(json, 'type')];
};

async function connect(more: object = {}): Promise<string> {
  const body = { kind: 'files', settings: { ...ENTERED, ...more } };
  return String(at((await call('PUT', 'erp-connection', body)).json, 'data', 0, 'id'));
}

beforeEach(async () => {
  harness.platform.restore();
  id = await harness.connect(companyUrn(harness.platform.addCompany().id));
});

describe('the lists of the accounting system', () => {
  it('do not exist before a company is linked', async () => {
    await connect();
    expect((await call('GET', 'erp/companies')).json).toMatchObject({ total: 1, data: [{ isLinked: false }] });
    for (const list of ['accounts', 'tax-codes', 'dimensions', 'dimensions/CC/values', 'vendors']) {
      expect(await refused(list)).toEqual([409, 'urn:problem:setup-incomplete']);
    }
  });

  it('have names beside codes, filtered by search, type and active state', async () => {
    const company = await connect();
    await call('PUT', 'erp-company', { erpCompanyId: company });
    expect((await call('GET', 'erp/companies?search=nordlys')).json).toEqual({
      total: 1,
      data: [{ id: company, name: 'Nordlys AB', registrationNumber: '556677-8899', isLinked: true }],
    });
    expect(await codes('companies?search=nobody')).toEqual([200, [], 0]);
    expect((await call('GET', 'erp/accounts?search=forbruk')).json).toEqual({
      total: 1,
      data: [{ code: '5410', name: 'Förbrukning "små"', active: true, type: 'expense', externalId: '5410' }],
    });
    expect(await codes('accounts?type=asset')).toEqual([200, ['1935', '2641'], 2]);
    expect(await codes('accounts?active=false')).toEqual([200, ['9999'], 1]);
    expect(await codes('accounts?limit=1')).toEqual([200, ['1935'], 5]);
    expect((await call('GET', 'erp/tax-codes?search=25')).json).toEqual({
      total: 1,
      data: [{ code: 'I25', name: '25 %', active: true, type: null, rate: '0.25' }],
    });
    expect(await codes('dimensions')).toEqual([200, ['CC', 'PR'], 2]);
    expect((await call('GET', 'erp/dimensions/CC/values')).json).toEqual({
      total: 1,
      data: [{ code: '100', name: 'Försäljning', active: true }],
    });
    expect(await refused('dimensions/XX/values')).toEqual([404, 'urn:problem:not-found']);
    expect((await call('GET', 'erp/vendors?search=papier')).json).toMatchObject({
      total: 1,
      data: [{ code: 'V-7', name: 'Papier GmbH', active: true, type: 'supplier', country: 'DE', taxNumber: 'DE 1' }],
    });
    expect(await codes('vendors?active=false')).toEqual([200, ['V-8'], 1]);
    expect(await codes('vendors?type=employee')).toEqual([200, [], 0]);
  });

  it('are those of the current connection, and of the own one only', async () => {
    await call('PUT', 'erp-company', { erpCompanyId: await connect() });
    expect(await codes('accounts?search=6110')).toEqual([200, [], 0]);
    await connect({ accounts: `${ENTERED.accounts}\n6110;Travel;expense;;` });
    expect(await codes('accounts?search=6110')).toEqual([200, ['6110'], 1]);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    expect(await refused('accounts', other)).toEqual([409, 'urn:problem:setup-incomplete']);
    expect((await call('GET', 'erp/companies?search=nordlys')).json).toMatchObject({ total: 1 });
    await call('DELETE', 'erp-connection');
    expect((await call('GET', 'erp/companies?search=nordlys')).json).toEqual({ total: 0, data: [] });
  });

  it.each(['accounts?type=other', 'accounts?active=yes', 'vendors?limit=1001', `vendors?search=${'x'.repeat(101)}`])(
    'refuse ?%s',
    async (path) => {
      expect(await refused(path)).toEqual([400, 'urn:problem:invalid-request']);
    },
  );
});

describe('an accounting system that does not respond', () => {
  it('is a problem that can be retried', async () => {
    const number = `own-${id}`;
    harness.platform.addErpCompany(number, number);
    const settings = { url: harness.platform.url, apiKey: 'a-key-of-the-customer' };
    await call('PUT', 'erp-connection', { kind: 'ledger', settings });
    await call('PUT', 'erp-company', { erpCompanyId: number });
    const { status, json, headers } = await call('GET', 'erp/vendors');
    expect([status, at(json, 'type'), headers['retry-after']]).toEqual([503, 'urn:problem:erp-unavailable', '30']);
  });
});
