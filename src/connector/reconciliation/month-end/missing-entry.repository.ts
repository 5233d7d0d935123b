import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { parseCurrency } from '../../../kernel/currency.js';
import type { ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import { addDecimals, formatDecimal, parseDecimal, type Decimal } from '../../../kernel/decimal.js';
import { statedMinor } from '../../../kernel/money.js';
import { toIssue, type StoredIssue } from '../../bookkeeping/item/issues.js';
import type { MissingEntry, MissingReason, MissingTotal } from '../domain/month-end.js';

/** What is asked: the month of one company of the ERP. */
export interface MonthScope {
  readonly installationId: InstallationId;
  readonly erpCompanyId: ErpCompanyId;
  /** Whether a job that never reached a company of the ERP counts for this one: it is the linked one. */
  readonly isLinked: boolean;
  /** IANA name: of what has no date of its own, the day of its export counts. */
  readonly timeZone: string;
}

interface Amount {
  readonly currency: string | null;
  /** Minor units; null where the amount is known in the platform's hundredths. */
  readonly minor: string | null;
  readonly hundredths: string | null;
}

interface Row extends Amount {
  readonly why: MissingReason;
  readonly accounting_entry_id: string;
  readonly export_job_id: string;
  readonly date: string;
  readonly supplier: string | null;
  readonly issue_key: string | null;
  readonly issue: StoredIssue | null;
}

/** The item's own day, as the planner reads it (B6.1); null where the text is none. */
const ownDay = (text: SqlStatement, timeZone: string) => sql`
  CASE WHEN ${text} ~ '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$' AND pg_input_is_valid(${text}, 'date') THEN ${text}
    WHEN ${text} ~ '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$' AND pg_input_is_valid(${text}, 'timestamptz')
      THEN ((${text})::timestamptz AT TIME ZONE ${timeZone})::date::text END`;

/**
 * What is not in the books, each entry once: uncertain before waiting, waiting before failed. What people have booked by hand is
 * not missing.
 */
const missing = ({ installationId, erpCompanyId, isLinked, timeZone }: MonthScope) => sql`
  known AS (
    SELECT 1 AS rank, 'uncertain' AS why, accounting_entry_id, export_job_id, erp_company_id AS company, NULL AS issue_key,
      NULL AS currency, NULL::numeric AS minor,
      (SELECT plans::json -> intent.accounting_entry_id::text -> 0 ->> 'postingDate' FROM plan_chunk chunk
        WHERE chunk.installation_id = ${installationId} AND chunk.export_job_id = intent.export_job_id
          AND chunk.id = intent.plan_chunk_id) AS posting_date
    FROM uncertain_posting JOIN posting_intent intent
      USING (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id)
    WHERE installation_id = ${installationId}
    UNION ALL
    SELECT 2, 'waiting', accounting_entry_id, export_job_id, erp_company_id, NULL, NULL, NULL, NULL
    FROM export_job JOIN export_item item USING (installation_id)
    WHERE installation_id = ${installationId} AND item.export_job_id = export_job.id AND item.state = 'pending'
      AND export_job.state IN ('detected', 'running', 'verdict_decided')
    UNION ALL
    SELECT 3, 'failed', accounting_entry_id, (array_agg(entry.export_job_id ORDER BY last_seen_at DESC))[1], NULL,
      min(issue_key), max(currency), max(amount_minor), NULL
    FROM failed_entry entry LEFT JOIN issue_handling USING (installation_id, issue_key)
    WHERE installation_id = ${installationId} AND cleared_at IS NULL AND (left_at IS NULL OR left_at < last_seen_at)
    GROUP BY accounting_entry_id
  ), once AS (
    SELECT DISTINCT ON (accounting_entry_id) known.*, item_chunk_id, amount,
      (created_on_platform_at AT TIME ZONE ${timeZone})::date::text AS job_date
    FROM known JOIN export_job job ON job.installation_id = ${installationId} AND job.id = known.export_job_id
      LEFT JOIN export_item item ON item.installation_id = ${installationId} AND item.export_job_id = known.export_job_id
        AND item.accounting_entry_id = known.accounting_entry_id
    WHERE coalesce(company, job.erp_company_id) = ${erpCompanyId}
      OR ${isLinked} AND coalesce(company, job.erp_company_id) IS NULL
    ORDER BY accounting_entry_id, rank
  ), fact AS (
    -- Each row of items is opened once.
    SELECT item.key::uuid AS accounting_entry_id, chunk.export_job_id, ${ownDay(sql`value ->> 'date'`, timeZone)} AS date,
      coalesce(nullif(btrim(value #>> '{vendor,name}'), ''), value #>> '{supplier,name}') AS supplier
    FROM (SELECT DISTINCT export_job_id, item_chunk_id FROM once WHERE item_chunk_id IS NOT NULL) AS place
      JOIN item_chunk chunk ON chunk.installation_id = ${installationId} AND chunk.export_job_id = place.export_job_id
        AND chunk.id = place.item_chunk_id
      CROSS JOIN LATERAL json_each(items::json) AS item
  ), missing AS (
    SELECT why, once.accounting_entry_id, once.export_job_id, issue_key, supplier,
      coalesce(posting_date, fact.date, job_date) AS date, coalesce(currency, amount ->> 'currency') AS currency,
      minor, CASE WHEN minor IS NULL AND amount ->> 'value' ~ '^-?[0-9]{1,20}([.][0-9]{1,10})?$'
        THEN (amount ->> 'value')::numeric END AS hundredths
    FROM once LEFT JOIN fact USING (accounting_entry_id, export_job_id)
  )`;

/** What of a month is not in the books. */
@Injectable()
export class MissingEntryRepository {
  /** By date, at most `limit`. @param month `YYYY-MM` */
  async list(tx: Tx, scope: MonthScope, month: string, limit: number): Promise<readonly MissingEntry[]> {
    const rows = await tx.rows<Row>(sql`
      WITH ${missing(scope)}
      SELECT why, accounting_entry_id, export_job_id, date, supplier, currency, minor::text AS minor,
        hundredths::text AS hundredths, issue_key,
        (SELECT jsonb_build_object('kind', kind, 'reference', reference, 'group', reference_group, 'name', name) FROM issue
          WHERE issue.installation_id = ${scope.installationId} AND issue.issue_key = missing.issue_key) AS issue
      FROM missing WHERE left(date, 7) = ${month} ORDER BY date, accounting_entry_id LIMIT ${limit}`);
    return rows.map((row) => ({
      accountingEntryId: row.accounting_entry_id,
      exportJobId: row.export_job_id,
      why: row.why,
      date: row.date,
      supplier: row.supplier ?? undefined,
      issueKey: row.issue_key ?? undefined,
      issue: row.issue === null ? undefined : toIssue(row.issue),
      ...amountOf(row),
    }));
  }

  /** @param month `YYYY-MM` */
  async totals(tx: Tx, scope: MonthScope, month: string): Promise<readonly MissingTotal[]> {
    const rows = await tx.rows<Amount & { readonly why: MissingReason; readonly entries: number }>(sql`
      WITH ${missing(scope)}
      SELECT why, currency, count(*)::int AS entries, sum(minor)::text AS minor, sum(hundredths)::text AS hundredths
      FROM missing WHERE left(date, 7) = ${month} GROUP BY why, currency ORDER BY why, currency`);
    return rows.map((row) => ({ why: row.why, entries: row.entries, ...total(row) }));
  }

  /** How many entries are missing, by month. */
  async countByMonth(tx: Tx, scope: MonthScope): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.rows<{ readonly month: string; readonly entries: number }>(sql`
      WITH ${missing(scope)} SELECT left(date, 7) AS month, count(*)::int AS entries FROM missing GROUP BY 1`);
    return new Map(rows.map(({ month, entries }) => [month, entries]));
  }
}

function amountOf({ currency: code, minor, hundredths }: Amount): Pick<MissingEntry, 'currency' | 'amountMinor'> {
  const currency = parseCurrency(code ?? '');
  if (currency === undefined) return { currency, amountMinor: undefined };
  return { currency, amountMinor: minor ?? (hundredths === null ? undefined : statedMinor(hundredths, currency)) };
}

function total(amount: Amount): Pick<MissingTotal, 'currency' | 'amountMinor'> {
  const { currency, amountMinor: known } = amountOf({ ...amount, hundredths: null });
  const { amountMinor: stated } = amountOf({ ...amount, minor: null });
  return { currency, amountMinor: formatDecimal(addDecimals(decimalOf(known), decimalOf(stated))) };
}

function decimalOf(text: string | undefined): Decimal {
  return parseDecimal(text ?? '0') ?? { coefficient: 0n, scale: 0 };
}
