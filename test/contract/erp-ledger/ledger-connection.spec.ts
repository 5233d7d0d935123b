import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toInstallationId } from '../../../src/kernel/ids.js';
import { at, companyUrn, ConnectHarness } from '../../integration/connector/installations/connect-harness.js';
import { createCompany, LEDGER_KEY, startLedgerServer, type LedgerServer } from './ledger-server.js';

// What a test of a connection says of the ledger: its version, what a key may do, an entry and a draft that are taken back.

let harness: ConnectHarness;
let server: LedgerServer;

beforeAll(async () => {
  server = await startLedgerServer();
  harness = await ConnectHarness.start();
});
afterAll(async () => {
  await harness.close();
  await server.close();
});

it('a connection is described in words', async () => {
  const erpCompanyId = await createCompany(server, { idempotency: 'forever' });
  const year = new Date().getUTCFullYear();
  const days = { from: `${year.toString()}-01-01`, to: `${year.toString()}-12-31` };
  // The company has those of 2026.
  if (year > 2026) {
    await server.put(`/companies/${erpCompanyId}/periods`, { data: [{ fiscalYear: year, ...days, state: 'open' }] });
  }
  const id = toInstallationId(await harness.connect(companyUrn(harness.platform.addCompany().id)));
  const token = await harness.token(id);
  const settings = { url: server.url, apiKey: LEDGER_KEY };
  const call = (method: 'PUT' | 'POST', path: string, body: object) =>
    harness.call(method, `/api/v1/${path}`, { token, body });
  expect((await call('PUT', 'erp-connection', { kind: 'ledger', settings })).status).toBe(200);
  const testEntry = { debit: '5410', credit: '1935' };
  const tested = await call('POST', 'erp-connection/test', { erpCompanyId, testEntry });
  const checks = at(tested.json, 'checks') as readonly { readonly check: string; readonly detail: string }[];
  expect(Object.fromEntries(checks.map(({ check, detail }) => [check, detail]))).toMatchObject({
    version: 'The accounting system is version 1.',
    attachments: 'The accounting system says that this sign-in may attach receipts.',
    'new-vendors': 'The accounting system says that this sign-in may create vendors.',
    'closed-periods': expect.stringContaining('Closed periods take no entries'),
    posting: 'A test entry was posted and taken back.',
    drafts: 'A test draft was posted and taken back.',
  });
});
