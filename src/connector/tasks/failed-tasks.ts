import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { isUuid, toInstallationId, type InstallationId } from '../../kernel/ids.js';

/** How often a process that does tasks looks which have failed anywhere. */
const LOOK_EVERY_MS = 10_000;
const MAX_KNOWN = 1_000;
const MAX_PROBLEM_LENGTH = 500;
const RETENTION_DAYS = 7;

interface SucceededTask {
  readonly kind: string;
  readonly installationId: InstallationId;
  /** JSON. */
  readonly payload: string;
  /** Monotonic. */
  readonly atMs: number;
}

/**
 * Tasks of customers whose attempts were used up, for the operator to look at. They may be done nevertheless: the next look at the
 * tables makes the wake-up again, and the row of a task that then succeeds is taken away.
 */
@Injectable()
export class FailedTasks {
  /** Kinds and customers with a row, as of the last look. */
  private known = new Set<string>();
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  /** By kind and payload, those since the last look: the row of one may be newer than that. */
  private readonly succeeded = new Map<string, SucceededTask>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** Never rejects: a task that the schedule sends belongs to no customer and comes again by itself; the log has it. */
  async record(kind: string, payload: object, error: unknown): Promise<void> {
    const installationId = installationOf(payload);
    if (installationId === undefined) {
      return;
    }
    const problem = (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown').slice(
      0,
      MAX_PROBLEM_LENGTH,
    );
    this.known.add(`${kind} ${installationId}`);
    await this.tenantDatabase
      .inInstallation('record failed task', installationId, (tx) =>
        tx.execute(sql`
          INSERT INTO failed_task (installation_id, id, kind, payload, failed_at, problem)
          VALUES (${installationId}, ${randomUUID()}, ${kind}, ${JSON.stringify(payload)}, clock_timestamp(), ${problem})
          ON CONFLICT (installation_id, kind, payload) DO UPDATE
            SET failed_at = EXCLUDED.failed_at, problem = EXCLUDED.problem, failures = failed_task.failures + 1`),
      )
      .catch((failure: unknown) => {
        this.appLogger.of('tasks').error({ err: failure, task: kind }, 'task.failure_not_recorded');
      });
  }

  /** Of a task that succeeded: its row is taken away, that of a failure in another process with the next look. Never rejects. */
  async forget(kind: string, payload: object): Promise<void> {
    const installationId = installationOf(payload);
    if (installationId === undefined) {
      return;
    }
    const task = { kind, installationId, payload: JSON.stringify(payload), atMs: this.clock.monotonicMs() };
    this.succeeded.set(`${kind} ${task.payload}`, task);
    try {
      for (const each of (await this.lookIfDue()) ?? [task]) {
        await this.deleteRowOf(each);
      }
    } catch (error) {
      this.appLogger.of('tasks').warn({ err: error, task: kind }, 'task.failure_not_deleted');
    }
  }

  /** Those of more than a week ago, whose work was done otherwise or never. */
  async deleteOld(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('delete old failed tasks', (tx) =>
      tx.execute(sql`
        DELETE FROM failed_task WHERE failed_at < clock_timestamp() - make_interval(days => ${RETENTION_DAYS})`),
    );
  }

  /** @returns the tasks that have succeeded since the look before; undefined while no look is due */
  private async lookIfDue(): Promise<readonly SucceededTask[] | undefined> {
    if (this.clock.monotonicMs() - this.lookedAtMs < LOOK_EVERY_MS) {
      return undefined;
    }
    this.lookedAtMs = this.clock.monotonicMs();
    const tasks = [...this.succeeded.values()];
    this.succeeded.clear();
    const rows = await this.tenantDatabase.acrossInstallations('look for failed tasks', (tx) =>
      tx.rows<{ kind: string; installation_id: string }>(sql`
        SELECT kind, installation_id FROM failed_task ORDER BY failed_at DESC LIMIT ${MAX_KNOWN}`),
    );
    this.known = new Set(rows.map((row) => `${row.kind} ${row.installation_id}`));
    return tasks;
  }

  private async deleteRowOf({ kind, installationId, payload, atMs }: SucceededTask): Promise<void> {
    if (this.known.has(`${kind} ${installationId}`)) {
      const secondsAgo = (this.clock.monotonicMs() - atMs) / 1_000;
      await this.tenantDatabase.writeOnce('forget failed task', installationId, (tx) =>
        tx.execute(sql`
          DELETE FROM failed_task WHERE installation_id = ${installationId} AND kind = ${kind}
            AND payload = ${payload}::jsonb AND failed_at <= clock_timestamp() - make_interval(secs => ${secondsAgo})`),
      );
    }
  }
}

function installationOf(payload: object): InstallationId | undefined {
  const id: unknown = Reflect.get(payload, 'installationId');
  return typeof id === 'string' && isUuid(id) ? toInstallationId(id) : undefined;
}
