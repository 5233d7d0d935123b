import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ReexportRepository, type ReexportView } from './reexport.repository.js';

@Injectable()
export class ReexportReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reexportRepository: ReexportRepository,
  ) {}

  async find(installationId: InstallationId, id: string): Promise<ReexportView | undefined> {
    return this.tenantDatabase.inInstallation('read re-export', installationId, (tx) =>
      this.reexportRepository.view(tx, installationId, id),
    );
  }
}
