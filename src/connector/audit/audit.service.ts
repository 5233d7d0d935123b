import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AuditEntryRepository, type AuditEntry, type AuditFilter } from './audit-entry.repository.js';
import type { LogChainEnd } from './domain/log-chain.js';
import { VerifyAudit, type AuditVerification } from './verify-audit.js';

export type { AuditEntry } from './audit-entry.repository.js';
export type { AuditVerification } from './verify-audit.js';

@Injectable()
export class AuditService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly auditEntryRepository: AuditEntryRepository,
    private readonly verifyAudit: VerifyAudit,
  ) {}

  /** Newest first, as the filter says. */
  async list(installationId: InstallationId, filter: AuditFilter): Promise<readonly AuditEntry[]> {
    return this.tenantDatabase.inInstallation('list audit entries', installationId, (tx) =>
      this.auditEntryRepository.list(tx, installationId, filter),
    );
  }

  /**
   * Computes the hash chain of the log anew and compares; a long log takes several calls.
   * @param start where the call before has ended; the beginning of the log by default
   */
  async verify(installationId: InstallationId, start?: LogChainEnd): Promise<AuditVerification> {
    return this.verifyAudit.verify(installationId, start);
  }
}
