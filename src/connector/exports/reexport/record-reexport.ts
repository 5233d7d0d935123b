import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { toDetectedJob } from '../run/platform-job.js';
import { WakeCompany } from '../run/wake-company.js';
import { CompanyTransactions } from '../stores/company-transactions.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { ReexportRepository, type DueReexport } from './reexport.repository.js';

/** What became of a re-export's request to the platform. */
@Injectable()
export class RecordReexport {
  constructor(
    private readonly companyTransactions: CompanyTransactions,
    private readonly reexportRepository: ReexportRepository,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly wakeCompany: WakeCompany,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined when it needs no job any more */
  async findOpen(installationId: InstallationId, id: string): Promise<DueReexport | undefined> {
    return this.companyTransactions.inInstallation('find re-export', installationId, (tx) =>
      this.reexportRepository.findOpen(tx, installationId, id),
    );
  }

  /** The platform has made a job for it. */
  async linkJob(installationId: InstallationId, { id, companyId }: DueReexport, job: PlatformExportJob): Promise<void> {
    const detected = [toDetectedJob(job)];
    await this.companyTransactions.inInstallation('link job of re-export', installationId, async (tx) => {
      await this.exportJobRepository.saveDetected(tx, installationId, detected, this.clock.now());
      await this.reexportRepository.linkJob(tx, installationId, id, toExportJobId(job.id));
      await this.wakeCompany.wakeInTransaction(tx, installationId, companyId);
    });
  }

  async refuse(installationId: InstallationId, id: string, problem: string): Promise<void> {
    await this.companyTransactions.inInstallation('refuse re-export', installationId, (tx) =>
      this.reexportRepository.markRefused(tx, installationId, id, problem),
    );
  }

  /** @param next as `ReexportRepository.postpone` has it */
  async postpone(
    installationId: InstallationId,
    id: string,
    next: Parameters<ReexportRepository['postpone']>[3],
  ): Promise<void> {
    await this.companyTransactions.inInstallation('postpone re-export', installationId, (tx) =>
      this.reexportRepository.postpone(tx, installationId, id, next),
    );
  }
}
