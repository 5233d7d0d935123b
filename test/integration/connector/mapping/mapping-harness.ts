import { randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import { loadConnectorConfig } from '../../../../src/connector/connector-config.js';
import { createConnectorHttp } from '../../../../src/connector/connector-http.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { NO_LIMITS, OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { SecretSearch } from '../../../support/secret-search.js';
import { createTestDatabase, databaseVariables } from '../../../support/test-database.js';
import { watchResponses } from '../../../support/watch-responses.js';

/** A caller of one installation: one token per role. */
export interface MappingTenant {
  readonly installationId: string;
  readonly tokens: Readonly<Record<Role, string>>;
}

export interface Sent {
  readonly as?: Role;
  /** The version that was edited. */
  readonly seen?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string | Buffer;
}

export interface MappingResponse {
  readonly status: number;
  readonly type: string;
  readonly etag: string | undefined;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const SETTINGS = {
  accounts: { wallets: { EUR: '1935' }, companyBankByCurrency: {}, fallbackAccounts: {} },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
};

/** The API of the connector on a fresh database, before an ERP in memory. */
export class MappingHarness {
  private constructor(
    readonly admin: pg.Client,
    readonly erp: FakeErp,
    private readonly app: NestFastifyApplication,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<MappingHarness> {
    const server = await createTestDatabase();
    const environment = {
      ...databaseVariables(server.url),
      LOG_LEVEL: 'trace',
      LOG_FORMAT: 'json',
      ...NO_LIMITS,
      OPERATOR_TOKEN,
      CREDENTIAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    };
    const config = loadConnectorConfig(environment);
    const search = new SecretSearch(environment);
    const logger = createLogger('mapping-test', config.logging, search.logOf('application'));
    const erp = new FakeErp();
    const app = await createConnectorHttp({ config, logger, role: 'api' }, [
      { provide: ErpConnections, useFactory: () => new OneErp(erp) },
    ]);
    watchResponses(app, search);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const admin = new pg.Client({ connectionString: server.url, options: '-c search_path=connector' });
    await admin.connect();
    return new MappingHarness(admin, erp, app, async () => {
      await app.close();
      await admin.end();
      await search.end(server.url);
      await server.drop();
    });
  }

  /** A provider of the API. */
  get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  /** An active installation; with `settings` also its first version. */
  async addTenant({ linked = true, settings = true } = {}): Promise<MappingTenant> {
    const installationId = randomUUID();
    await this.admin.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Example', 'active', $3, now())`,
      [installationId, randomUUID(), linked ? `erp-${installationId}` : null],
    );
    const tokens = {
      viewer: await this.newToken(installationId, 'viewer'),
      bookkeeper: await this.newToken(installationId, 'bookkeeper'),
      admin: await this.newToken(installationId, 'admin'),
    };
    const office = { installationId, tokens };
    if (settings) {
      await this.send(office, 'PUT', '/settings', { as: 'admin', seen: 0, body: SETTINGS });
    }
    return office;
  }

  async send(
    office: MappingTenant,
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    { as = 'bookkeeper', seen, headers = {}, body }: Sent = {},
  ): Promise<MappingResponse> {
    const answer = await this.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${office.tokens[as]}`,
        ...(seen !== undefined && { 'if-match': `"${seen.toString()}"` }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
    const text = answer.body;
    const type = String(answer.headers['content-type']);
    const etag = answer.headers.etag;
    return { status: answer.statusCode, type, etag, text, body: text.startsWith('{') ? answer.json() : {} };
  }

  /** @returns the answer's problems as [place, code] */
  static problemsOf({ body }: MappingResponse): readonly (readonly [string, unknown])[] {
    const errors = (body['errors'] ?? []) as readonly Readonly<Record<string, unknown>>[];
    return errors.map((error) => [
      'pointer' in error ? String(error['pointer']) : `${String(error['line'])} ${String(error['column'])}`,
      error['code'],
    ]);
  }

  private async newToken(installationId: string, role: Role): Promise<string> {
    const answer = await this.app.inject({
      method: 'POST',
      url: `/api/v1/operator/installations/${installationId}/api-tokens`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      payload: { role, label: 'test', days: 1 },
    });
    return answer.json<{ token: string }>().token;
  }
}

/** A rule as a request has it. */
export function accountRule(source: string, target: string, more: object = {}): object {
  return { subject: 'account', source, target, ...more };
}
