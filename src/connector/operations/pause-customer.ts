import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { currentActor } from '../../foundation/database/actor.js';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { CompanyLeaseRepository } from '../exports/stores/company-lease.repository.js';
import { WakeCompany } from '../exports/run/wake-company.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { recordAction } from './operator-action.js';

/** Holds a customer's exports, and lets them go on. */
@Injectable()
export class PauseCustomer {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
    private readonly wakeCompany: WakeCompany,
  ) {}

  /**
   * From now on no export of the customer begins or goes on: what runs ends at its next safe point, what comes waits. A job that is still
   * held when nothing can be posted for it any more gets a failed verdict with the reason.
   * @param reason in words that the customer reads
   * @returns false for an installation that is not there, or was uninstalled; a pause that is on gets the new reason
   */
  async pause(installationId: InstallationId, reason: string): Promise<boolean> {
    return this.tenantDatabase.inInstallation('pause customer', installationId, async (tx) => {
      const { name = 'operator' } = currentActor();
      const changed = await tx.execute(sql`
        UPDATE installation SET paused_at = coalesce(paused_at, clock_timestamp()), paused_by = ${name}, pause_reason = ${reason}
        WHERE id = ${installationId} AND state <> 'uninstalled'`);
      const installation = await this.installationRepository.find(tx, installationId);
      if (changed === 0 || installation === undefined) {
        return false;
      }
      await this.companyLeaseRepository.requestRelease(tx, installationId, installation.companyId);
      await recordAction(tx, installationId, {
        id: randomUUID(),
        action: 'paused',
        target: installation.companyId,
        reason,
      });
      return true;
    });
  }

  /** Lets exports go on at once. @returns false for an installation that is not there; one that is not paused stays as it is */
  async resume(installationId: InstallationId): Promise<boolean> {
    return this.tenantDatabase.inInstallation('resume customer', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation?.pause !== undefined) {
        await tx.execute(sql`
          UPDATE installation SET paused_at = NULL, paused_by = NULL, pause_reason = NULL WHERE id = ${installationId}`);
        await recordAction(tx, installationId, {
          id: randomUUID(),
          action: 'resumed',
          target: installation.companyId,
        });
        await this.wakeCompany.wakeIfDueIn(tx, installationId, installation.companyId);
      }
      return installation !== undefined;
    });
  }
}
