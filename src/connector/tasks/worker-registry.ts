import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { currentActor } from '../../foundation/database/actor.js';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';

/** Longer than this without a heartbeat, a worker is gone. */
const GONE_AFTER_SECONDS = 30;
const MAX_WORKERS = 200;

export interface WorkerView {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly lastBeatAt: Date;
  /** Tasks that it does now. */
  readonly running: number;
  /** `draining` takes nothing more and ends what it does; `drained` can be stopped; `gone` has had no heartbeat for half a minute. */
  readonly state: 'working' | 'draining' | 'drained' | 'gone';
  readonly drainRequestedBy: string | null;
  readonly drainRequestedAt: Date | null;
}

/** Which workers exist, and which of them are drained. */
@Injectable()
export class WorkerRegistry {
  private readonly id = randomUUID();

  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /**
   * Records that this worker exists, by the database's clock.
   * @param running tasks that it does now
   * @returns whether it is to be drained
   */
  async recordHeartbeat(running: number): Promise<boolean> {
    return this.tenantDatabase.acrossInstallations('record worker', async (tx) => {
      const row = await tx.one<{ drains: boolean }>(sql`
        INSERT INTO worker_process (id, host, pid, started_at, last_beat_at, running)
        VALUES (${this.id}, ${hostname()}, ${process.pid}, clock_timestamp(), clock_timestamp(), ${running})
        ON CONFLICT (id) DO UPDATE SET last_beat_at = EXCLUDED.last_beat_at, running = EXCLUDED.running
        RETURNING drain_requested_at IS NOT NULL AS drains`);
      await tx.execute(sql`DELETE FROM worker_process WHERE last_beat_at < clock_timestamp() - interval '7 days'`);
      return row.drains;
    });
  }

  /** Those of the last seven days, the newest first. */
  async list(): Promise<readonly WorkerView[]> {
    return this.tenantDatabase.acrossInstallations('list workers', (tx) =>
      tx.rows<WorkerView>(sql`
        SELECT id, host, pid, started_at AS "startedAt", last_beat_at AS "lastBeatAt", running,
          drain_requested_by AS "drainRequestedBy", drain_requested_at AS "drainRequestedAt",
          CASE WHEN last_beat_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS}) THEN 'gone'
            WHEN drain_requested_at IS NULL THEN 'working' WHEN running = 0 THEN 'drained' ELSE 'draining' END AS state
        FROM worker_process ORDER BY last_beat_at DESC, id LIMIT ${MAX_WORKERS}`),
    );
  }

  /**
   * Asks a worker to take no new tasks; its running ones end at their next safe point, and other workers continue them. It counts until
   * the process is started again.
   * @returns false for a worker that does not exist or is gone
   */
  async requestDrain(id: string): Promise<boolean> {
    const { name = 'operator' } = currentActor();
    return this.tenantDatabase.acrossInstallations('drain worker', async (tx) => {
      const changed = await tx.execute(sql`
        UPDATE worker_process SET drain_requested_at = coalesce(drain_requested_at, clock_timestamp()),
          drain_requested_by = coalesce(drain_requested_by, ${name})
        WHERE id = ${id} AND last_beat_at >= clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})`);
      return changed === 1;
    });
  }
}
