import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import { loadConnectorConfig } from '../../src/connector/connector-config.js';
import { createConnectorHttp } from '../../src/connector/connector-http.js';
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
import { createTestDatabase, databaseVariables, type TestDatabase } from './test-database.js';
import { watchResponses } from './watch-responses.js';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** All requests of the tests come from one address, and many with one token. */
export const NO_LIMITS = {
  CONNECTOR_REQUESTS_PER_MINUTE: '1000000',
  CONNECTOR_STRANGERS_PER_MINUTE: '1000000',
  CONNECTOR_WEBHOOKS_PER_MINUTE: '1000000',
  CONNECTOR_QUESTIONS_PER_MINUTE: '1000000',
};

export interface ConnectorUnderTest {
  readonly app: NestFastifyApplication;
  /** Singletons of the application. */
  readonly runtime: {
    readonly database: TenantDatabase;
    readonly tasks: TaskQueue;
    readonly keys: KeyRingService;
    readonly clock: Clock;
    readonly logger: AppLogger;
  };
  readonly server: TestDatabase;
  /** How many requests are over, with all that follows their answers. */
  finished(): number;
  /** @throws Error when a secret got out into the log, an answer or a table */
  close(): Promise<void>;
}

/**
 * The API process of the connector on a fresh database, without a port of its own: requests are injected.
 * @param lines takes the log, too
 */
export async function startConnectorApp(
  environment: Readonly<Record<string, string>> = {},
  lines?: { write(line: string): void },
): Promise<ConnectorUnderTest> {
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
  const app = await createConnectorHttp({ config, logger, role: 'api' });
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
    finished: () => finished,
    async close() {
      await app.close();
      await search.end(server.url);
      await server.drop();
    },
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
