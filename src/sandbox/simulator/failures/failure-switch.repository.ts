import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SwitchPlan } from './domain/switch-plan.js';

export const RESPONSE_CHANGES = ['malformed', 'endless_paging', 'unknown_values', 'unknown_fields'] as const;
export type ResponseChange = (typeof RESPONSE_CHANGES)[number];

/** A planned misbehavior of one route. */
export interface FailureSwitch extends SwitchPlan {
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
  /** How the real answer is changed; unset leaves it. */
  readonly answer: ResponseChange | null;
  /** By how many seconds the simulator's clock jumps when a request matches. */
  readonly jumpSeconds: number;
  /** Whether the caller loses its access once the request is answered. */
  readonly revokes: boolean;
}

export type NewFailureSwitch = Omit<FailureSwitch, 'id' | 'seen' | 'hits'>;

interface FailureRow extends Omit<FailureSwitch, 'id'> {
  readonly id: bigint;
}

@Injectable()
export class FailureSwitchRepository {
  async add(tx: Tx, fresh: NewFailureSwitch): Promise<FailureSwitch> {
    const row = await tx.one<{ id: bigint }>(sql`
      INSERT INTO failure_switch (method, path, effect, status, retry_after, delay_ms, truncate_at, answer,
                                  jump_seconds, revokes, skip, percent, seed, times_left)
      VALUES (${fresh.method}, ${fresh.path}, ${fresh.effect}, ${fresh.status}, ${fresh.retryAfter},
              ${fresh.delayMs}, ${fresh.truncateAt}, ${fresh.answer}, ${fresh.jumpSeconds}, ${fresh.revokes},
              ${fresh.skip}, ${fresh.percent}, ${fresh.seed}, ${fresh.timesLeft})
      RETURNING id`);
    return { ...fresh, id: Number(row.id), seen: 0, hits: 0 };
  }

  async findAll(tx: Tx): Promise<readonly FailureSwitch[]> {
    const rows = await tx.rows<FailureRow>(sql`
      SELECT id, method, path, effect, status, retry_after AS "retryAfter", delay_ms AS "delayMs",
             truncate_at AS "truncateAt", answer, jump_seconds AS "jumpSeconds", revokes, skip, percent, seed,
             seen, times_left AS "timesLeft", hits
      FROM failure_switch ORDER BY id`);
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  /** Counts one request that matched the path, failed or not. */
  async count(tx: Tx, id: number, isHit: boolean): Promise<void> {
    const hit = isHit ? 1 : 0;
    await tx.execute(sql`
      UPDATE failure_switch SET seen = seen + 1, hits = hits + ${hit}, times_left = times_left - ${hit}
      WHERE id = ${id}`);
  }

  /** @param id unset: all */
  async remove(tx: Tx, id: number | undefined): Promise<void> {
    await tx.execute(sql`DELETE FROM failure_switch WHERE ${id}::bigint IS NULL OR id = ${id}`);
  }
}
