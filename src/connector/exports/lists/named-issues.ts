import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { InstallationId } from '../../../kernel/ids.js';

/**
 * As a column: the issues that an item of an export failed for, as the planner named them. Of an entry that has failed for the
 * same again since, the newest export has them.
 * @param item alias of the row of `export_item`
 */
export function namedIssues(installationId: InstallationId, item: SqlStatement): SqlStatement {
  return sql`
    CASE WHEN ${item}.state = 'failed' THEN (
      SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('kind', kind, 'reference', reference,
        'group', reference_group, 'name', name)) ORDER BY issue_key), '[]')
      FROM failed_entry named JOIN issue USING (installation_id, issue_key)
      WHERE named.installation_id = ${installationId} AND named.accounting_entry_id = ${item}.accounting_entry_id
        AND named.export_job_id = ${item}.export_job_id) ELSE '[]' END`;
}
