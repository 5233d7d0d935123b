import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createLogger } from '../../../src/foundation/logging/logger.js';
import { loadLedgerConfig } from '../../../src/sandbox/ledger/ledger-config.js';
import { openLedger } from '../../../src/sandbox/ledger/ledger-program.js';
import { createTestDatabase } from '../../support/test-database.js';

export const API_KEY = 'a-key-that-only-tests-know';

export interface LedgerResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

/** What the tests read of the wire. A wrong assumption fails an assertion: every member may be missing. */
export interface WireEntry {
  readonly id?: string;
  readonly key?: string;
  readonly role?: string;
  readonly number?: string | null;
  readonly url?: string;
  readonly lines?: readonly { readonly amountMinor?: string }[];
}

export interface WireOutcome {
  readonly key?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly entries?: readonly WireEntry[];
}

export interface WirePage<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

export interface RawLedgerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface LedgerHarness {
  readonly app: NestFastifyApplication;
  readonly databaseUrl: string;
  /** One request with the key, against the application in this process. */
  call<Body = unknown>(method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown): Promise<LedgerResponse<Body>>;
  /** One GET with the key and other headers, answer as it came. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<RawLedgerResponse>;
  /** Runs statements as the role the ledger works as, in one transaction. */
  asApp(...statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** @param log takes its lines, instead of standard error */
export async function startLedger(log?: { write(line: string): void }): Promise<LedgerHarness> {
  const testDatabase = await createTestDatabase();
  const config = loadLedgerConfig({
    LEDGER_DATABASE_URL: testDatabase.url,
    LEDGER_API_KEY: API_KEY,
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
  });
  const app = await openLedger(config, createLogger('ledger', config.logging, log));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return {
    app,
    databaseUrl: testDatabase.url,
    call: (method, path, body) => call(app, method, path, body),
    read: (path, headers) => read(app, path, headers),
    asApp: (...statements) => asApp(testDatabase.url, statements),
    async close() {
      await app.close();
      await testDatabase.drop();
    },
  };
}

async function call<Body>(
  app: NestFastifyApplication,
  method: 'GET' | 'PUT' | 'POST',
  url: string,
  body?: unknown,
): Promise<LedgerResponse<Body>> {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return {
    status: answer.statusCode,
    body: (answer.body === '' ? undefined : JSON.parse(answer.body)) as Body,
  };
}

async function read(
  app: NestFastifyApplication,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawLedgerResponse> {
  const answer = await app.inject({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${API_KEY}`, ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

async function asApp(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET search_path = ledger');
    await client.query('SET ROLE ledger_app');
    await client.query('BEGIN');
    for (const statement of statements) {
      await client.query(statement);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** A company with 2026 open by month except January, a small chart, a tax code, a dimension, vendors and a rate. */
export async function createCompany(ledger: LedgerHarness, options: object = {}): Promise<string> {
  const companyId = randomUUID();
  const put = async (path: string, body: unknown) => {
    const answer = await ledger.call('PUT', `/companies/${companyId}${path}`, body);
    if (answer.status >= 300) {
      throw new Error(`PUT ${path}: ${answer.status.toString()} ${JSON.stringify(answer.body)}`);
    }
  };
  await put('', {
    name: 'Nordlys ApS',
    functionalCurrency: 'EUR',
    timeZone: 'Europe/Copenhagen',
    ...options,
  });
  await put('/periods', {
    data: [
      { fiscalYear: 2026, from: '2026-01-01', to: '2026-01-31', state: 'closed' },
      { fiscalYear: 2026, from: '2026-02-01', to: '2026-12-31', state: 'open' },
      { fiscalYear: 2027, from: '2027-01-01', to: '2027-12-31', state: 'open' },
    ],
  });
  await put('/accounts', { data: ACCOUNTS });
  await put('/tax-codes', {
    data: [
      {
        code: 'I25',
        name: 'Input tax 25 %',
        rate: '0.25',
        inputAccountCode: '2641',
        outputAccountCode: '2614',
      },
    ],
  });
  await put('/dimensions', { data: [{ code: 'CC', name: 'Cost centre' }] });
  await put('/dimension-values', {
    data: [
      { dimensionCode: 'CC', code: '100', name: 'Sales' },
      { dimensionCode: 'CC', code: '900', name: 'Gone', active: false },
    ],
  });
  await put('/vendors', {
    data: [
      { number: 'V-7', name: 'Papier GmbH', country: 'DE', payableAccountCode: '2440' },
      { number: 'V-8', name: 'Blocked Ltd', country: 'GB', blocked: true },
    ],
  });
  await put('/exchange-rates', { data: [{ from: 'USD', to: 'EUR', date: '2026-03-02', rate: '0.9123' }] });
  return companyId;
}

const ACCOUNTS = [
  { code: '1935', name: 'Wallet EUR', type: 'asset' },
  { code: '1936', name: 'Wallet USD', type: 'asset' },
  { code: '2440', name: 'Accounts payable', type: 'liability' },
  { code: '2614', name: 'Output tax', type: 'liability' },
  { code: '2641', name: 'Input tax', type: 'asset' },
  { code: '3960', name: 'FX rounding', type: 'income' },
  { code: '5410', name: 'Consumables', type: 'expense' },
  { code: '6071', name: 'Meals', type: 'expense' },
  { code: '9999', name: 'Old account', type: 'expense', active: false },
];

export interface LineInput {
  readonly accountCode: string;
  readonly amountMinor: string;
  readonly baseMinor: string;
}

/** A line whose amount is the same in base. */
export function line(accountCode: string, minor: number, more: object = {}): LineInput {
  return { accountCode, amountMinor: minor.toString(), baseMinor: minor.toString(), ...more };
}

export function entry(lines: readonly LineInput[], more: object = {}): object {
  return {
    role: 'entry',
    state: 'posted',
    postingDate: '2026-03-02',
    currency: 'EUR',
    description: 'Café Olé',
    lines,
    ...more,
  };
}

export interface GroupInput {
  readonly key: string;
  readonly contentDigest: string;
  readonly entries: readonly object[];
}

/** A group of one balanced entry. */
export function group(key: string, more: Partial<GroupInput> = {}): GroupInput {
  const entries = [entry([line('6071', 10_000), line('2641', 2_500), line('1935', -12_500)])];
  return { key, contentDigest: `digest of ${key}`, entries, ...more };
}
