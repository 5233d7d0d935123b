import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ReportedItem, JobEvent } from '../../platform/platform-api.js';
import { LeaseLost } from '../../runs/lease.js';
import type { ExportJob } from '../domain/export-job.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';

/** One message to the platform. */
export type OutboxMessage =
  | { readonly seq: number; readonly kind: 'started' | 'verdict'; readonly body: JobEvent }
  | { readonly seq: number; readonly kind: 'items'; readonly body: readonly ReportedItem[] };

/** Messages to the platform, written in the transaction of what they report and sent in order: `started`, items, verdict (I22). */
@Injectable()
export class OutboxRepository {
  /**
   * The last statement of its transaction.
   * @returns the message; undefined when other messages have to be sent first
   */
  async addLast(
    tx: Tx,
    job: ExportJob,
    kind: 'started' | 'verdict',
    body: JobEvent,
    at: Date,
  ): Promise<OutboxMessage | undefined> {
    const [added] = await tx.last<{ readonly seq: number; readonly others: boolean }>(sql`
      INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at)
      SELECT ${job.installationId}, ${job.id}, COALESCE(max(seq), 0) + 1, ${kind}, ${JSON.stringify(body)}::jsonb, ${at}
      FROM outbox WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
      RETURNING seq, EXISTS (SELECT 1 FROM outbox WHERE installation_id = ${job.installationId}
        AND export_job_id = ${job.id} AND delivered_at IS NULL) AS others`);
    return added === undefined || added.others ? undefined : { seq: added.seq, kind, body };
  }

  /** @param items the results in each message, by its number */
  addItems(tx: Tx, job: ExportJob, items: ReadonlyMap<number, readonly ReportedItem[]>, at: Date): void {
    tx.defer(sql`
      INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at)
      SELECT ${job.installationId}, ${job.id}, message.seq, 'items', message.body::jsonb, ${at}
      FROM unnest(${[...items.keys()]}::int[], ${[...items.values()].map((body) => JSON.stringify(body))}::text[])
        AS message (seq, body)`);
  }

  /**
   * The first `limit` undelivered messages, in order, for a company's owner, by one statement that locks nothing.
   * @throws LeaseLost
   */
  async findUndelivered(tx: Tx, job: ExportJob, lease: CompanyLease, limit: number): Promise<readonly OutboxMessage[]> {
    const rows = await tx.rows<OutboxMessage | { readonly seq: null }>(
      prepared(sql`
      SELECT message.* FROM company_lease LEFT JOIN LATERAL (
        SELECT seq, kind, body FROM outbox
        WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND delivered_at IS NULL
        ORDER BY seq LIMIT ${limit}) AS message ON true
      WHERE company_lease.installation_id = ${lease.installationId} AND company_id = ${lease.companyId}
        AND fence = ${lease.fence} AND holder = ${lease.holder}`),
    );
    if (rows.length === 0) {
      throw new LeaseLost(lease, `the lease on company ${lease.companyId} was taken over`);
    }
    return rows.filter((row) => row.seq !== null).toSorted((one, other) => one.seq - other.seq);
  }

  markDelivered(tx: Tx, job: ExportJob, seqs: readonly number[], at: Date): void {
    tx.defer(
      prepared(sql`
      UPDATE outbox SET delivered_at = ${at}
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND seq = ANY(${seqs}::int[])
        AND delivered_at IS NULL`),
    );
  }

  /** The verdict of this job, delivered or not. */
  async findVerdict(
    tx: Tx,
    job: ExportJob,
  ): Promise<{ readonly seq: number; readonly event: Exclude<JobEvent['event'], 'started'> } | undefined> {
    return tx.maybeOne(sql`
      SELECT seq, body ->> 'event' AS event FROM outbox
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND kind = 'verdict'`);
  }
}
