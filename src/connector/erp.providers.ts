import type { Provider } from '@nestjs/common';
import { ConfigurationError } from '../foundation/config/load-config.js';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { AppLogger } from '../foundation/logging/app-logger.js';
import { Clock } from '../kernel/clock.js';
import { ConnectorConfig, CIRCUIT } from './connector-config.js';
import { ErpConnections } from './erp/erp-connections.js';
import { ErpHttp } from './erp/kit/erp-http.js';
import { UnlimitedErpRequests } from './erp/kit/erp-request-budget.js';
import { folderProblem } from './erp/files/batch-folder.js';
import { filesErp } from './erp/files/files.erp.js';
import { LedgerCopy } from './erp/ledger/ledger-copy.js';
import { ledger } from './erp/ledger/ledger.erp.js';
import { ledgerHttpOptions } from './erp/ledger/ledger-http.js';
import { tryton } from './erp/tryton/tryton.erp.js';
import { ErpConnectionRepository } from './erp-connections/erp-connection.repository.js';
import { ErpRequestBudgetRepository } from './erp-connections/erp-request-budget.repository.js';
import { ErpKinds, loadErpKinds } from './erp-connections/erp-kinds.js';
import { RateTableRepository } from './erp-connections/rates/rate-table.repository.js';
import { RecordErpHealth } from './erp-connections/record-erp-health.js';
import { ErpOAuthServers } from './erp-connections/sign-in/erp-oauth.js';
import { ErpTokens } from './erp-connections/sign-in/erp-tokens.js';
import { ShareErpRequests } from './erp-connections/share-erp-requests.js';
import { StoredErpConnections, type ErpSurroundings } from './erp-connections/stored-erp-connections.js';
import { CredentialRepository } from './installations/credentials/credential.repository.js';
import { DataKeyRepository } from './installations/credentials/data-key.repository.js';
import { KeyRingService } from './installations/credentials/key-ring.service.js';
import { RefreshTokens } from './installations/credentials/refresh-tokens.js';
import { PublicAddress } from './installations/public-address.js';

/** The adapters of this repository; `CONNECTOR_ERP_ADAPTERS` names others (docs/erp-adapters.md). */
const adaptersOf = ({ erp }: ConnectorConfig) => [ledger, filesErp(erp.filesFolder), tryton];

/** See `FILES_FOLDER`. @returns why batches cannot be put there, and what mends that; undefined when they can */
export const filesFolderProblem = (folder: string): Promise<string | undefined> => folderProblem(folder);

/** @throws ConfigurationError when batches could not be put into `FILES_FOLDER` */
export async function assertFilesFolder({ erp }: ConnectorConfig): Promise<void> {
  const problem = erp.filesFolder === undefined ? undefined : await filesFolderProblem(erp.filesFolder);
  if (problem !== undefined) {
    throw new ConfigurationError([`FILES_FOLDER: ${problem}`]);
  }
}

const SURROUNDINGS = Symbol('what ERPs are opened with');

export const ERP_PROVIDERS: readonly Provider[] = [
  {
    provide: ErpKinds,
    inject: [ConnectorConfig],
    useFactory: (config: ConnectorConfig) => loadErpKinds(adaptersOf(config), config.erp.adapters, process.cwd()),
  },
  {
    provide: ErpOAuthServers,
    inject: [ConnectorConfig, PublicAddress],
    useFactory: ({ erp, production }: ConnectorConfig, address: PublicAddress) =>
      new ErpOAuthServers({
        registrations: erp.registrations,
        redirectUri: address.erpSignInCallback(),
        publicHostsOnly: production && !erp.isNetworkPrivate,
      }),
  },
  {
    provide: SURROUNDINGS,
    inject: [ConnectorConfig, TenantDatabase, KeyRingService, Clock, AppLogger, ErpOAuthServers],
    useFactory: (
      { erp, production }: ConnectorConfig,
      tenantDatabase: TenantDatabase,
      keyRing: KeyRingService,
      clock: Clock,
      appLogger: AppLogger,
      erpOAuthServers: ErpOAuthServers,
    ): ErpSurroundings => {
      const { ledger: sandbox } = erp;
      const settings = sandbox && {
        url: sandbox.url,
        apiKey: sandbox.apiKey.reveal(),
        guarantee: { ...sandbox.guarantee },
      };
      const keys = new DataKeyRepository(keyRing);
      const credentials = new CredentialRepository(keys);
      const connections = new ErpConnectionRepository(keys, credentials);
      const budgets = new ErpRequestBudgetRepository();
      const refreshTokens = new RefreshTokens(tenantDatabase, credentials, clock);
      const logger = appLogger.of('erp');
      return {
        dataKeyRepository: keys,
        erpConnectionRepository: connections,
        erpTokens: new ErpTokens(tenantDatabase, credentials, connections, erpOAuthServers, refreshTokens),
        rateTableRepository: new RateTableRepository(),
        shareErpRequests: new ShareErpRequests(tenantDatabase, budgets, clock, logger, CIRCUIT.openMs),
        recordErpHealth: new RecordErpHealth(tenantDatabase, connections, budgets, clock, logger),
        logger,
        options: {
          defaultErp: settings && { kind: ledger.id, settings },
          publicHostsOnly: production && !erp.isNetworkPrivate,
          circuit: CIRCUIT,
        },
      };
    },
  },
  {
    provide: StoredErpConnections,
    inject: [TenantDatabase, ErpKinds, Clock, SURROUNDINGS],
    useFactory: (tenantDatabase: TenantDatabase, erpKinds: ErpKinds, clock: Clock, surroundings: ErpSurroundings) =>
      new StoredErpConnections(tenantDatabase, erpKinds, clock, surroundings),
  },
  { provide: ErpConnections, useExisting: StoredErpConnections },
];

/**
 * Creates companies without any entry in the sandbox's ledger, for postings that are replayed.
 * @returns undefined where the environment names no ledger
 */
export function createLedgerCopy({ erp }: ConnectorConfig, clock: Clock): LedgerCopy | undefined {
  if (erp.ledger === undefined) {
    return undefined;
  }
  const options = ledgerHttpOptions(erp.ledger.url, erp.ledger.apiKey.reveal());
  const deadline = new Date(clock.now().getTime() + 120_000);
  const scope = { signal: new AbortController().signal, deadline, assertOwner: () => undefined };
  return new LedgerCopy(new ErpHttp(options, clock, {}, new UnlimitedErpRequests()), scope);
}
