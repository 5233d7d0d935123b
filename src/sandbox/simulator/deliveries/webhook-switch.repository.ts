import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SwitchPlan } from '../failures/domain/switch-plan.js';
import type { Forgery } from './notification-message.js';

export const WEBHOOK_EFFECTS = ['duplicate', 'reorder', 'replay', 'forge'] as const;

/** A planned misbehavior of notifications; each attempt fits it. */
export interface WebhookSwitch extends SwitchPlan {
  readonly id: number;
  /**
   * `duplicate` sends twice at the same moment; `reorder` puts the attempt off, so that a later one overtakes it; `replay`
   * sends the same bytes and signature once more afterwards; `forge` sends a forged copy before the real one.
   */
  readonly effect: (typeof WEBHOOK_EFFECTS)[number];
  readonly forgery: Forgery | null;
  /** How long `reorder` waits, by the simulator's clock. */
  readonly delaySeconds: number;
}

export type NewWebhookSwitch = Omit<WebhookSwitch, 'id' | 'seen' | 'hits'>;

interface WebhookSwitchRow extends Omit<WebhookSwitch, 'id'> {
  readonly id: bigint;
}

@Injectable()
export class WebhookSwitchRepository {
  async add(tx: Tx, fresh: NewWebhookSwitch): Promise<WebhookSwitch> {
    const row = await tx.one<{ id: bigint }>(sql`
      INSERT INTO webhook_switch (effect, forgery, delay_seconds, skip, percent, seed, times_left)
      VALUES (${fresh.effect}, ${fresh.forgery}, ${fresh.delaySeconds}, ${fresh.skip}, ${fresh.percent},
              ${fresh.seed}, ${fresh.timesLeft})
      RETURNING id`);
    return { ...fresh, id: Number(row.id), seen: 0, hits: 0 };
  }

  /** Oldest first; locked until the transaction ends, so that two attempts do not both use the last time. */
  async lockAll(tx: Tx): Promise<readonly WebhookSwitch[]> {
    const rows = await tx.rows<WebhookSwitchRow>(sql`
      SELECT id, effect, forgery, delay_seconds AS "delaySeconds", skip, percent, seed, seen,
             times_left AS "timesLeft", hits
      FROM webhook_switch ORDER BY id FOR UPDATE`);
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  async count(tx: Tx, counted: WebhookSwitch): Promise<void> {
    await tx.execute(sql`
      UPDATE webhook_switch SET seen = ${counted.seen}, hits = ${counted.hits}, times_left = ${counted.timesLeft}
      WHERE id = ${counted.id}`);
  }

  /** @param id unset: all */
  async remove(tx: Tx, id: number | undefined): Promise<void> {
    await tx.execute(sql`DELETE FROM webhook_switch WHERE ${id}::bigint IS NULL OR id = ${id}`);
  }
}
