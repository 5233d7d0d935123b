import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ItemResult as ReportedItem, JobEvent } from '../../platform/platform-api.js';
import type { ExportJob } from '../domain/export-job.js';

/** One message to the platform. */
export type OutboxMessage =
  | { readonly seq: number; readonly kind: 'started' | 'verdict'; readonly body: JobEvent }
  | { readonly seq: number; readonly kind: 'items'; readonly body: readonly ReportedItem[] };

/** Every message to the platform is a row first, in the transaction that made it true, and sent in order: `started`, items, verdict (I22). */
@Injectable()
export class OutboxRepository {
  async add(tx: Tx, job: ExportJob, kind: OutboxMessage['kind'], body: OutboxMessage['body'], at: Date): Promise<void> {
    await this.addAll(tx, job, kind, [body], at);
  }

  /** @param bodies one for each message, in their order */
  async addAll(
    tx: Tx,
    job: ExportJob,
    kind: OutboxMessage['kind'],
    bodies: readonly OutboxMessage['body'][],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at)
      SELECT ${job.installationId}, ${job.id}, message.ordinal + (
          SELECT COALESCE(max(seq), 0) FROM outbox
          WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        ), ${kind}, message.body::jsonb, ${at}
      FROM unnest(${bodies.map((body) => JSON.stringify(body))}::text[]) WITH ORDINALITY AS message (body, ordinal)`);
  }

  /** The first `limit` undelivered messages, in order. */
  async findUndelivered(tx: Tx, job: ExportJob, limit: number): Promise<readonly OutboxMessage[]> {
    return tx.rows<OutboxMessage>(sql`
      SELECT seq, kind, body FROM outbox
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND delivered_at IS NULL
      ORDER BY seq LIMIT ${limit}`);
  }

  async markDelivered(tx: Tx, job: ExportJob, seq: number, at: Date): Promise<void> {
    await this.markAllDelivered(tx, job, [seq], at);
  }

  async markAllDelivered(tx: Tx, job: ExportJob, seqs: readonly number[], at: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE outbox SET delivered_at = ${at}
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND seq = ANY(${seqs}::int[])
        AND delivered_at IS NULL`);
  }

  /** The final event this job was given, delivered or not. */
  async findVerdict(
    tx: Tx,
    job: ExportJob,
  ): Promise<{ readonly seq: number; readonly event: Exclude<JobEvent['event'], 'started'> } | undefined> {
    return tx.maybeOne(sql`
      SELECT seq, body ->> 'event' AS event FROM outbox
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND kind = 'verdict'`);
  }
}
