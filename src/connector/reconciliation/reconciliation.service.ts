import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { TaskQueue } from '../tasks/task-queue.js';
import {
  ActOnDiscrepancy,
  type DiscrepancyActionResult,
  type DiscrepancyDecision,
} from './actions/act-on-discrepancy.js';
import { CountDiscrepancies } from './compare/count-discrepancies.js';
import {
  DiscrepancyRepository,
  type DiscrepancyPosition,
  type DiscrepancyState,
  type DiscrepancyView,
  type OpenDiscrepancyClass,
} from './compare/discrepancy.repository.js';
import type { CloseReport } from './domain/close-report.js';
import { nextWindowStart, windowDayAt } from './domain/run-window.js';
import { usualPeriod, type RunView } from './domain/reconciliation-run.js';
import { CompileCloseReport } from './close-report/compile-close-report.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { processReconciliationsTask } from './reconciliation.tasks.js';
import { ProcessDueReconciliations } from './process-due-reconciliations.js';
import { WakeReconciliations } from './wake-reconciliations.js';
import { ExportRecordReader } from '../exports/stores/export-record.reader.js';

export type {
  DiscrepancyActionResult as Acted,
  DiscrepancyDecision as DifferenceDecision,
} from './actions/act-on-discrepancy.js';
export type { CloseReport } from './domain/close-report.js';
export type {
  DiscrepancyState as DifferenceState,
  DiscrepancyView as DifferenceView,
  OpenDiscrepancyClass as OpenClass,
} from './compare/discrepancy.repository.js';

/** How a company stands, at a glance. */
export interface ReconciliationStatus {
  readonly timeZone: string | null;
  /** Null: not planned yet. */
  readonly nextRunAt: Date | null;
  readonly alertAfterDays: number;
  readonly openDiscrepancies: number;
  /** Open for longer than `alertAfterDays`. */
  readonly overdueDiscrepancies: number;
}

export interface OverdueDiscrepancies {
  readonly count: number;
  /** Days after which an open discrepancy is overdue. */
  readonly alertAfterDays: number;
}

/** What the rest of the connector may ask of reconciliation. */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly countDiscrepancies: CountDiscrepancies,
    private readonly wakeReconciliations: WakeReconciliations,
    private readonly processDueReconciliations: ProcessDueReconciliations,
    private readonly actOnDiscrepancy: ActOnDiscrepancy,
    private readonly compileCloseReport: CompileCloseReport,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  async wake(): Promise<void> {
    await this.wakeReconciliations.requestAndWake();
  }

  async processDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    await this.processDueReconciliations.processDue(installationId, stopping);
  }

  async status(installationId: InstallationId): Promise<ReconciliationStatus> {
    const { schedule, open, overdue, alertAfterDays } =
      await this.countDiscrepancies.countOpen(installationId);
    return {
      timeZone: schedule?.timeZone ?? null,
      nextRunAt: schedule?.nextRunAt ?? null,
      alertAfterDays,
      openDiscrepancies: open,
      overdueDiscrepancies: overdue,
    };
  }

  /** Discrepancies that have been open for longer than the administrator's limit, for whoever raises alarms. */
  async overdueDiscrepancies(installationId: InstallationId): Promise<OverdueDiscrepancies> {
    const { overdue, alertAfterDays } = await this.countDiscrepancies.countOpen(installationId);
    return { count: overdue, alertAfterDays };
  }

  /** @param days after which an open discrepancy is an alarm */
  async setAlertAfterDays(installationId: InstallationId, days: number): Promise<void> {
    const now = this.clock.now();
    await this.tenantDatabase.inInstallation('set alert limit', installationId, (tx) =>
      this.reconciliationScheduleRepository.setAlertAfterDays(
        tx,
        installationId,
        days,
        nextWindowStart(windowDayAt(now, 'UTC'), 'UTC'),
      ),
    );
  }

  /** Newest first. @param before position of the last run of the page before */
  async listRuns(
    installationId: InstallationId,
    before: bigint | undefined,
    limit: number,
  ): Promise<readonly RunView[]> {
    return this.tenantDatabase.inInstallation('list reconciliations', installationId, (tx) =>
      this.reconciliationRunRepository.list(tx, installationId, before, limit),
    );
  }

  /**
   * @param wanted a job, or a period (from included, to excluded); the usual period when neither is given
   * @returns the id of the run; undefined when there is no such job or installation
   */
  async request(
    installationId: InstallationId,
    wanted: {
      readonly exportJobId?: string | undefined;
      readonly period?: { readonly from: Date; readonly until: Date } | undefined;
    },
  ): Promise<string | undefined> {
    const installation = await this.installationReader.find(installationId);
    const { exportJobId, period } = wanted;
    if (
      installation === undefined ||
      (exportJobId !== undefined &&
        (await this.exportRecordReader.job(installationId, exportJobId)) === undefined)
    ) {
      return undefined;
    }
    const at = this.clock.now();
    const id = randomUUID();
    await this.tenantDatabase.inInstallation('request reconciliation', installationId, async (tx) => {
      await this.reconciliationRunRepository.request(tx, installationId, {
        id,
        companyId: installation.companyId,
        reason: 'person',
        windowDay: undefined,
        exportJobId,
        period: period ?? usualPeriod(at),
        at,
      });
      await this.taskQueue.send(tx, processReconciliationsTask, { installationId }, installationId);
    });
    return id;
  }

  /** Oldest first. */
  async listDiscrepancies(
    installationId: InstallationId,
    filter: { readonly state: DiscrepancyState; readonly class: string | undefined },
    after: DiscrepancyPosition | undefined,
    limit: number,
  ): Promise<readonly DiscrepancyView[]> {
    return this.tenantDatabase.inInstallation('list discrepancies', installationId, (tx) =>
      this.discrepancyRepository.list(tx, installationId, filter, after, limit),
    );
  }

  /** How many are open of each class, most first. */
  async openClasses(installationId: InstallationId): Promise<readonly OpenDiscrepancyClass[]> {
    return this.tenantDatabase.inInstallation('count discrepancies by class', installationId, (tx) =>
      this.discrepancyRepository.countByClass(tx, installationId),
    );
  }

  /** @throws ErpUnavailable, LeaseLost */
  async act(
    installationId: InstallationId,
    id: string,
    decision: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    return this.actOnDiscrepancy.act(installationId, id, decision);
  }

  /**
   * @param month `YYYY-MM`
   * @returns undefined when there is no such month
   */
  async closeReport(installationId: InstallationId, month: string): Promise<CloseReport | undefined> {
    return this.compileCloseReport.compile(installationId, month);
  }
}
