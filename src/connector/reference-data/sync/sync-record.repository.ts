import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { cutText } from '../../../kernel/text.js';
import type { PlannedChange, SyncAction, SyncProblem } from '../domain/sync-plan.js';
import { identityOf, type RecordIdentity, type RecordOutcome, type SyncLease } from '../domain/sync-run.js';

/** A change without a recorded outcome. */
export interface UnknownRecord extends RecordIdentity {
  readonly seq: number;
}

export interface RecordedOutcome {
  readonly seq: number;
  readonly outcome: 'done' | 'problem';
  readonly detail: string | null;
}

/** Longest stored text of the connector, the platform or the ERP. */
const MAX_DETAIL_LENGTH = 500;

/** Each record that a run changed. Written by the run's owner only, so numbers follow each other. */
@Injectable()
export class SyncRecordRepository {
  /** @returns the sequence number of the first record; the others follow */
  async add(tx: Tx, run: SyncLease, steps: readonly PlannedChange[], outcome: 'planned' | 'sent'): Promise<number> {
    const rows = steps.map((step) => ({ ...identityOf(step), name: step.name, outcome, detail: null }));
    return this.insert(tx, run, rows);
  }

  async addProblems(tx: Tx, run: SyncLease, problems: readonly SyncProblem[]): Promise<void> {
    const rows = problems.map(({ subject, key, name, detail }) => ({
      subject,
      action: null,
      key,
      targetId: null,
      name,
      outcome: 'problem' as const,
      detail: cutText(detail, MAX_DETAIL_LENGTH),
    }));
    await this.insert(tx, run, rows);
  }

  async recordOutcomes(tx: Tx, { installationId, id }: SyncLease, settled: readonly RecordedOutcome[]): Promise<void> {
    const rows = settled.map(({ detail, ...row }) => ({
      ...row,
      detail: detail && cutText(detail, MAX_DETAIL_LENGTH),
    }));
    await tx.execute(sql`
      UPDATE sync_record SET outcome = settled.outcome, detail = settled.detail
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS settled (seq integer, outcome text, detail text)
      WHERE installation_id = ${installationId} AND run_id = ${id} AND sync_record.seq = settled.seq`);
  }

  async findUnknown(tx: Tx, { installationId, id }: SyncLease): Promise<readonly UnknownRecord[]> {
    return tx.rows<UnknownRecord>(sql`
      SELECT seq, subject, action, key, target_id AS "targetId" FROM sync_record
      WHERE installation_id = ${installationId} AND run_id = ${id} AND outcome = 'sent' ORDER BY seq`);
  }

  /** For changes that did not happen. */
  async remove(tx: Tx, { installationId, id }: SyncLease, seqs: readonly number[]): Promise<void> {
    await tx.execute(sql`
      DELETE FROM sync_record
      WHERE installation_id = ${installationId} AND run_id = ${id} AND seq = ANY(${[...seqs]}::integer[])`);
  }

  async removePlanned(tx: Tx, { installationId, id }: SyncLease): Promise<void> {
    await tx.execute(sql`
      DELETE FROM sync_record WHERE installation_id = ${installationId} AND run_id = ${id} AND outcome = 'planned'`);
  }

  private async insert(
    tx: Tx,
    { installationId, id }: SyncLease,
    rows: readonly (Omit<RecordIdentity, 'action'> & {
      readonly action: SyncAction | null;
      readonly name: string;
      readonly outcome: RecordOutcome;
      readonly detail: string | null;
    })[],
  ): Promise<number> {
    const { first } = await tx.one<{ first: number }>(sql`
      SELECT coalesce(max(seq), 0) + 1 AS first FROM sync_record
      WHERE installation_id = ${installationId} AND run_id = ${id}`);
    const numbered = rows.map((row, index) => ({
      ...row,
      seq: first + index,
      // PostgreSQL has no text with this character in it.
      key: row.key.replaceAll('\0', ''),
      name: row.name.replaceAll('\0', ''),
    }));
    await tx.execute(sql`
      INSERT INTO sync_record (installation_id, run_id, seq, subject, action, key, target_id, name, outcome, detail)
      SELECT ${installationId}::uuid, ${id}::uuid, fresh.seq, fresh.subject, fresh.action, fresh.key, fresh."targetId",
        fresh.name, fresh.outcome, fresh.detail
      FROM jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) AS fresh (seq integer, subject text, action text,
        key text, "targetId" text, name text, outcome text, detail text)`);
    return first;
  }
}
