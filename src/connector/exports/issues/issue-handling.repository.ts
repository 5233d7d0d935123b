import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';

/** How members handle an issue. */
export interface IssueHandling {
  readonly assignee: string | null;
  readonly note: string | null;
  /** 'YYYY-MM-DD', a day where the company is: postponed until then. */
  readonly snoozedUntil: string | null;
  /** Its entries were booked by hand, and are left as they are. */
  readonly bookedByHand: boolean;
}

/** What a person changes of it; undefined: that stays as it is. */
export type HandlingChange = { readonly [Name in keyof IssueHandling]?: IssueHandling[Name] | undefined };

@Injectable()
export class IssueHandlingRepository {
  /** @returns false where there is no such issue */
  async note(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    { assignee, note, snoozedUntil, bookedByHand }: HandlingChange,
    at: Date,
  ): Promise<boolean> {
    const leftAt = bookedByHand === true ? at : null;
    const rows = await tx.rows(sql`
      INSERT INTO issue_handling AS known (installation_id, issue_key, assignee, note, snoozed_until, left_at)
      SELECT installation_id, issue_key, ${assignee ?? null}, ${note ?? null}, ${snoozedUntil ?? null}::date, ${leftAt}::timestamptz
      FROM issue WHERE installation_id = ${installationId} AND issue_key = ${key}
      ON CONFLICT (installation_id, issue_key) DO UPDATE SET
        assignee = CASE WHEN ${assignee === undefined} THEN known.assignee ELSE EXCLUDED.assignee END,
        note = CASE WHEN ${note === undefined} THEN known.note ELSE EXCLUDED.note END,
        snoozed_until = CASE WHEN ${snoozedUntil === undefined} THEN known.snoozed_until ELSE EXCLUDED.snoozed_until END,
        left_at = CASE WHEN ${bookedByHand === undefined} THEN known.left_at ELSE EXCLUDED.left_at END
      RETURNING issue_key`);
    return rows.length > 0;
  }
}
