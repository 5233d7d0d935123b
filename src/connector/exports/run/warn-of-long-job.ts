import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { toStoredText } from '../../../kernel/message.js';
import type { ErpCapabilities } from '../../erp/kit/capabilities.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { ExportJob } from '../domain/export-job.js';
import { longDurationNotice } from '../domain/job-duration.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';

/** Warns at the start of a job that the ERP's request limit leaves too little time for all items. Export goes on regardless. */
@Injectable()
export class WarnOfLongJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly platformApi: PlatformApi,
    private readonly appLogger: AppLogger,
  ) {}

  /** Only the first notice of a job is stored. @throws LeaseLost */
  async warnIfTooLong(job: ExportJob, lease: CompanyLease, limits: ErpCapabilities['limits']): Promise<void> {
    const notice = longDurationNotice(job, limits, this.platformApi.platformNow());
    if (notice === undefined) {
      return;
    }
    const isNew = await fenced(this.tenantDatabase, 'warn of long job', lease, (tx) =>
      this.exportJobRepository.addNotice(tx, job, toStoredText(notice)),
    );
    if (isNew) {
      const { installationId, id: exportJobId, numberOfItems } = job;
      this.appLogger.of('exports').warn({ installationId, exportJobId, numberOfItems }, 'export_job.too_long_for_erp');
    }
  }
}
