import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

/** A planned misbehaviour of one route. */
export interface FailureSwitch {
  readonly id: number;
  /** Unset: every method. */
  readonly method: string | null;
  /** Path without query; `*` stands for one segment. */
  readonly path: string;
  /** Whether the request has had its effect when the failure shows. */
  readonly effect: 'before' | 'after';
  /** Status answered instead of the real one; unset keeps the answer. */
  readonly status: number | null;
  /** Value of `Retry-After`. */
  readonly retryAfter: string | null;
  readonly delayMs: number;
  /** Bytes of the body after which the connection breaks; 0 breaks it before the answer. */
  readonly truncateAt: number | null;
  /** Null: until the switch is removed. */
  readonly timesLeft: number | null;
  readonly hits: number;
}

interface FailureRow extends Omit<FailureSwitch, 'id'> {
  readonly id: bigint;
}

@Injectable()
export class FailureSwitchRepository {
  async add(tx: Tx, fresh: Omit<FailureSwitch, 'id' | 'hits'>): Promise<FailureSwitch> {
    const row = await tx.one<{ id: bigint }>(sql`
      INSERT INTO failure_switch (method, path, effect, status, retry_after, delay_ms, truncate_at, times_left)
      VALUES (${fresh.method}, ${fresh.path}, ${fresh.effect}, ${fresh.status}, ${fresh.retryAfter},
              ${fresh.delayMs}, ${fresh.truncateAt}, ${fresh.timesLeft})
      RETURNING id`);
    return { ...fresh, id: Number(row.id), hits: 0 };
  }

  async findAll(tx: Tx): Promise<readonly FailureSwitch[]> {
    const rows = await tx.rows<FailureRow>(sql`
      SELECT id, method, path, effect, status, retry_after AS "retryAfter", delay_ms AS "delayMs",
             truncate_at AS "truncateAt", times_left AS "timesLeft", hits
      FROM failure_switch ORDER BY id`);
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  async countHit(tx: Tx, id: number): Promise<void> {
    await tx.execute(sql`
      UPDATE failure_switch SET hits = hits + 1, times_left = times_left - 1 WHERE id = ${id}`);
  }

  /** @param id unset: all */
  async remove(tx: Tx, id: number | undefined): Promise<void> {
    await tx.execute(sql`DELETE FROM failure_switch WHERE ${id}::bigint IS NULL OR id = ${id}`);
  }
}
