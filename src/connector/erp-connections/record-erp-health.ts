import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Logger } from '../../foundation/logging/logger.js';
import type { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpConnectionRepository, StoredErpConnection } from './erp-connection.repository.js';
import type { ErpRequestBudgetRepository } from './erp-request-budget.repository.js';

/** A success is stored at most that often. */
const SUCCESS_EVERY_MS = 60_000;
/** How long silence is shown: a job calls an ERP that does not respond more often than that. */
export const SILENT_FOR_MS = 120_000;
const REFUSED = 'erp-connection.refused';

/** Keeps with a connection how its ERP responds. In the background: a call to the ERP does not wait for our own record of it. */
export class RecordErpHealth {
  private readonly succeededAtMs = new Map<string, number>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly erpRequestBudgetRepository: ErpRequestBudgetRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  recordAcceptance(installationId: InstallationId, connection: StoredErpConnection, isAccepted: boolean): void {
    const { generation, version, state } = connection;
    const key = `${installationId}/${generation.toString()}`;
    const nowMs = this.clock.monotonicMs();
    const isNews =
      !isAccepted || state !== 'ok' || nowMs - (this.succeededAtMs.get(key) ?? -Infinity) > SUCCESS_EVERY_MS;
    if (!isNews) {
      return;
    }
    this.succeededAtMs.set(key, isAccepted ? nowMs : -Infinity);
    this.record(installationId, async (tx) => {
      if (isAccepted) {
        await this.erpConnectionRepository.markSuccess(tx, installationId, generation, version);
        await this.erpRequestBudgetRepository.markResponding(tx, installationId, generation);
      } else {
        await this.erpConnectionRepository.markRefused(tx, installationId, generation, version, REFUSED);
      }
    });
  }

  /** Several requests in a row had no response. @param openMs milliseconds in which no process makes another */
  recordSilence(installationId: InstallationId, { generation }: StoredErpConnection, openMs: number): void {
    // The next success is news.
    this.succeededAtMs.delete(`${installationId}/${generation.toString()}`);
    this.record(installationId, (tx) =>
      this.erpRequestBudgetRepository.markSilent(tx, installationId, generation, { openMs, shownMs: SILENT_FOR_MS }),
    );
  }

  private record(installationId: InstallationId, write: (tx: Tx) => Promise<void>): void {
    this.tenantDatabase.inInstallation('record ERP health', installationId, write).catch((error: unknown) => {
      this.logger.warn({ err: error, installationId }, 'erp_connection.not_recorded');
    });
  }
}
