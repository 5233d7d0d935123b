// Compares a job without its entries: its state and number of items, its announcement, its totals.
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../../kernel/ids.js';
import { RepeatReports } from '../../exports/reporting/repeat-reports.js';
import { CompanyOwnership } from '../../exports/stores/company-ownership.js';
import type { JobRecord } from '../../exports/stores/export-record.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { RunPostponed } from '../../runs/run-interruptions.js';
import { NotificationReader } from '../../webhooks/notification.reader.js';
import { classifyJob, hasOurVerdict } from '../domain/classify-job.js';
import type { JobTotals } from '../domain/job-totals.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { RecordDiscrepancies } from './record-discrepancies.js';

/** The platform's last attempt to deliver a message comes 27 h 35 min after the first, give or take a fifth (F1). */
const LAST_DELIVERY_MS = 34 * 3_600_000;

@Injectable()
export class CompareJobAsWhole {
  constructor(
    private readonly platformApi: PlatformApi,
    private readonly notificationReader: NotificationReader,
    private readonly companyOwnership: CompanyOwnership,
    private readonly repeatReports: RepeatReports,
    private readonly recordDiscrepancies: RecordDiscrepancies,
  ) {}

  /**
   * @param platform undefined: the platform does not know the job
   * @param totals of its exported entries without a discrepancy
   * @throws RunPostponed when its verdict has to be repeated and another worker owns the company
   * @throws LeaseLost, PlatformRefusal, NoResponse
   */
  async compareJob(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformExportJob | undefined,
    totals: JobTotals,
  ): Promise<void> {
    const unannounced = await this.isUnannounced(scope, job);
    const findings = classifyJob({ ...job, unannounced }, platform);
    const isVerdictSent =
      findings.some(({ repair }) => repair === 'send-verdict') &&
      (await this.asOwner(scope, (installationId) => this.repeatReports.repeatVerdict(installationId, job.id)));
    const ofJob = {
      subject: job.id,
      accountingEntryId: undefined,
      exportJobId: job.id,
      erpCompanyId: job.erpCompanyId,
      occurredAt: job.createdAt,
    };
    const evidence = {
      platform: platform === undefined ? null : { status: platform.status, numberOfItems: platform.numberOfItems },
      record: { state: job.state, numberOfItems: job.numberOfItems, items: job.items, unannounced },
      erp: null,
    };
    await this.recordDiscrepancies.record(scope, [
      ...findings.map((finding) => ({
        ...ofJob,
        class: finding.class,
        evidence,
        amount: undefined,
        repairedAs: isVerdictSent ? finding.repair : undefined,
      })),
      ...totals.differing().map(({ currency, itemsMinor, bookedMinor }) => ({
        ...ofJob,
        class: 'job-total-differs' as const,
        evidence: {
          platform: null,
          record: { currency, itemsMinor: itemsMinor.toString() },
          erp: { currency, expenseDebitsMinor: bookedMinor.toString() },
        },
        amount: {
          currency,
          minor: itemsMinor > bookedMinor ? itemsMinor - bookedMinor : bookedMinor - itemsMinor,
        },
        repairedAs: undefined,
      })),
    ]);
  }

  /**
   * A job that has our verdict in the record and never began on the platform is started there: only then it takes results
   * and verdict.
   * @returns the platform's job as it is then
   * @throws as `compareJob`
   */
  async startIfPending<Job extends PlatformExportJob | undefined>(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: Job,
  ): Promise<Job> {
    if (platform?.status !== 'pending' || !hasOurVerdict(job.state)) {
      return platform;
    }
    const isStarted = await this.asOwner(scope, (installationId) =>
      this.repeatReports.repeatStart(installationId, job.id),
    );
    return isStarted ? { ...platform, status: 'in_progress' } : platform;
  }

  /** Only once the platform has given up sending it. */
  private async isUnannounced({ run }: ReconciliationScope, { id, createdAt }: JobRecord): Promise<boolean> {
    const isOver = createdAt.getTime() + LAST_DELIVERY_MS < this.platformApi.platformNow().getTime();
    return isOver && this.notificationReader.isJobUnannounced(run.installationId, id, createdAt);
  }

  private async asOwner(
    { run: { installationId, companyId } }: ReconciliationScope,
    send: (installationId: InstallationId) => Promise<boolean>,
  ): Promise<boolean> {
    const sent = await this.companyOwnership.whileOwner(installationId, companyId, () => send(installationId));
    if (sent === undefined) {
      throw new RunPostponed('an export of the company is under way');
    }
    return sent.result;
  }
}
