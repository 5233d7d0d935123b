import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

/** One stored row without secrets, and its sort key within its table. */
export interface ExportedRow {
  readonly key: string;
  readonly row: unknown;
}

const PAGE = 500;

/**
 * The exported tables, each with the statement of one page; row-level security limits it to the tenant. Encrypted values,
 * token hashes and the tables of the queue are left out.
 */
const TABLES: Readonly<Record<string, (after: string) => SqlStatement>> = {
  installation: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM installation t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  member: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM member t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  mapping_version: (after) => sql`
    SELECT to_char(version, 'FM0000000000') AS key, to_jsonb(t) AS row FROM mapping_version t
    WHERE to_char(version, 'FM0000000000') > ${after} ORDER BY key LIMIT ${PAGE}`,
  mapping_rule: (after) => sql`
    SELECT to_char(id, 'FM0000000000') || to_char(from_version, 'FM0000000000') AS key,
      to_jsonb(t) - 'identity' AS row
    FROM mapping_rule t
    WHERE to_char(id, 'FM0000000000') || to_char(from_version, 'FM0000000000') > ${after} ORDER BY key LIMIT ${PAGE}`,
  export_job: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM export_job t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  export_item: (after) => sql`
    SELECT export_job_id::text || accounting_entry_id::text AS key, to_jsonb(t) AS row FROM export_item t
    WHERE export_job_id::text || accounting_entry_id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  issue: (after) => sql`
    SELECT issue_key AS key, to_jsonb(t) AS row FROM issue t
    WHERE issue_key > ${after} ORDER BY key LIMIT ${PAGE}`,
  failed_entry: (after) => sql`
    SELECT issue_key || accounting_entry_id AS key, to_jsonb(t) AS row FROM failed_entry t
    WHERE issue_key || accounting_entry_id > ${after} ORDER BY key LIMIT ${PAGE}`,
  reexport: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM reexport t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  preview: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM preview t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  preview_entry: (after) => sql`
    SELECT preview_id::text || to_char(position, 'FM0000000000') AS key, to_jsonb(t) AS row FROM preview_entry t
    WHERE preview_id::text || to_char(position, 'FM0000000000') > ${after} ORDER BY key LIMIT ${PAGE}`,
  drift_target: (after) => sql`
    SELECT kind || ':' || target_group || ':' || target AS key, to_jsonb(t) AS row FROM drift_target t
    WHERE kind || ':' || target_group || ':' || target > ${after} ORDER BY key LIMIT ${PAGE}`,
  posting_intent: (after) => sql`
    SELECT accounting_entry_id::text || to_char(revision, 'FM0000000000') || erp_company_id AS key,
      to_jsonb(t) AS row
    FROM posting_intent t
    WHERE accounting_entry_id::text || to_char(revision, 'FM0000000000') || erp_company_id > ${after}
    ORDER BY key LIMIT ${PAGE}`,
  posting_resolution: (after) => sql`
    SELECT accounting_entry_id::text || to_char(revision, 'FM0000000000') || erp_company_id || sent_at AS key,
      to_jsonb(t) AS row
    FROM posting_resolution t
    WHERE accounting_entry_id::text || to_char(revision, 'FM0000000000') || erp_company_id || sent_at > ${after}
    ORDER BY key LIMIT ${PAGE}`,
  receipt: (after) => sql`
    SELECT accounting_entry_id::text || to_char(position, 'FM0000000000') || erp_company_id || media_type
      || announced_bytes AS key, to_jsonb(t) AS row
    FROM receipt t
    WHERE accounting_entry_id::text || to_char(position, 'FM0000000000') || erp_company_id || media_type
      || announced_bytes > ${after}
    ORDER BY key LIMIT ${PAGE}`,
  outbox: (after) => sql`
    SELECT export_job_id::text || to_char(seq, 'FM0000000000') AS key, to_jsonb(t) AS row FROM outbox t
    WHERE export_job_id::text || to_char(seq, 'FM0000000000') > ${after} ORDER BY key LIMIT ${PAGE}`,
  notification: (after) => sql`
    SELECT webhook_id AS key, to_jsonb(t) - 'body' - 'body_digest'
      || jsonb_build_object('body', encode(body, 'base64')) AS row
    FROM notification t WHERE webhook_id > ${after} ORDER BY key LIMIT ${PAGE}`,
  quarantined_notification: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) - 'body' - 'body_digest'
      || jsonb_build_object('body', encode(body, 'base64')) AS row
    FROM quarantined_notification t WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  discrepancy: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM discrepancy t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  certificate: (after) => sql`
    SELECT to_char(sequence, 'FM000000000000') AS key, to_jsonb(t) AS row FROM certificate t
    WHERE to_char(sequence, 'FM000000000000') > ${after} ORDER BY key LIMIT ${PAGE}`,
  alert_setting: (after) => sql`
    SELECT installation_id::text AS key, to_jsonb(t) - 'sealed_address' - 'webhook_secret' AS row FROM alert_setting t
    WHERE installation_id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  alert_message: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM alert_message t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  alert: (after) => sql`
    SELECT id::text AS key, to_jsonb(t) AS row FROM alert t
    WHERE id::text > ${after} ORDER BY key LIMIT ${PAGE}`,
  // `before` and `after` as text: the hashes cover these characters.
  audit_entry: (after) => sql`
    SELECT to_char(position, 'FM000000000000') AS key, to_jsonb(t)
      || jsonb_build_object('before', before::text, 'after', after::text, 'hash', encode(hash, 'hex')) AS row
    FROM audit_entry t WHERE to_char(position, 'FM000000000000') > ${after} ORDER BY key LIMIT ${PAGE}`,
};

export const EXPORTED_TABLES: readonly string[] = Object.keys(TABLES);

@Injectable()
export class DataExportRepository {
  /**
   * @param table one of EXPORTED_TABLES
   * @param after key of the last row before; empty for the first page
   * @returns up to 500 rows in the order of their keys
   */
  async readPage(tx: Tx, table: string, after: string): Promise<readonly ExportedRow[]> {
    const statement = TABLES[table]?.(after);
    return statement === undefined ? [] : tx.rows<ExportedRow>(statement);
  }
}
