// The access token of an installation's present connection to its ERP, as several processes ask for it.
import { ErpConnectionRepository } from '../../../../src/connector/erp-connections/erp-connection.repository.js';
import { ErpKinds } from '../../../../src/connector/erp-connections/erp-kinds.js';
import { ErpOAuthServers } from '../../../../src/connector/erp-connections/sign-in/erp-oauth.js';
import { ErpTokens } from '../../../../src/connector/erp-connections/sign-in/erp-tokens.js';
import { CredentialRepository } from '../../../../src/connector/installations/credentials/credential.repository.js';
import { DataKeyRepository } from '../../../../src/connector/installations/credentials/data-key.repository.js';
import { RefreshTokens } from '../../../../src/connector/installations/credentials/refresh-tokens.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import type { ConnectHarness } from './connect-harness.js';
import { transactionsOf } from '../../../support/test-database.js';

/** @returns what two callers each of two processes got at the same moment */
export async function tokensOfTwoProcesses(
  harness: ConnectHarness,
  id: string,
  kind: string,
): Promise<readonly (string | undefined)[]> {
  const databases = await Promise.all(
    [1, 2].map((process) =>
      TenantDatabase.connect({
        ...transactionsOf(harness.connector.server.url),
        applicationName: `process-${process.toString()}`,
        poolSize: 2,
      }),
    ),
  );
  try {
    const callers = databases.flatMap((database) => [database, database]);
    return await Promise.all(callers.map((database) => tokenOf(harness, id, kind, database)));
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
}

/** As a process with memory of its own. */
async function tokenOf(
  harness: ConnectHarness,
  id: string,
  kind: string,
  database: TenantDatabase,
): Promise<string | undefined> {
  const keys = new DataKeyRepository(harness.connector.runtime.keys);
  const credentials = new CredentialRepository(keys);
  const connections = new ErpConnectionRepository(keys, credentials);
  const servers = harness.get(ErpOAuthServers);
  const refreshTokens = new RefreshTokens(database, credentials, harness.connector.runtime.clock);
  const tokens = new ErpTokens(database, credentials, connections, servers, refreshTokens);
  const definition = harness.get(ErpKinds).find(kind);
  const stored = await database.inInstallation('test', toInstallationId(id), (tx) =>
    connections.find(tx, toInstallationId(id), 1),
  );
  return definition && stored && tokens.accessOf(toInstallationId(id), definition, stored)?.accessToken();
}
