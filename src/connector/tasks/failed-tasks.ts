import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { isUuid, toInstallationId, type InstallationId } from '../../kernel/ids.js';

/** How often a process asks which tasks have failed anywhere: what it then does itself takes the row away. */
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 1_000;
const MAX_PROBLEM_LENGTH = 500;
const RETENTION_DAYS = 7;

/**
 * Tasks of customers whose attempts were used up, for the operator to look at. They may be done nevertheless: the next look at the
 * tables makes the wake-up again, and a task that then succeeds takes its row away.
 */
@Injectable()
export class FailedTasks {
  private known: ReadonlySet<string> = new Set();
  private knownAt = Number.NEGATIVE_INFINITY;

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

  /** Of a task that succeeded. Never rejects. */
  async forget(kind: string, payload: object): Promise<void> {
    const installationId = installationOf(payload);
    if (installationId === undefined) {
      return;
    }
    try {
      if ((await this.knownTasks()).has(`${kind} ${installationId}`)) {
        await this.tenantDatabase.writeOnce('forget failed task', installationId, (tx) =>
          tx.execute(sql`
            DELETE FROM failed_task WHERE installation_id = ${installationId} AND kind = ${kind}
              AND payload = ${JSON.stringify(payload)}::jsonb`),
        );
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

  private async knownTasks(): Promise<ReadonlySet<string>> {
    if (this.clock.monotonicMs() - this.knownAt >= KNOWN_FOR_MS) {
      this.knownAt = this.clock.monotonicMs();
      const rows = await this.tenantDatabase.acrossInstallations('look for failed tasks', (tx) =>
        tx.rows<{ kind: string; installation_id: string }>(sql`
          SELECT kind, installation_id FROM failed_task ORDER BY failed_at DESC LIMIT ${MAX_KNOWN}`),
      );
      this.known = new Set(rows.map((row) => `${row.kind} ${row.installation_id}`));
    }
    return this.known;
  }
}

function installationOf(payload: object): InstallationId | undefined {
  const id: unknown = Reflect.get(payload, 'installationId');
  return typeof id === 'string' && isUuid(id) ? toInstallationId(id) : undefined;
}
