import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AuditEntryRepository } from './audit-entry.repository.js';
import type { AuditEntry, AuditFilter } from './domain/audit-entry.js';

@Injectable()
export class AuditLogReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly auditEntryRepository: AuditEntryRepository,
  ) {}

  /** Entries that match a filter, newest first. */
  async list(installationId: InstallationId, filter: AuditFilter): Promise<readonly AuditEntry[]> {
    return this.tenantDatabase.inInstallation('list audit entries', installationId, (tx) =>
      this.auditEntryRepository.list(tx, installationId, filter),
    );
  }
}
