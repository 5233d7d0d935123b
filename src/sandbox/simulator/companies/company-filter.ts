import { sql, type SqlStatement } from '../../../foundation/database/sql.js';

/** The condition that a row is of one of these companies; of one company, its indexes give the rows in order. */
export function companyFilter(ids: readonly string[]): SqlStatement {
  const [only, ...others] = ids;
  return others.length === 0 ? sql`company_id = ${only ?? null}` : sql`company_id = ANY(${ids}::uuid[])`;
}
