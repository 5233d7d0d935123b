// Gauges that are read from the tables on request: they say the same in every process.
import { Gauge, type Registry } from 'prom-client';
import type { PoolUse } from '../../foundation/database/database.js';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Clock } from '../../kernel/clock.js';
import { readQueueFigures } from '../tasks/queue-figures.js';
import { readFleetFigures, type FigureName } from './fleet-figures.repository.js';

/** Scrapes that come faster share one look at the database. */
const CACHE_MS = 5_000;

const JOB_STATES = ['detected', 'running', 'verdict_decided'];
const RUN_STATES = ['requested', 'running'];

/**
 * [name, help, label, values of the label that are there when they count 0]; without a label there is one value over everything.
 * A time until something has no 0: it is left out when there is nothing.
 */
const GAUGES: Readonly<Record<FigureName, readonly [string, string, string?, (readonly string[])?]>> = {
  openJobs: ['connector_export_jobs_open', 'Export jobs that have not ended', 'state', JOB_STATES],
  oldestJobSeconds: [
    'connector_export_jobs_oldest_seconds',
    'Time since the oldest of them was detected; 0 without one',
    'state',
    JOB_STATES,
  ],
  nearestEndSeconds: ['connector_export_jobs_nearest_end_seconds', 'Time until the first open job expires'],
  outboxWaiting: ['connector_outbox_waiting', 'Messages that the platform was not told yet'],
  outboxOldestSeconds: ['connector_outbox_oldest_seconds', 'Age of the oldest of them; 0 without one'],
  uncertainPostings: ['connector_postings_in_doubt', 'Postings of which nobody knows whether they are in the books'],
  installations: ['connector_installations', 'Installations', 'state'],
  openSyncRuns: ['connector_sync_runs_open', 'Reference-data runs that have not ended', 'state', RUN_STATES],
  openReconciliationRuns: [
    'connector_reconciliation_runs_open',
    'Reconciliation runs that have not ended',
    'state',
    RUN_STATES,
  ],
  openDiscrepancies: ['connector_discrepancies_open', 'Discrepancies that nobody has settled', 'class'],
  alertMessagesWaiting: ['connector_alert_messages_waiting', 'Alert messages that are still to be sent'],
  heartbeatAgeSeconds: [
    'connector_heartbeat_age_seconds',
    'Time since the webhook intake, or a worker, was last there',
    'of',
  ],
};

export class FleetGauges {
  private readonly gauges: ReadonlyMap<FigureName, Gauge>;
  private readonly tasks: Gauge<'kind' | 'state'>;
  private readonly oldestTask: Gauge<'kind' | 'state'>;
  private readonly up: Gauge<'source'>;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly clock: Clock,
    register: Registry,
  ) {
    const registers = [register];
    this.gauges = new Map(
      Object.entries(GAUGES).map(([figure, [name, help, label]]) => [
        figure as FigureName,
        new Gauge({ name, help, registers, labelNames: label === undefined ? [] : [label] }),
      ]),
    );
    const ofTasks = { labelNames: ['kind', 'state'] as const, registers };
    this.tasks = new Gauge({ name: 'connector_queue_tasks', help: 'Tasks in the queue', ...ofTasks });
    this.oldestTask = new Gauge({
      name: 'connector_queue_oldest_seconds',
      help: 'Age of the oldest of them',
      ...ofTasks,
    });
    this.up = new Gauge({
      name: 'connector_figures_up',
      help: '1 when the figures of that source could be read; those of one that could not are left out',
      labelNames: ['source'] as const,
      registers,
    });
    registerPoolGauges(tenantDatabase, register);
  }

  /** Reads the figures unless they are fresh. Never rejects: what cannot be read is left out, and `connector_figures_up` says so. */
  async refresh(): Promise<void> {
    if (this.clock.monotonicMs() - this.readAt >= CACHE_MS) {
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
  }

  private async read(): Promise<void> {
    const figures = await this.readSource('tables', () =>
      this.tenantDatabase.acrossInstallations('read fleet figures', readFleetFigures),
    );
    const queue = await this.readSource('queue', () =>
      this.tenantDatabase.withoutInstallation('read queue figures', readQueueFigures),
    );
    for (const [figure, gauge] of this.gauges) {
      if (GAUGES[figure][2] === undefined) {
        // Reset it would be 0, which is a figure too.
        gauge.remove();
      } else {
        gauge.reset();
      }
      if (figures !== undefined) {
        setZeros(figure, gauge);
      }
    }
    this.tasks.reset();
    this.oldestTask.reset();
    for (const { figure, label, value } of figures ?? []) {
      const name = GAUGES[figure][2];
      this.gauges.get(figure)?.set(name === undefined ? {} : { [name]: label }, value);
    }
    for (const { kind, state, tasks, oldestSeconds } of queue ?? []) {
      this.tasks.set({ kind, state }, tasks);
      this.oldestTask.set({ kind, state }, oldestSeconds);
    }
    this.readAt = this.clock.monotonicMs();
  }

  private async readSource<T>(source: string, read: () => Promise<readonly T[]>): Promise<readonly T[] | undefined> {
    const figures = await read().catch(() => undefined);
    this.up.set({ source }, figures === undefined ? 0 : 1);
    return figures;
  }
}

function setZeros(figure: FigureName, gauge: Gauge): void {
  const [, , label, zeros = []] = GAUGES[figure];
  if (figure === 'outboxOldestSeconds') {
    gauge.set(0);
  }
  for (const value of zeros) {
    gauge.set({ [label ?? '']: value }, 0);
  }
}

/** Connections of this process; unlike the figures above they differ from one to the next. */
function registerPoolGauges(database: TenantDatabase, register: Registry): void {
  const registers = [register];
  const show = (name: string, help: string, of: (use: PoolUse) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(of(database.poolUse()));
      },
    });
  show('connector_database_connections_used', 'Connections that a transaction holds', ({ used }) => used);
  show('connector_database_connections_open', 'Connections to the database', ({ open }) => open);
  show('connector_database_waiting', 'Transactions that wait for a connection', ({ waiting }) => waiting);
}
