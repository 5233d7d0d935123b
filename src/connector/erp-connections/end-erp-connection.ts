import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { ErpConnectionRepository } from './erp-connection.repository.js';

/** Ends the connection to the ERP: exports fail with the reason until there is another one. */
@Injectable()
export class EndErpConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly erpConnectionRepository: ErpConnectionRepository,
  ) {}

  /** @returns false when there was none */
  async end(installationId: InstallationId): Promise<boolean> {
    return this.tenantDatabase.inInstallation('end ERP connection', installationId, async (tx) => {
      // Before the connection, as when one is saved: two requests would each wait for the other otherwise.
      await this.installationRepository.lockActive(tx, installationId);
      const hasEnded = await this.erpConnectionRepository.end(tx, installationId);
      if (hasEnded) {
        await this.installationRepository.unlinkErpCompany(tx, installationId);
      }
      return hasEnded;
    });
  }
}
