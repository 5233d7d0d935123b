// Which tables the data export has, and the statement of one page of each; row-level security limits it to the tenant.
// Encrypted values, token hashes and the tables of the queue are left out.
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';

const PAGE = 500;

/**
 * Up to 500 rows in the order of their keys, as `key` and `row`.
 * @param after key of the last row before; empty for the first page
 */
export type TablePage = (after: string) => SqlStatement;

/** @param key what sorts the rows, as text; @param row what is exported of one, `t` */
function pages(table: SqlStatement, key: SqlStatement, row = sql`to_jsonb(t)`): TablePage {
  return (after) => sql`
    SELECT ${key} AS key, ${row} AS row FROM ${table} t WHERE ${key} > ${after} ORDER BY key LIMIT ${PAGE}`;
}

const ID = sql`id::text`;
const BODY = sql`to_jsonb(t) - 'body' - 'body_digest' || jsonb_build_object('body', encode(body, 'base64'))`;

export const EXPORTED_TABLES: Readonly<Record<string, TablePage>> = {
  installation: pages(sql`installation`, ID),
  erp_connection: pages(
    sql`erp_connection`,
    sql`to_char(generation, 'FM0000000000')`,
    sql`to_jsonb(t) - 'sealed_secrets'`,
  ),
  member: pages(sql`member`, ID),
  mapping_version: pages(sql`mapping_version`, sql`to_char(version, 'FM0000000000')`),
  mapping_rule: pages(
    sql`mapping_rule`,
    sql`(to_char(id, 'FM0000000000') || to_char(from_version, 'FM0000000000'))`,
    sql`to_jsonb(t) - 'identity'`,
  ),
  export_job: pages(sql`export_job`, ID),
  export_item: pages(sql`export_item`, sql`(export_job_id::text || accounting_entry_id::text)`),
  issue: pages(sql`issue`, sql`issue_key`),
  failed_entry: pages(sql`failed_entry`, sql`(issue_key || accounting_entry_id)`),
  reexport: pages(sql`reexport`, ID),
  preview: pages(sql`preview`, ID),
  preview_entry: pages(sql`preview_entry`, sql`(preview_id::text || to_char(position, 'FM0000000000'))`),
  drift_target: pages(sql`drift_target`, sql`(kind || ':' || target_group || ':' || target)`),
  posting_intent: pages(
    sql`posting_intent`,
    sql`(accounting_entry_id::text || to_char(revision, 'FM0000000000') || erp_company_id)`,
  ),
  posting_resolution: pages(
    sql`posting_resolution`,
    sql`(accounting_entry_id::text || to_char(revision, 'FM0000000000') || erp_company_id || sent_at)`,
  ),
  receipt: pages(
    sql`receipt`,
    sql`(accounting_entry_id::text || to_char(position, 'FM0000000000') || erp_company_id || media_type || announced_bytes)`,
  ),
  outbox: pages(sql`outbox`, sql`(export_job_id::text || to_char(seq, 'FM0000000000'))`),
  notification: pages(sql`notification`, sql`webhook_id`, BODY),
  quarantined_notification: pages(sql`quarantined_notification`, ID, BODY),
  discrepancy: pages(sql`discrepancy`, ID),
  certificate: pages(sql`certificate`, sql`to_char(sequence, 'FM000000000000')`),
  alert_setting: pages(
    sql`alert_setting`,
    sql`installation_id::text`,
    sql`to_jsonb(t) - 'sealed_address' - 'webhook_secret'`,
  ),
  alert_message: pages(sql`alert_message`, ID),
  alert: pages(sql`alert`, ID),
  // `before` and `after` as text: the hashes cover these characters.
  audit_entry: pages(
    sql`audit_entry`,
    sql`to_char(position, 'FM000000000000')`,
    sql`to_jsonb(t) || jsonb_build_object('before', before::text, 'after', after::text, 'hash', encode(hash, 'hex'))`,
  ),
};
