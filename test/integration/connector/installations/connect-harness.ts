// The connector's API process between the platform's fake and the test's own hands as browser, administrator and worker.
import type pg from 'pg';
import type { Abstract, Type } from '@nestjs/common';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import { ConnectorConfig } from '../../../../src/connector/connector-config.js';
import { DetectExportJobs } from '../../../../src/connector/exports/run/detect-export-jobs.js';
import { FinishConnection } from '../../../../src/connector/installations/connect/finish-connection.js';
import { InstallationRepository } from '../../../../src/connector/installations/installation.repository.js';
import { MaintainSubscription } from '../../../../src/connector/installations/subscription/maintain-subscription.js';
import { PollInstallation } from '../../../../src/connector/poll-installation.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { Clock } from '../../../../src/kernel/clock.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import {
  createToken,
  OPERATOR_TOKEN,
  startConnectorApp,
  type ConnectorUnderTest,
} from '../../../support/connector-app.js';
import { FakePlatform } from '../../../support/platform/fake-platform.js';
import type { PlatformServer } from '../../../support/platform/platform-server.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Reply {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What a browser has after it was sent to the consent page. */
export interface Attempt {
  readonly state: string;
  readonly cookie: string;
  readonly challenge: string;
}

export class ConnectHarness {
  private constructor(
    readonly connector: ConnectorUnderTest,
    readonly platform: PlatformServer,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}, clock?: Clock): Promise<ConnectHarness> {
    const platform = await FakePlatform.serve();
    const variables = {
      PLATFORM_API_URL: platform.url,
      PLATFORM_AUTH_URL: platform.url,
      PLATFORM_REQUESTS_PER_MINUTE: '1000000',
      LEDGER_URL: platform.url,
      ...environment,
    };
    const replaced = clock === undefined ? [] : [{ provide: Clock, useValue: clock }];
    return new ConnectHarness(await startConnectorApp(variables, undefined, replaced), platform);
  }

  get admin(): pg.Client {
    return this.connector.admin;
  }

  get<T>(type: Type<T> | Abstract<T>): T {
    return this.connector.app.get(type, { strict: false });
  }

  async close(): Promise<void> {
    await this.connector.close();
    await this.platform.close();
  }

  async call(
    method: Method,
    url: string,
    options: {
      readonly token?: string;
      readonly body?: object;
      readonly headers?: Record<string, string>;
    } = {},
  ): Promise<Reply> {
    const { token, body, headers = {} } = options;
    const answer = await this.connector.app.inject({
      method,
      url,
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { payload: body }),
    });
    const text = answer.body;
    return {
      status: answer.statusCode,
      json: text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined,
      text,
      bytes: answer.rawPayload,
      headers: answer.headers,
    };
  }

  /** The browser opens the initiation address and is sent to the platform. */
  async begin(): Promise<Attempt> {
    const { headers } = await this.call('GET', '/connect');
    const location = new URL(String(headers['location']));
    return {
      state: location.searchParams.get('state') ?? '',
      challenge: location.searchParams.get('code_challenge') ?? '',
      cookie: String(headers['set-cookie']).split(';')[0] ?? '',
    };
  }

  /** The platform sends the browser back. */
  async returnFromPlatform(attempt: Attempt, query: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const search = new URLSearchParams({ code: 'the-code', state: attempt.state, ...query });
    return this.call('GET', `/oauth/callback?${search.toString()}`, { headers: { cookie: attempt.cookie } });
  }

  /**
   * Consents for a company, or for whatever `resource` is, and runs what a worker would.
   * @param person who consents, and is the admin from then on
   */
  async connect(resource: string, person = this.platform.person): Promise<string> {
    this.platform.resource = resource;
    this.platform.person = person;
    const reply = await this.returnFromPlatform(await this.begin());
    const id = /<code>([0-9a-f-]{36})<\/code>/.exec(reply.text)?.[1];
    if (id === undefined) {
      throw new Error(`not connected: ${reply.status.toString()} ${reply.text}`);
    }
    await this.finish(id);
    return id;
  }

  /** As the operator does for the sandbox's ledger. */
  async link(id: string, erpCompanyId: string): Promise<Reply> {
    const url = `/api/v1/operator/installations/${id}/erp-company`;
    return this.call('PUT', url, { token: OPERATOR_TOKEN, body: { erpCompanyId } });
  }

  /** What the worker does with a stored connection. */
  async finish(id: string): Promise<void> {
    await this.get(FinishConnection).finishConnection(toInstallationId(id));
  }

  /** What the worker does when the subscription is due. */
  async maintainSubscription(id: string): Promise<void> {
    await this.get(MaintainSubscription).maintain(toInstallationId(id));
  }

  /** What the worker does when a poll is due, or a webhook has come. */
  async poll(id: string): Promise<void> {
    const poll = new PollInstallation(
      this.get(TenantDatabase),
      this.get(InstallationRepository),
      this.get(DetectExportJobs),
      this.get(ConnectorConfig),
    );
    await poll.poll(toInstallationId(id));
  }

  async token(id: string, role: Role = 'admin'): Promise<string> {
    return createToken(this.connector, id, role);
  }

  async row(statement: string, ...values: readonly unknown[]): Promise<unknown> {
    return (await this.admin.query<object>(statement, [...values])).rows[0];
  }

  async installationCount(): Promise<number> {
    const { rows } = await this.admin.query<{ count: number }>('SELECT count(*)::int AS count FROM installation');
    return rows[0]?.count ?? -1;
  }
}

export const companyUrn = (id: string) => `urn:platform:company:${id}`;
export const organizationUrn = (id: string) => `urn:platform:organisation:${id}`;

/** Reads a value deep in an answer. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
