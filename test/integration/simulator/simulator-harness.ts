// A simulator on a fresh database, and what its tests do over and over: call it, consent, get tokens, add items.
import { createHash, randomBytes } from 'node:crypto';
import { createLogger } from '../../../src/foundation/logging/logger.js';
import { freePort } from '../../../src/foundation/process/free-port.js';
import { loadSimulatorConfig, type SimulatorConfig } from '../../../src/sandbox/simulator/simulator-config.js';
import { startSimulator, type RunningSimulator } from '../../../src/sandbox/simulator/start-simulator.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

export const CLIENT_ID = 'test-client';
export const CLIENT_SECRET = 'a-secret-of-the-test-client';
export const REDIRECT_URI = 'http://localhost:3999/callback';
export const SCOPES = 'export-jobs:read export-jobs:write export-items:read companies:read vendors:read';

export interface SimulatorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface CallOptions {
  /** Access token or API key, sent as Bearer. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is when it is a text. */
  readonly body?: unknown;
}

/** Reads a value deep in an answer. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** As `at`, where a text must be. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') {
    throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(value)}`);
  }
  return found;
}

/** As `at`, where a list must be. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) {
    throw new Error(`no list at ${path.join('.')} of ${JSON.stringify(value)}`);
  }
  return found;
}

/** A version 3 item with one line; `value` in hundredths goes out as it stands here. */
export function exportItem(value: number, extra: Readonly<Record<string, unknown>> = {}): object {
  const amount = {
    inSupplierCurrency: { currency: 'EUR', value },
    inWalletCurrency: { currency: 'EUR', value },
  };
  return {
    type: 'card_purchase',
    amount,
    accountingEntryLines: [{ lineAmount: amount, netAmount: amount }],
    ...extra,
  };
}

export class SimulatorHarness {
  private constructor(
    readonly url: string,
    private readonly config: SimulatorConfig,
    private readonly database: TestDatabase,
    private running: RunningSimulator,
  ) {}

  static async start(): Promise<SimulatorHarness> {
    const database = await createTestDatabase();
    const port = await freePort();
    const url = `http://127.0.0.1:${port.toString()}`;
    const config = loadSimulatorConfig({
      SIMULATOR_PORT: port.toString(),
      SIMULATOR_URL: url,
      SIMULATOR_DATABASE_URL: database.url,
      SIMULATOR_CLIENT_ID: CLIENT_ID,
      SIMULATOR_CLIENT_SECRET: CLIENT_SECRET,
      SIMULATOR_REDIRECT_URIS: REDIRECT_URI,
      SIMULATOR_INITIATION_URL: 'http://localhost:3999/connect',
      LOG_LEVEL: 'error',
    });
    return new SimulatorHarness(url, config, database, await begin(config));
  }

  /** Stops the program and starts it again on the same database. */
  async restart(): Promise<void> {
    await this.running.stop();
    this.running = await begin(this.config);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.database.drop();
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<SimulatorResponse> {
    const { token, headers, body } = options;
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
  }

  /** A call of /control that must succeed. */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.call(method, `/control${path}`, body === undefined ? {} : { body });
    if (answer.status >= 300) {
      throw new Error(`${method} /control${path}: ${answer.status.toString()} ${answer.text}`);
    }
    return answer.body;
  }

  async form(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    return this.call('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** @returns id of a company with contra accounts for EUR */
  async addCompany(extra: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const company = await this.control('POST', '/companies', {
      name: 'Example ApS',
      contraAccounts: { EUR: { code: '1010' } },
      ...extra,
    });
    return textAt(company, 'id');
  }

  /** @returns ids of the added items, in order */
  async addItems(companyId: string, items: readonly object[]): Promise<readonly string[]> {
    const added = await this.control('POST', `/companies/${companyId}/items`, items);
    return listAt(added, 'accountingEntryIds').map(String);
  }

  /** @returns id of the job */
  async triggerExport(companyId: string, body: object = {}): Promise<string> {
    return textAt(await this.control('POST', `/companies/${companyId}/export`, body), 'id');
  }

  /** Drives the consent page as a script does. @returns the callback's query */
  async consent(
    companyId: string,
    verifier: string,
    decision: 'approve' | 'deny' = 'approve',
    scope = SCOPES,
    cookies = new Map<string, string>(),
  ): Promise<URLSearchParams> {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope,
      state: 'the-state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return this.approve(`/oauth/authorize?${query.toString()}`, companyId, decision, cookies);
  }

  /** As `consent`, for a request that another client has made. @param address of the request */
  async approve(
    address: string,
    companyId: string,
    decision: 'approve' | 'deny' = 'approve',
    cookies = new Map<string, string>(),
  ): Promise<URLSearchParams> {
    const visit = async (method: string, next: string, body?: string) => {
      const response = await fetch(new URL(next, this.url), {
        method,
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(body === undefined ? {} : { body }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) {
        throw new Error(`${next}: ${response.status.toString()} ${await response.text()}`);
      }
      return location;
    };
    const page = await visit('GET', address);
    const form = new URLSearchParams({ company_id: companyId, decision }).toString();
    const resume = await visit('POST', page, form);
    return new URL(await visit('GET', resume)).searchParams;
  }

  /** Connects a company through the whole flow. */
  async connect(companyId: string, scope = SCOPES): Promise<Tokens> {
    const verifier = randomBytes(32).toString('base64url');
    const callback = await this.consent(companyId, verifier, 'approve', scope);
    const answer = await this.exchange(callback.get('code') ?? '', verifier);
    return tokensOf(answer);
  }

  async exchange(code: string, verifier: string): Promise<SimulatorResponse> {
    return this.form('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      code_verifier: verifier,
    });
  }

  async refresh(refreshToken: string): Promise<SimulatorResponse> {
    const basic = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
    return this.form(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: refreshToken },
      { authorization: `Basic ${basic}` },
    );
  }
}

export function tokensOf(answer: SimulatorResponse): Tokens {
  return {
    accessToken: textAt(answer.body, 'access_token'),
    refreshToken: textAt(answer.body, 'refresh_token'),
  };
}

async function begin(config: SimulatorConfig): Promise<RunningSimulator> {
  return startSimulator(config, createLogger('simulator', config.logging));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
