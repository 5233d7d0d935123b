// Builds what both processes of the connector stand on from its configuration.
import { join } from 'node:path';
import { ConfigurationError } from '../foundation/config/load-config.js';
import { findLoginProblems, findPostureProblems } from '../foundation/database/database-posture.js';
import { createDatabase, hasDatabase } from '../foundation/database/server-admin.js';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { SystemClock } from '../foundation/clock/system-clock.js';
import { EmbeddedPostgres } from '../foundation/embedded-postgres/embedded-postgres.js';
import { FileClient } from '../foundation/http/client/file-client.js';
import { HttpClient } from '../foundation/http/client/http-client.js';
import { WebhookClient } from '../foundation/http/client/webhook-client.js';
import { AppLogger } from '../foundation/logging/app-logger.js';
import type { Logger } from '../foundation/logging/logger.js';
import { Mailer } from '../foundation/mail/mailer.js';
import type { Clock } from '../kernel/clock.js';
import { OperatorToken } from './api/http/operator-token.js';
import { DEVELOPMENT_DATA, type ConnectorConfig } from './connector-config.js';
import type { ErpLedger } from './erp/erp-ledger.js';
import type { ErpReferenceData } from './erp/erp-reference-data.js';
import { LedgerCopy } from './erp/ledger/ledger-copy.js';
import { LedgerErp } from './erp/ledger/ledger-erp.adapter.js';
import { LedgerReferenceData } from './erp/ledger/ledger-reference-data.js';
import { KeyRingService } from './installations/credentials/key-ring.service.js';
import { PublicAddress } from './installations/public-address.js';
import type { RequestLimits } from './limits/request-limits.js';
import { PlatformApi } from './platform/platform-api.js';
import { PlatformHttp } from './platform/platform-http.js';
import { PlatformOAuth } from './platform/platform-oauth.js';
import { ReferenceDataApi } from './platform/reference-data-api.js';
import { SharedRequestBudget } from './platform/shared-request-budget.js';
import { TASKS } from './task-handlers.js';
import { TaskQueue } from './tasks/task-queue.js';

/** Name of the database inside the embedded PostgreSQL. */
const EMBEDDED_DATABASE = 'connector';

export interface ConnectorRuntime {
  readonly config: ConnectorConfig;
  readonly database: TenantDatabase;
  readonly tasks: TaskQueue;
  readonly clock: Clock;
  readonly logger: AppLogger;
  readonly platform: PlatformApi;
  readonly referenceData: ReferenceDataApi;
  readonly oauth: PlatformOAuth;
  /** Whatever the platform names the address of: receipts. */
  readonly files: FileClient;
  readonly erp: ErpLedger;
  readonly erpReferenceData: ErpReferenceData;
  /** To addresses that administrators set: alerts. */
  readonly webhooks: WebhookClient;
  readonly mailer: Mailer;
  readonly keys: KeyRingService;
  readonly address: PublicAddress;
  readonly limits: RequestLimits;
  readonly operatorToken: OperatorToken;
  close(): Promise<void>;
}

const MEGABYTE = 1_048_576;
/** Over all tenants: a system that fails this often in a row is given a moment to come back. */
const CIRCUIT = { failuresToOpen: 10, openMs: 5_000 };

/** What each value of `ERP_ADAPTER` connects to: both ports to the ERP, and what is to be closed (docs/erp-adapters.md). */
const ERP_ADAPTERS = {
  ledger({ ledgerUrl, ledgerApiKey: apiKey, capability }: ConnectorConfig['erp']) {
    const erp = new LedgerErp({ url: ledgerUrl, apiKey, capability, circuit: CIRCUIT });
    const http = masterDataClient(ledgerUrl);
    return { erp, erpReferenceData: new LedgerReferenceData(http, apiKey), clients: [erp, http] };
  },
};

/** @param role a worker also supervises the queue and takes tasks */
export async function startRuntime(
  config: ConnectorConfig,
  logger: Logger,
  role: 'api' | 'worker',
  clock: Clock = new SystemClock(),
): Promise<ConnectorRuntime> {
  const url = config.databaseUrl ?? (await embeddedDatabaseUrl());
  const database = await connectDatabase(url, config, role);
  const kinds = TASKS.map(({ kind }) => kind);
  const tasks = await TaskQueue.start({ url, kinds, supervise: role === 'worker', logger });
  const address = new PublicAddress(config.publicUrl);
  const { platformHttp, authHttp } = httpClients(config.platform);
  const budget = new SharedRequestBudget(database, clock, {
    clientId: config.platform.clientId,
    perMinute: config.platform.requestsPerMinute,
  });
  const { erp, erpReferenceData, clients: erpClients } = ERP_ADAPTERS[config.erp.adapter](config.erp);
  const platform = new PlatformHttp(platformHttp, clock, budget);
  const files = fileClient(config.production);
  const mailer = new Mailer(config.mail);
  return {
    config,
    database,
    tasks,
    clock,
    logger: new AppLogger(logger),
    platform: new PlatformApi(platform),
    referenceData: new ReferenceDataApi(platform),
    oauth: new PlatformOAuth({ ...config.platform, redirectUri: address.oauthCallback() }, authHttp),
    files,
    erp,
    erpReferenceData,
    webhooks: new WebhookClient({ production: config.production }),
    mailer,
    keys: new KeyRingService(config.credentialKeys),
    address,
    limits: config.limits,
    operatorToken: new OperatorToken(config.operatorToken),
    async close() {
      await tasks.stop();
      await database.close();
      for (const client of [platformHttp, authHttp, files, ...erpClients, mailer]) {
        client.close();
      }
    },
  };
}

/** @throws ConfigurationError in production, with everything that makes the database unsafe */
async function connectDatabase(
  url: string,
  { production }: ConnectorConfig,
  role: 'api' | 'worker',
): Promise<TenantDatabase> {
  const database = await TenantDatabase.connect({ url, applicationName: `connector-${role}`, poolSize: 20 });
  if (production) {
    const problems = await database.withoutInstallation('look at the database', async (tx) => [
      ...(await findPostureProblems(tx)),
      ...(await findLoginProblems(tx)),
    ]);
    if (problems.length > 0) {
      throw new ConfigurationError(problems);
    }
  }
  return database;
}

/** The two doors to the platform: its interface, and its authorization server with small answers. */
function httpClients({ apiUrl, authUrl }: ConnectorConfig['platform']) {
  const platformHttp = new HttpClient({
    peer: 'platform',
    baseUrl: apiUrl,
    timeoutMs: 30_000,
    maxResponseBytes: 10 * MEGABYTE,
    maxConnections: 20,
    circuit: CIRCUIT,
  });
  const authHttp = new HttpClient({
    peer: 'authorization-server',
    baseUrl: authUrl,
    timeoutMs: 10_000,
    maxResponseBytes: 64 * 1_024,
    maxConnections: 10,
    circuit: CIRCUIT,
  });
  return { platformHttp, authHttp };
}

/** Whole lists of master data are read beside the postings, and never hold them up. */
function masterDataClient(baseUrl: string): HttpClient {
  return new HttpClient({
    peer: 'erp-master-data',
    baseUrl,
    timeoutMs: 20_000,
    maxResponseBytes: 10 * MEGABYTE,
    maxConnections: 4,
    circuit: CIRCUIT,
  });
}

/** A file host that is down must not hold up a job of thousands of items, so it is left alone sooner, and for longer. */
function fileClient(production: boolean): FileClient {
  return new FileClient({
    connectMs: 5_000,
    idleMs: 15_000,
    totalMs: 120_000,
    maxBytes: 30 * MEGABYTE,
    publicHostsOnly: production,
    circuit: { failuresToOpen: 5, openMs: 30_000 },
  });
}

/** Makes companies without any entry, for what is posted a second time. */
export function createLedgerCopy({ erp }: ConnectorConfig): LedgerCopy {
  return new LedgerCopy(erp.ledgerUrl, erp.ledgerApiKey);
}

/** In development an unset DATABASE_URL means the embedded server, which is started or adopted. */
export async function embeddedDatabaseUrl(): Promise<string> {
  const server = await EmbeddedPostgres.start({
    folder: join(process.cwd(), DEVELOPMENT_DATA, 'postgres'),
    durable: true,
  });
  const administration = server.url('postgres');
  if (!(await hasDatabase(administration, EMBEDDED_DATABASE))) {
    await createDatabase(administration, EMBEDDED_DATABASE);
  }
  return server.url(EMBEDDED_DATABASE);
}
