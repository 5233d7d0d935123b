import type { OnApplicationShutdown } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { currentActor } from './actor.js';
import { Database, type DatabaseOptions, type PoolUse } from './database.js';
import type { SqlStatement } from './sql.js';
import type { Tx } from './transaction.js';

/** Role of every connection of the connector; it owns nothing and row-level security binds it. */
export const APP_ROLE = 'connector_app';

const AS_SCHEDULER = { role: 'connector_scheduler' };

/** Tables whose rows belong to no installation. In every other one row-level security keeps installations apart. */
export const TABLES_WITHOUT_TENANT: readonly string[] = [
  'connection_attempt',
  'intake_heartbeat',
  'migration',
  'operator_idempotency_key',
  'operator_session',
  'operator_token',
  'operator_token_entry',
  'request_quota',
  'request_budget',
  'worker_drain_entry',
  'worker_heartbeat',
  'worker_process',
];

/**
 * The connector's database. A transaction belongs to one installation, or spans all of them by a role that may read only
 * which ones have due work (S4–S6).
 */
export class TenantDatabase implements OnApplicationShutdown {
  private constructor(private readonly database: Database) {}

  /** @throws the driver's error when the database cannot be reached or its user may not take the application's role */
  static async connect(options: Omit<DatabaseOptions, 'role' | 'schema'>): Promise<TenantDatabase> {
    return new TenantDatabase(await Database.connect({ ...options, schema: 'connector', role: APP_ROLE }));
  }

  /**
   * One transaction in which only this installation's rows exist. The audit log records its changes under the name of the
   * caller, or under the label where there is none.
   */
  async inInstallation<T>(label: string, installationId: InstallationId, work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.database.inTransaction(label, work, settingsOf(label, installationId));
  }

  /**
   * As `inInstallation`, for statements that find their rows by keys. A connection plans each of them once, and never with a scan of
   * the whole table, which may have been small at that time.
   * @param condition a statement that fails unless the transaction may continue; sent together with its first statement
   */
  async byKeys<T>(
    label: string,
    installationId: InstallationId,
    work: (tx: Tx) => T | Promise<T>,
    ...condition: SqlStatement[]
  ): Promise<T> {
    return this.database.planningOnce(label, work, settingsOf(label, installationId), ...condition);
  }

  /**
   * The one statement of `read`, which only reads, where only this installation's rows exist: one round trip.
   * @throws Bug for a second statement
   */
  async readOnce<T>(label: string, installationId: InstallationId, read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.readOnce(label, read, settingsOf(label, installationId));
  }

  /**
   * The one statement of `write`, where only this installation's rows exist: one round trip. It takes
   * effect even if its response is lost, and it does not wait for the disk: a crash of the server may undo it. So it is for writes that
   * may be repeated (docs/adr/0012).
   * @param condition as of `byKeys`
   * @throws Bug for a second statement
   */
  async writeOnce<T>(
    label: string,
    installationId: InstallationId,
    write: (tx: Tx) => T | Promise<T>,
    ...condition: SqlStatement[]
  ): Promise<T> {
    const settings = { ...settingsOf(label, installationId), synchronous_commit: 'off' };
    return this.database.writeOnce(label, write, settings, ...condition);
  }

  /** One transaction over all installations, by a role that reads no business data. */
  async acrossInstallations<T>(label: string, work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.database.inTransaction(label, work, AS_SCHEDULER);
  }

  /** The one statement of `read`, which only reads, over all installations: one round trip. */
  async readOnceAcross<T>(label: string, read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.readOnce(label, read, AS_SCHEDULER);
  }

  /** One transaction before any installation is known: an authorization under way. */
  async withoutInstallation<T>(label: string, work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.database.inTransaction(label, work);
  }

  /** One statement on a table without installations, as a transaction of its own. @returns its rows */
  async inOneStatement<Row>(label: string, statement: SqlStatement): Promise<readonly Row[]> {
    return this.database.inOneStatement(label, statement);
  }

  async ping(): Promise<void> {
    await this.database.ping();
  }

  /** @returns why the database has refused to write a moment ago; undefined when it has not, for readiness */
  refusedWrites(): string | undefined {
    return this.database.refusedWrites();
  }

  poolUse(): PoolUse {
    return this.database.poolUse();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

function settingsOf(label: string, installationId: InstallationId): Readonly<Record<string, string>> {
  const { name = `system ${label}`, requestId = '' } = currentActor();
  // Settings of the transaction cannot leak to the next user of the connection.
  return { 'app.installation': installationId, 'app.actor': name, 'app.request': requestId };
}
