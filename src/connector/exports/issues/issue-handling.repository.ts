import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';

/** How members handle an issue. */
export interface IssueHandling {
  readonly assignee: string | null;
  readonly note: string | null;
  /** 'YYYY-MM-DD', in UTC: postponed until then. */
  readonly snoozedUntil: string | null;
  /** Its entries were booked by hand, and are left as they are. */
  readonly bookedByHand: boolean;
}

@Injectable()
export class IssueHandlingRepository {
  /** @returns false where there is no such issue */
  async note(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    { assignee, note, snoozedUntil, bookedByHand }: IssueHandling,
    at: Date,
  ): Promise<boolean> {
    const rows = await tx.rows(sql`
      INSERT INTO issue_handling (installation_id, issue_key, assignee, note, snoozed_until, left_at)
      SELECT installation_id, issue_key, ${assignee}, ${note}, ${snoozedUntil}::date, CASE WHEN ${bookedByHand} THEN ${at}::timestamptz END
      FROM issue WHERE installation_id = ${installationId} AND issue_key = ${key}
      ON CONFLICT (installation_id, issue_key) DO UPDATE SET assignee = EXCLUDED.assignee, note = EXCLUDED.note,
        snoozed_until = EXCLUDED.snoozed_until, left_at = EXCLUDED.left_at
      RETURNING issue_key`);
    return rows.length > 0;
  }
}
