// Which tables the data export has, and the statement of one page of each; row-level security limits it to the tenant.
// Encrypted values, token hashes and the tables of the queue are left out.
import { sql, sqlList, type SqlStatement } from '../../../foundation/database/sql.js';

const PAGE = 500;

export interface ExportedTable {
  readonly table: SqlStatement;
  /** Columns of the primary key behind the installation, and their types. */
  readonly key: readonly (readonly [column: SqlStatement, type: SqlStatement])[];
  /** What is exported of one row, `t`. */
  readonly row: SqlStatement;
}

/**
 * One page in the order of the primary key, so that the index alone finds it, however many rows there are.
 * @param after key of the last row before; undefined for the first page
 * @returns a statement for up to 500 rows as `key` (texts) and `row`
 */
export function tablePage({ table, key, row }: ExportedTable, after: readonly string[] | undefined): SqlStatement {
  const columns = sqlList(key.map(([column]) => column));
  const texts = sqlList(key.map(([column]) => sql`${column}::text`));
  const bounds = sqlList(key.map(([, type], index) => sql`${after?.[index]}::${type}`));
  const isBehind = after === undefined ? sql`true` : sql`(${columns}) > (${bounds})`;
  return sql`SELECT ARRAY[${texts}] AS key, ${row} AS row FROM ${table} t WHERE ${isBehind} ORDER BY ${columns} LIMIT ${PAGE}`;
}

const UUID = sql`uuid`;
const TEXT = sql`text`;
const INTEGER = sql`integer`;
const BIGINT = sql`bigint`;

const WHOLE_ROW = sql`to_jsonb(t)`;
const BODY = sql`to_jsonb(t) - 'body' - 'body_digest' || jsonb_build_object('body', encode(body, 'base64'))`;

const byId = (table: SqlStatement, row = WHOLE_ROW): ExportedTable => ({ table, key: [[sql`id`, UUID]], row });

function byKey(table: SqlStatement, key: ExportedTable['key'], row = WHOLE_ROW): ExportedTable {
  return { table, key, row };
}

const POSTED_ENTRY = [
  [sql`erp_company_id`, TEXT],
  [sql`accounting_entry_id`, UUID],
] as const;

export const EXPORTED_TABLES: Readonly<Record<string, ExportedTable>> = {
  installation: byId(sql`installation`),
  erp_connection: byKey(sql`erp_connection`, [[sql`generation`, INTEGER]], sql`to_jsonb(t) - 'sealed_secrets'`),
  rate_table: byKey(sql`rate_table`, [[sql`installation_id`, UUID]]),
  member: byId(sql`member`),
  mapping_version: byKey(sql`mapping_version`, [[sql`version`, INTEGER]]),
  mapping_rule: byKey(
    sql`mapping_rule`,
    [
      [sql`id`, INTEGER],
      [sql`from_version`, INTEGER],
    ],
    sql`to_jsonb(t) - 'identity'`,
  ),
  operator_action: byId(sql`operator_action`),
  export_job: byId(sql`export_job`),
  export_item: byKey(sql`export_item`, [
    [sql`accounting_entry_id`, UUID],
    [sql`export_job_id`, UUID],
  ]),
  item_chunk: byKey(
    sql`item_chunk`,
    [
      [sql`export_job_id`, UUID],
      [sql`id`, UUID],
    ],
    sql`to_jsonb(t) - 'words' - 'uses' - 'first_day' - 'last_day' || jsonb_build_object('items', items::jsonb)`,
  ),
  plan_chunk: byKey(
    sql`plan_chunk`,
    [
      [sql`export_job_id`, UUID],
      [sql`id`, UUID],
    ],
    sql`to_jsonb(t) || jsonb_build_object('plans', plans::jsonb)`,
  ),
  issue: byKey(sql`issue`, [[sql`issue_key`, TEXT]]),
  issue_handling: byKey(sql`issue_handling`, [[sql`issue_key`, TEXT]]),
  failed_entry: byKey(sql`failed_entry`, [
    [sql`issue_key`, TEXT],
    [sql`accounting_entry_id`, UUID],
  ]),
  reexport: byId(sql`reexport`),
  preview: byId(sql`preview`),
  preview_entry: byKey(sql`preview_entry`, [
    [sql`preview_id`, UUID],
    [sql`position`, INTEGER],
  ]),
  drift_target: byKey(sql`drift_target`, [
    [sql`kind`, TEXT],
    [sql`target_group`, TEXT],
    [sql`target`, TEXT],
  ]),
  posting_intent: byKey(sql`posting_intent`, [...POSTED_ENTRY, [sql`revision`, INTEGER]]),
  uncertain_posting: byKey(sql`uncertain_posting`, [...POSTED_ENTRY, [sql`revision`, INTEGER]]),
  posting_resolution: byKey(sql`posting_resolution`, [
    ...POSTED_ENTRY,
    [sql`revision`, INTEGER],
    [sql`sent_at`, sql`timestamptz`],
  ]),
  receipt: byKey(sql`receipt`, [
    ...POSTED_ENTRY,
    [sql`position`, INTEGER],
    [sql`media_type`, TEXT],
    [sql`announced_bytes`, BIGINT],
  ]),
  outbox: byKey(sql`outbox`, [
    [sql`export_job_id`, UUID],
    [sql`seq`, INTEGER],
  ]),
  notification: byKey(sql`notification`, [[sql`webhook_id`, TEXT]], BODY),
  quarantined_notification: byId(sql`quarantined_notification`, BODY),
  discrepancy: byId(sql`discrepancy`),
  job_total: byKey(sql`job_total`, [[sql`export_job_id`, UUID]]),
  month_sign_off: byKey(sql`month_sign_off`, [
    [sql`erp_company_id`, TEXT],
    [sql`month`, TEXT],
    [sql`sequence`, INTEGER],
  ]),
  test_posting: byId(sql`test_posting`),
  certificate: byKey(sql`certificate`, [[sql`sequence`, BIGINT]]),
  alert_setting: byKey(
    sql`alert_setting`,
    [[sql`installation_id`, UUID]],
    sql`to_jsonb(t) - 'sealed_address' - 'webhook_secret'`,
  ),
  alert_message: byId(sql`alert_message`),
  alert: byId(sql`alert`),
  // With what its entry in the audit log has a digest of, while it is kept.
  download: byId(sql`download`, sql`to_jsonb(t) - 'has_ip'`),
  // `before` and `after` as text: the hashes cover these characters.
  audit_entry: byKey(
    sql`audit_entry`,
    [[sql`position`, BIGINT]],
    sql`to_jsonb(t) || jsonb_build_object('before', before::text, 'after', after::text, 'hash', encode(hash, 'hex'))`,
  ),
};
