import { sql, type SqlStatement } from '../../foundation/database/sql.js';
import type { InstallationId } from '../../kernel/ids.js';

/**
 * For a statement: the day that it is where the company is, by the time zone of its ERP company; that of UTC until a
 * reconciliation has learned the time zone.
 */
export function companyDay(installationId: InstallationId): SqlStatement {
  return sql`(SELECT (now() AT TIME ZONE coalesce(min(time_zone), 'UTC'))::date FROM reconciliation_schedule
              WHERE installation_id = ${installationId})`;
}
