import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { FIELD } from '../domain/search/search-lines.js';
import { currencySums, type CurrencySum, type WireSum } from '../stores/currency-sums.js';
import { AMOUNT, conditionsOf, type EntryFilter } from './entry-filter.js';
import { isNewest } from './entry-list.reader.js';

export interface EntryTotals {
  readonly total: number;
  /** Of those with a readable amount. */
  readonly sums: readonly CurrencySum[];
}

/** Number and sums of the entries that a search finds over all exports, from the same search lines as the list. */
@Injectable()
export class EntryTotalsReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  async totals(installationId: InstallationId, filter: EntryFilter): Promise<EntryTotals> {
    return this.tenantDatabase.inInstallation('add up entries', installationId, async (tx) => {
      const rows = await tx.rows<{ total: number; currency: string; hundredths: string | null }>(
        totalsStatement(installationId, filter),
      );
      const sums: WireSum[] = rows.flatMap(({ currency, hundredths }) =>
        hundredths === null ? [] : [{ currency, hundredths }],
      );
      return { total: rows.reduce((sum, { total }) => sum + total, 0), sums: currencySums(sums) };
    });
  }
}

function totalsStatement(installationId: InstallationId, filter: EntryFilter): SqlStatement {
  const { inChunk, inLine } = conditionsOf(installationId, filter);
  const state = filter.state ?? null;
  // Only entries in several exports, and those whose posting has another state than their result, are examined one by one.
  return sql`
    WITH twice AS MATERIALIZED (
      SELECT accounting_entry_id AS id FROM export_item WHERE installation_id = ${installationId}
      GROUP BY accounting_entry_id HAVING count(*) > 1
    ), otherwise AS MATERIALIZED (
      SELECT accounting_entry_id AS id FROM posting_intent WHERE installation_id = ${installationId} AND state <> 'posted'
    ), found AS (
      SELECT split_part(line, ${FIELD}, 1)::uuid AS id, split_part(line, ${FIELD}, 2) AS letter, export_job_id,
        split_part(line, ${FIELD}, 8) AS currency, ${AMOUNT} * 100 AS hundredths
      FROM item_chunk chunk CROSS JOIN LATERAL string_to_table(chunk.words, E'\n') AS line
      WHERE chunk.installation_id = ${installationId} AND ${inChunk} AND ${inLine})
    SELECT count(*)::int AS total, ltrim(currency, '-') AS currency,
      sum(CASE WHEN starts_with(currency, '-') THEN -hundredths ELSE hundredths END)::text AS hundredths
    FROM found JOIN export_job job ON job.installation_id = ${installationId} AND job.id = found.export_job_id
    WHERE CASE WHEN found.id IN (SELECT id FROM twice) THEN ${isNewest(installationId)} ELSE true END
      AND CASE WHEN ${state}::text IS NULL THEN true
        WHEN letter = 's' AND found.id NOT IN (SELECT id FROM otherwise) THEN ${state} = 'posted'
        ELSE ${state} = coalesce((
          SELECT CASE WHEN state IN ('sent', 'uncertain') THEN 'uncertain' WHEN state IN ('reversed', 'posted') THEN state END
          FROM posting_intent intent WHERE intent.installation_id = ${installationId} AND intent.erp_company_id = job.erp_company_id
            AND intent.accounting_entry_id = found.id ORDER BY revision DESC LIMIT 1),
          CASE letter WHEN 's' THEN 'posted' ELSE 'failed' END) END
    GROUP BY ltrim(currency, '-') ORDER BY currency`;
}
