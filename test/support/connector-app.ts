// How every spec that needs the connector begins: a database of its own, the configuration of tests, a log and responses that are
// searched for secrets, and the API's process or single rooms of it.
import { Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Role } from '../../src/connector/access/domain/role.js';
import { loadConnectorConfig } from '../../src/connector/connector-config.js';
import { createConnectorHttp } from '../../src/connector/connector-http.js';
import { CoreModule } from '../../src/connector/core.module.js';
import { CredentialRepository } from '../../src/connector/installations/credentials/credential.repository.js';
import { DataKeyRepository } from '../../src/connector/installations/credentials/data-key.repository.js';
import { InstallationRepository } from '../../src/connector/installations/installation.repository.js';
import { SubscriptionRepository } from '../../src/connector/installations/subscription/subscription.repository.js';
import { KeyRingService } from '../../src/connector/installations/credentials/key-ring.service.js';
import { TaskQueue } from '../../src/connector/tasks/task-queue.js';
import { TenantDatabase } from '../../src/foundation/database/tenant-database.js';
import { AppLogger } from '../../src/foundation/logging/app-logger.js';
import { createLogger } from '../../src/foundation/logging/logger.js';
import { Clock } from '../../src/kernel/clock.js';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../src/kernel/ids.js';
import { SecretSearch } from './secret-search.js';
import { connectAsAdmin, createTestDatabase, databaseVariables, type TestDatabase } from './test-database.js';
import { watchResponses } from './watch-responses.js';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** All requests of the tests come from one address, and many with one token. */
export const NO_LIMITS = {
  CONNECTOR_REQUESTS_PER_MINUTE: '1000000',
  CONNECTOR_STRANGERS_PER_MINUTE: '1000000',
  CONNECTOR_WEBHOOKS_PER_MINUTE: '1000000',
  CONNECTOR_QUESTIONS_PER_MINUTE: '1000000',
};

/** What a start in a test has in any case. */
interface Started {
  readonly server: TestDatabase;
  /** As the owner of the schema, past row-level security. */
  readonly admin: pg.Client;
  /** @throws Error when a secret got out into the log, a response or a table */
  readonly close: () => Promise<void>;
}

export interface ConnectorUnderTest extends Started {
  readonly app: NestFastifyApplication;
  /** Singletons of the application. */
  readonly runtime: {
    readonly database: TenantDatabase;
    readonly tasks: TaskQueue;
    readonly keys: KeyRingService;
    readonly clock: Clock;
    readonly logger: AppLogger;
  };
  /** How many requests are over, with all that follows their responses. */
  finished(): number;
}

export interface RoomsUnderTest extends Started {
  readonly app: INestApplicationContext;
}

type Replaced = Parameters<typeof CoreModule.register>[1];

@Module({})
class RoomsModule {}

/**
 * The API process of the connector on a fresh database, without a port of its own: requests are injected.
 * @param lines takes the log, too
 * @param replaced providers that stand in for those of the product
 */
export async function startConnectorApp(
  environment: Readonly<Record<string, string>> = {},
  lines?: { write(line: string): void },
  replaced: Replaced = [],
): Promise<ConnectorUnderTest> {
  const { server, admin, config, search, logger, closeWith } = await prepare(environment, lines);
  const app = await createConnectorHttp({ config, logger, role: 'api' }, replaced);
  watchResponses(app, search);
  await app.init();
  const fastify = app.getHttpAdapter().getInstance();
  let finished = 0;
  // The last of these hooks, so it runs when the others have ended.
  fastify.addHook('onResponse', (_request, _reply, done) => {
    finished += 1;
    done();
  });
  await fastify.ready();
  return {
    app,
    runtime: {
      database: app.get(TenantDatabase),
      tasks: app.get(TaskQueue),
      keys: app.get(KeyRingService),
      clock: app.get(Clock),
      logger: app.get(AppLogger),
    },
    server,
    admin,
    finished: () => finished,
    close: () => closeWith(app),
  };
}

/**
 * Single rooms of the connector on a fresh database, without HTTP.
 * @param replaced providers that stand in for those of the product
 */
export async function startConnectorRooms(
  rooms: readonly Type[],
  replaced: Replaced | ((server: TestDatabase) => Promise<Replaced>) = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RoomsUnderTest> {
  const { server, admin, config, logger, closeWith } = await prepare(environment);
  const providers = typeof replaced === 'function' ? await replaced(server) : replaced;
  const core = CoreModule.register({ config, logger, role: 'api' }, providers);
  const app = await NestFactory.createApplicationContext(
    { module: RoomsModule, imports: [core, ...rooms] },
    { logger: false },
  );
  return { app, server, admin, close: () => closeWith(app) };
}

async function prepare(environment: Readonly<Record<string, string>>, lines?: { write(line: string): void }) {
  const server = await createTestDatabase();
  const all = {
    ...databaseVariables(server.url),
    LOG_LEVEL: 'trace',
    LOG_FORMAT: 'json',
    ...NO_LIMITS,
    OPERATOR_TOKEN,
    CREDENTIAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    ...environment,
  };
  const config = loadConnectorConfig(all);
  const search = new SecretSearch(all);
  const logger = createLogger('connector-test', config.logging, search.logOf('application', lines));
  const admin = await connectAsAdmin(server.url);
  const closeWith = async (app: { close(): Promise<void> }) => {
    await app.close();
    await admin.end();
    await search.end(server.url);
    await server.drop();
  };
  return { server, admin, config, search, logger, closeWith };
}

/** @returns a token that the operator has made, valid for a day */
export async function createToken(
  { app }: Pick<ConnectorUnderTest, 'app'>,
  installationId: string,
  role: Role,
): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: `/api/v1/operator/installations/${installationId}/api-tokens`,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    payload: { role, label: 'test', days: 1 },
  });
  return response.json<{ token: string }>().token;
}

/** @returns a token of each role */
export async function createTokens(
  connector: Pick<ConnectorUnderTest, 'app'>,
  installationId: string,
): Promise<Readonly<Record<Role, string>>> {
  return {
    viewer: await createToken(connector, installationId, 'viewer'),
    bookkeeper: await createToken(connector, installationId, 'bookkeeper'),
    admin: await createToken(connector, installationId, 'admin'),
  };
}

export interface StoredInstallation {
  readonly id: InstallationId;
  readonly companyId: CompanyId;
  readonly endpointToken: string;
  readonly secret: string;
}

/** An active installation, as connecting would have left it. */
export async function storeInstallation(
  { runtime }: Pick<ConnectorUnderTest, 'runtime'>,
  name = 'Example',
): Promise<StoredInstallation> {
  const installation = {
    id: toInstallationId(randomUUID()),
    companyId: toCompanyId(randomUUID()),
    endpointToken: `endpoint-${randomUUID()}`,
    secret: `whsec_${Buffer.from(randomUUID()).toString('base64')}`,
  };
  const { id, companyId, endpointToken, secret } = installation;
  const installations = new InstallationRepository();
  const dataKeys = new DataKeyRepository(runtime.keys);
  const subscriptions = new SubscriptionRepository(dataKeys);
  const at = runtime.clock.now();
  await runtime.database.inInstallation('store installation', id, async (tx) => {
    await installations.authorize(tx, { id, companyId, companyName: name });
    await installations.activate(tx, id, at);
    await new CredentialRepository(dataKeys).replace(tx, id, {
      accessToken: `access-${id}`,
      refreshToken: `refresh-${id}`,
      expiresInSeconds: 900,
    });
    await subscriptions.reserve(tx, id, endpointToken);
    await subscriptions.confirm(tx, id, randomUUID(), secret);
  });
  return installation;
}

/** What a row of an installation is made of, without credentials. */
interface InsertedInstallation {
  readonly installationId?: InstallationId;
  readonly companyId?: CompanyId;
  /** Null: none is linked; left out: one of its own. */
  readonly erpCompanyId?: string | null;
  /** Its mapping version 1; left out: it has none. */
  readonly settings?: object | undefined;
}

/** An active installation that nothing signs in for: what exports, mapping and reference data need of one. */
export async function insertInstallation(
  admin: pg.Client,
  { settings, erpCompanyId, ...ids }: InsertedInstallation = {},
): Promise<{ readonly installationId: InstallationId; readonly companyId: CompanyId }> {
  const { installationId = toInstallationId(randomUUID()), companyId = toCompanyId(randomUUID()) } = ids;
  await admin.query(
    `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
     VALUES ($1, $2, 'Example', 'active', $3, now())`,
    [installationId, companyId, erpCompanyId === undefined ? `erp-${installationId}` : erpCompanyId],
  );
  if (settings !== undefined) {
    await admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, $2, 'test', now())`,
      [installationId, JSON.stringify(settings)],
    );
  }
  return { installationId, companyId };
}
