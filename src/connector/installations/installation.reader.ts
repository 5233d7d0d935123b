import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { Installation } from './domain/installation.js';
import { InstallationRepository, type InstallationSummary } from './installation.repository.js';

/** Reads installations, each call in a transaction of its own. */
@Injectable()
export class InstallationReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
  ) {}

  /** @returns undefined for an id that does not exist */
  async find(installationId: InstallationId): Promise<Installation | undefined> {
    return this.tenantDatabase.inInstallation('find installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
  }

  /** For the operator: at most `limit` installations of all tenants, newest first. */
  async summaries(limit: number): Promise<readonly InstallationSummary[]> {
    return this.tenantDatabase.acrossInstallations('list installations', (tx) =>
      this.installationRepository.summaries(tx, limit),
    );
  }
}
