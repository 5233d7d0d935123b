import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { PostingGuarantee } from '../../../src/connector/erp/erp-ledger.js';
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { OpenAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { createLogger } from '../../../src/foundation/logging/logger.js';
import { freePort } from '../../../src/foundation/process/free-port.js';
import { toErpCompanyId, type ErpCompanyId } from '../../../src/kernel/ids.js';
import { loadLedgerConfig } from '../../../src/sandbox/ledger/ledger-config.js';
import { openLedger } from '../../../src/sandbox/ledger/ledger-program.js';
import { patientCaller, OneAdapter, openLedgerAdapter } from '../../support/one-erp.js';
import { createTestDatabase } from '../../support/test-database.js';

export const LEDGER_KEY = 'a-key-that-only-tests-know';

export interface LedgerServer {
  readonly url: string;
  readonly adapter: OpenAdapter;
  readonly connections: OneAdapter;
  erpOf(company: ErpCompanyId): ConnectedErp;
  /** Writes reference data the way the ledger's operator does. */
  put(path: string, body: unknown): Promise<void>;
  /** @returns id and text of a key that opens the company */
  newKey(company: ErpCompanyId): Promise<{ readonly id: string; readonly apiKey: string }>;
  /** The key opens nothing from then on, nor what it was signed in with. */
  deleteKey(company: ErpCompanyId, id: string): Promise<void>;
  /** Reads the books the way an auditor does. */
  get<Body>(path: string): Promise<Body>;
  bytes(path: string): Promise<Buffer>;
  /** @returns how many rows of the ledger's database a statement gives */
  count(statement: string): Promise<number>;
  close(): Promise<void>;
}

/** The connector, as it is registered for people who sign in at the ledger. */
export const LEDGER_CLIENT = {
  id: 'connector-at-the-ledger',
  secret: 'secret-of-the-connector-at-the-ledger',
  redirectUri: 'http://localhost:3000/settings/erp-sign-in',
};

/**
 * The ledger program on a port, and the adapter talking to it.
 * @param guarantee what the adapter is given as the promise of the ledger's companies
 */
export async function startLedgerServer(
  guarantee: PostingGuarantee = { level: 'permanent-key' },
): Promise<LedgerServer> {
  const testDatabase = await createTestDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port.toString()}`;
  const config = loadLedgerConfig({
    LEDGER_DATABASE_URL: testDatabase.url,
    LEDGER_API_KEY: LEDGER_KEY,
    LEDGER_URL: url,
    LEDGER_CLIENT_ID: LEDGER_CLIENT.id,
    LEDGER_CLIENT_SECRET: LEDGER_CLIENT.secret,
    LEDGER_REDIRECT_URI: LEDGER_CLIENT.redirectUri,
    LOG_LEVEL: 'error',
  });
  const app = await openLedger(config, createLogger('ledger', config.logging));
  await app.listen(port, '127.0.0.1');
  const adapter = openLedgerAdapter(url, LEDGER_KEY, guarantee);
  const authorization = `Bearer ${LEDGER_KEY}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return {
    url,
    adapter,
    connections: new OneAdapter(adapter),
    erpOf: (company) => adapter.forCompany({ ...patientCaller(), company }),
    async put(path, body) {
      const answer = await fetch(`${url}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
      if (!answer.ok) {
        throw new Error(`PUT ${path}: ${answer.status.toString()} ${await answer.text()}`);
      }
    },
    async newKey(company) {
      const answer = await fetch(`${url}/companies/${company}/api-keys`, {
        method: 'POST',
        headers: { authorization },
      });
      return (await answer.json()) as { readonly id: string; readonly apiKey: string };
    },
    async deleteKey(company, id) {
      await fetch(`${url}/companies/${company}/api-keys/${id}`, { method: 'DELETE', headers: { authorization } });
    },
    async get<Body>(path: string) {
      return (await (await fetch(`${url}${path}`, { headers })).json()) as Body;
    },
    async bytes(path) {
      return Buffer.from(await (await fetch(`${url}${path}`, { headers })).arrayBuffer());
    },
    async count(statement) {
      const client = new pg.Client({ connectionString: testDatabase.url, options: '-c search_path=ledger' });
      await client.connect();
      const { rowCount } = await client.query(statement).finally(() => client.end());
      return rowCount ?? 0;
    },
    async close() {
      adapter.close();
      await app.close();
      await testDatabase.drop();
    },
  };
}

/** @param settings what its keys are worth, in the ledger's words; `forever` when empty */
export async function putCompany(
  server: LedgerServer,
  id: ErpCompanyId,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await server.put(`/companies/${id}`, {
    name: 'Nordlys ApS',
    registrationNumber: '12345678',
    functionalCurrency: 'EUR',
    timeZone: 'Europe/Copenhagen',
    ...settings,
  });
}

/** A company in EUR with the accounts, tax codes, dimensions and vendors that the contract talks about. */
export async function createCompany(
  server: LedgerServer,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ErpCompanyId> {
  const id = toErpCompanyId(randomUUID());
  const path = `/companies/${id}`;
  await putCompany(server, id, settings);
  await server.put(`${path}/periods`, {
    data: [
      { fiscalYear: 2026, from: '2026-01-01', to: '2026-01-31', state: 'closed' },
      { fiscalYear: 2026, from: '2026-02-01', to: '2026-12-31', state: 'open' },
    ],
  });
  await server.put(`${path}/accounts`, {
    data: [
      { code: '1935', externalId: 'acc-1935', name: 'Wallet', type: 'asset' },
      { code: '2440', name: 'Accounts payable', type: 'liability' },
      { code: '2441', name: 'Payable to subsidiaries', type: 'liability' },
      { code: '2641', name: 'Input tax', type: 'asset' },
      { code: '5410', name: 'Consumables', type: 'expense' },
      { code: '7960', name: 'Realized FX', type: 'expense' },
      { code: '9999', name: 'Old', type: 'expense', active: false },
    ],
  });
  await server.put(`${path}/tax-codes`, {
    data: [{ code: 'I25', name: '25 %', rate: '0.25', inputAccountCode: '2641', deductible: '0.5' }],
  });
  await server.put(`${path}/dimensions`, { data: [{ code: 'CC', name: 'Cost centre' }] });
  await server.put(`${path}/dimension-values`, {
    data: [{ dimensionCode: 'CC', code: '100', name: 'Sales' }],
  });
  await server.put(`${path}/vendors`, {
    data: [
      {
        number: 'V-7',
        name: 'Papier GmbH',
        country: 'DE',
        payableAccountCode: '2440',
        taxRegistrationNumber: 'DE 1',
      },
      { number: 'V-8', name: 'Gone Ltd', archived: true },
    ],
  });
  await server.put(`${path}/exchange-rates`, {
    data: [
      { from: 'USD', to: 'EUR', date: '2026-03-01', rate: '0.91' },
      { from: 'USD', to: 'EUR', date: '2026-03-02', rate: '0.9123' },
      { from: 'SEK', to: 'EUR', date: '2026-03-02', rate: '0.09' },
    ],
  });
  return id;
}
