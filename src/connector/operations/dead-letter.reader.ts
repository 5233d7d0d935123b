import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';

/** What was given up: a task whose attempts were used up, or a signed message that could not be understood. */
export interface DeadLetter {
  /** `task.<id>` or `message.<id>`. */
  readonly id: string;
  readonly kind: 'task' | 'message';
  readonly installationId: InstallationId;
  readonly companyName: string;
  /** The kind of the task, or why the message was quarantined. */
  readonly subject: string;
  /** What the last attempt of a task failed with. */
  readonly problem: string | null;
  /** How often all attempts of a task were used up, or a message was delivered. */
  readonly times: number;
  readonly at: Date;
}

export interface DeadLetterFilter {
  /** Of one customer; undefined: of all. */
  readonly customer: string | undefined;
  /** The last one of the page before. */
  readonly after: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/** What was given up, of one customer or of all. */
@Injectable()
export class DeadLetterReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Newest first, without contents. Messages stay for a week. */
  async list({ customer, after, limit }: DeadLetterFilter): Promise<readonly DeadLetter[]> {
    return this.tenantDatabase.acrossInstallations('list dead letters', async (tx) => {
      await tx.execute(sql`SET LOCAL enable_seqscan = off`);
      // Times are truncated to milliseconds, the precision of a cursor; what shares one is put in order by id.
      const until =
        after === undefined ? sql`'infinity'::timestamptz` : sql`${after.at}::timestamptz + interval '1 millisecond'`;
      const isOf = customer === undefined ? sql`true` : sql`installation_id = ${customer}`;
      const isBehind = after === undefined ? sql`true` : sql`(at, letter.id) < (${after.at}::timestamptz, ${after.id})`;
      return tx.rows<DeadLetter>(sql`
        SELECT letter.id, letter.kind, installation_id AS "installationId", company_name AS "companyName", subject, problem, times, at
        FROM (
          SELECT * FROM (SELECT 'task.' || id AS id, 'task' AS kind, installation_id, kind AS subject, problem, failures AS times,
              date_trunc('milliseconds', failed_at) AS at
            FROM failed_task WHERE ${isOf} AND failed_at < ${until} ORDER BY failed_at DESC LIMIT ${limit + SAME_MOMENT}) task
          UNION ALL
          SELECT * FROM (SELECT 'message.' || id, 'message', installation_id, reason, NULL, deliveries,
              date_trunc('milliseconds', received_at)
            FROM quarantined_notification WHERE ${isOf} AND ingested_at IS NULL AND body_kept_until IS NOT NULL AND received_at < ${until}
            ORDER BY received_at DESC LIMIT ${limit + SAME_MOMENT}) message
        ) letter JOIN installation ON installation.id = installation_id
        WHERE ${isBehind} ORDER BY at DESC, letter.id DESC LIMIT ${limit}`);
    });
  }
}

/** Most that are there at one millisecond: those of it that were shown on the page before are read again. */
const SAME_MOMENT = 1_000;
