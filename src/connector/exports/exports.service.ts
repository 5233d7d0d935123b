import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { ExportJobId, InstallationId } from '../../kernel/ids.js';
import type { Installation } from '../installations/domain/installation.js';
import { InstallationsService } from '../installations/installations.service.js';
import type { KeyFailures } from '../mapping/domain/suggestions.js';
import { WakeDue } from '../runs/wake-due.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { CompanyLeaseRepository } from './stores/company-lease.repository.js';
import type { Lane } from './domain/lanes.js';
import { DetectExportJobs } from './run/detect-export-jobs.js';
import { EndOpenJobs } from './run/end-open-jobs.js';
import {
  ExportViewRepository,
  type ItemView,
  type JobPosition,
  type JobView,
} from './stores/export-view.repository.js';
import { detectExportJobsTask, type ProcessCompanyQueueTask } from './exports.tasks.js';
import { MappingFailureRepository } from './issues/mapping-failure.repository.js';
import { RuleUseRepository } from './issues/rule-use.repository.js';
import { ProcessCompanyQueue } from './run/process-company-queue.js';
import { WakeCompany } from './run/wake-company.js';

export type { JobView } from './stores/export-view.repository.js';

/** Most companies one sweep wakes; the next one comes seconds later. */
const SWEEP_LIMIT = 500;

/** What the rest of the connector may ask of exports. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly detectExportJobs: DetectExportJobs,
    private readonly processCompanyQueue: ProcessCompanyQueue,
    private readonly ending: EndOpenJobs,
    private readonly installationsService: InstallationsService,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
    private readonly exportViewRepository: ExportViewRepository,
    private readonly mappingFailureRepository: MappingFailureRepository,
    private readonly ruleUseRepository: RuleUseRepository,
    private readonly taskQueue: TaskQueue,
    private readonly wakeCompany: WakeCompany,
    private readonly wakeDue: WakeDue,
  ) {}

  /**
   * Asks the platform for open jobs of an installation and wakes a worker for them.
   * @returns how many there are
   */
  async detect(installationId: InstallationId): Promise<number> {
    return this.detectExportJobs.detect(installationId);
  }

  /** Lets a worker look for open jobs soon. */
  async requestDetection(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('request detection', installationId, async (tx) => {
      await this.installationsService.schedulePollSoon(tx, installationId);
      await this.taskQueue.send(tx, detectExportJobsTask, { installationId }, installationId);
    });
  }

  /** Works off the open jobs of a company, as far as they may be run on the place. */
  async processQueueOf(task: ProcessCompanyQueueTask, place: Lane, stopping: AbortSignal): Promise<void> {
    await this.processCompanyQueue.processUntilIdle(task, place, stopping);
  }

  /** Before an installation leaves: its open jobs get their verdict, as far as that can be had within ten seconds. */
  async endJobsBeforeUninstall({ id, companyId }: Installation): Promise<void> {
    await this.ending.endBeforeUninstall(id, companyId);
  }

  /** Wakes a worker for every company with due jobs and nobody on it: a worker died, or a wake-up was lost. */
  async sweep(): Promise<void> {
    await this.wakeDue.forEach(
      'companies',
      (tx, limit) => this.companyLeaseRepository.findIdle(tx, limit),
      (tx, { installationId, companyId }) => this.wakeCompany.wakeIfDue(tx, installationId, companyId),
      SWEEP_LIMIT,
    );
  }

  /** Newest first. */
  async jobs(
    installationId: InstallationId,
    after: JobPosition | undefined,
    limit: number,
  ): Promise<readonly JobView[]> {
    return this.tenantDatabase.inInstallation('list jobs', installationId, (tx) =>
      this.exportViewRepository.jobs(tx, installationId, after, limit),
    );
  }

  async job(installationId: InstallationId, id: ExportJobId): Promise<JobView | undefined> {
    return this.tenantDatabase.inInstallation('read job', installationId, (tx) =>
      this.exportViewRepository.job(tx, installationId, id),
    );
  }

  /**
   * In the job's order.
   * @param filter `afterPosition` is the last position of the page before, 0 for the first page
   */
  async items(
    installationId: InstallationId,
    jobId: ExportJobId,
    filter: {
      readonly state: ItemView['state'] | undefined;
      readonly afterPosition: number;
      readonly limit: number;
    },
  ): Promise<readonly ItemView[]> {
    return this.tenantDatabase.inInstallation('list items', installationId, (tx) =>
      this.exportViewRepository.items(tx, installationId, jobId, filter),
    );
  }

  /** Keys that made items fail since then, as far as a mapping rule could have helped. */
  async mappingFailures(installationId: InstallationId, since: Date): Promise<readonly KeyFailures[]> {
    return this.tenantDatabase.inInstallation('list mapping failures', installationId, (tx) =>
      this.mappingFailureRepository.since(tx, installationId, since),
    );
  }

  /** Numbers of the mapping rules that decided something of what was sent to the ERP since then. */
  async rulesInUse(installationId: InstallationId, since: Date): Promise<ReadonlySet<string>> {
    return this.tenantDatabase.inInstallation('list rules in use', installationId, (tx) =>
      this.ruleUseRepository.since(tx, installationId, since),
    );
  }
}
