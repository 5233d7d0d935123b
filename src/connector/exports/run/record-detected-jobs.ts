import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import { ExportJobRepository, type DetectedJob } from '../stores/export-job.repository.js';
import { WakeCompany } from './wake-company.js';

@Injectable()
export class RecordDetectedJobs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly wakeCompany: WakeCompany,
    private readonly clock: Clock,
  ) {}

  /**
   * Records open jobs of one company and wakes a worker for them, in one transaction.
   * @param link records more about them in the same transaction
   */
  async record(
    installationId: InstallationId,
    companyId: CompanyId,
    jobs: readonly DetectedJob[],
    link?: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    await this.tenantDatabase.byKeys('detect export jobs', installationId, async (tx) => {
      this.exportJobRepository.saveDetected(tx, installationId, jobs, this.clock.now());
      await link?.(tx);
      await this.wakeCompany.wakeIfDueIn(tx, installationId, companyId);
    });
  }
}
