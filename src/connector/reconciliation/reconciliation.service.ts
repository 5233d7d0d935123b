import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ExportRecordsService } from '../exports/stores/export-records.service.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { ActOnDifference, type Acted, type DifferenceDecision } from './actions/act-on-difference.js';
import { CountDifferences } from './compare/count-differences.js';
import {
  DifferenceRepository,
  type DifferencePosition,
  type DifferenceState,
  type DifferenceView,
  type OpenClass,
} from './compare/difference.repository.js';
import type { CloseReport } from './domain/close-report.js';
import { nextSlotStart, slotAt } from './domain/night.js';
import { usualPeriod, type RunView } from './domain/reconciliation-run.js';
import { MakeCloseReport } from './close-report/make-close-report.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationTurnRepository } from './reconciliation-turn.repository.js';
import { runReconciliationsTask } from './reconciliation.tasks.js';
import { RunReconciliations } from './run-reconciliations.js';
import { WakeReconciliations } from './wake-reconciliations.js';

export type { Acted, DifferenceDecision } from './actions/act-on-difference.js';
export type { CloseReport } from './domain/close-report.js';
export type { DifferenceState, DifferenceView, OpenClass } from './compare/difference.repository.js';

/** How a company stands, at a glance. */
export interface ReconciliationStatus {
  readonly timeZone: string | null;
  /** Null: not planned yet. */
  readonly nextRunAt: Date | null;
  readonly alertAfterDays: number;
  readonly openDifferences: number;
  /** Open for longer than `alertAfterDays`. */
  readonly overdueDifferences: number;
}

export interface OverdueDifferences {
  readonly count: number;
  /** Days after which an open difference is overdue. */
  readonly alertAfterDays: number;
}

/** What the rest of the connector may ask of reconciliation. */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly records: ExportRecordsService,
    private readonly turns: ReconciliationTurnRepository,
    private readonly runs: ReconciliationRunRepository,
    private readonly differences: DifferenceRepository,
    private readonly counting: CountDifferences,
    private readonly waking: WakeReconciliations,
    private readonly runner: RunReconciliations,
    private readonly acting: ActOnDifference,
    private readonly closing: MakeCloseReport,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  async wake(): Promise<void> {
    await this.waking.run();
  }

  async runDueOf(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    await this.runner.run(installationId, stopping);
  }

  async status(installationId: InstallationId): Promise<ReconciliationStatus> {
    const { turn, open, overdue, alertAfterDays } = await this.counting.run(installationId);
    return {
      timeZone: turn?.timeZone ?? null,
      nextRunAt: turn?.nextRunAt ?? null,
      alertAfterDays,
      openDifferences: open,
      overdueDifferences: overdue,
    };
  }

  /** Differences that have been open for longer than the administrator's limit, for whoever raises alarms. */
  async overdueDifferences(installationId: InstallationId): Promise<OverdueDifferences> {
    const { overdue, alertAfterDays } = await this.counting.run(installationId);
    return { count: overdue, alertAfterDays };
  }

  /** @param days after which an open difference is an alarm */
  async setAlertAfterDays(installationId: InstallationId, days: number): Promise<void> {
    const now = this.clock.now();
    await this.database.inInstallation('set alert limit', installationId, (tx) =>
      this.turns.setAlertAfterDays(tx, installationId, days, nextSlotStart(slotAt(now, 'UTC'), 'UTC')),
    );
  }

  /** Newest first. @param before position of the last run of the page before */
  async listRuns(
    installationId: InstallationId,
    before: bigint | undefined,
    limit: number,
  ): Promise<readonly RunView[]> {
    return this.database.inInstallation('list reconciliations', installationId, (tx) =>
      this.runs.list(tx, installationId, before, limit),
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
    const installation = await this.installations.find(installationId);
    const { exportJobId, period } = wanted;
    if (
      installation === undefined ||
      (exportJobId !== undefined && (await this.records.job(installationId, exportJobId)) === undefined)
    ) {
      return undefined;
    }
    const at = this.clock.now();
    const id = randomUUID();
    await this.database.inInstallation('request reconciliation', installationId, async (tx) => {
      await this.runs.request(tx, installationId, {
        id,
        companyId: installation.companyId,
        reason: 'person',
        slot: undefined,
        exportJobId,
        period: period ?? usualPeriod(at),
        at,
      });
      await this.tasks.send(tx, runReconciliationsTask, { installationId }, installationId);
    });
    return id;
  }

  /** Oldest first. */
  async listDifferences(
    installationId: InstallationId,
    filter: { readonly state: DifferenceState; readonly class: string | undefined },
    after: DifferencePosition | undefined,
    limit: number,
  ): Promise<readonly DifferenceView[]> {
    return this.database.inInstallation('list differences', installationId, (tx) =>
      this.differences.list(tx, installationId, filter, after, limit),
    );
  }

  /** How many are open of each class, most first. */
  async openClasses(installationId: InstallationId): Promise<readonly OpenClass[]> {
    return this.database.inInstallation('count differences by class', installationId, (tx) =>
      this.differences.countByClass(tx, installationId),
    );
  }

  /** @throws ErpUnavailable, LeaseLost */
  async act(installationId: InstallationId, id: string, decision: DifferenceDecision): Promise<Acted> {
    return this.acting.run(installationId, id, decision);
  }

  /**
   * @param month `YYYY-MM`
   * @returns undefined when there is no such month
   */
  async closeReport(installationId: InstallationId, month: string): Promise<CloseReport | undefined> {
    return this.closing.run(installationId, month);
  }
}
