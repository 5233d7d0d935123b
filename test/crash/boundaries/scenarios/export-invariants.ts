// What has to hold after every round, read from the records of the platform, the ledger and the connector themselves.
import type pg from 'pg';
import type { Level } from '../variant.js';
import { difference } from '../world.js';

/** What one round exports, and what has to come of it. */
export interface Export {
  readonly posted: readonly string[];
  readonly failing: readonly string[];
  readonly receiptOf?: string;
  /** How many entries of each were taken back before; 0 where nothing is said. */
  readonly reversed?: number;
  /** On the platform; not in the books before. */
  readonly vendor?: { readonly id: string; readonly name: string };
}

interface Job {
  readonly id: string;
  readonly installationId: string;
}

/** @returns the platform's newest job with this item; undefined before it is there */
export async function findJob(database: pg.Client, entryId: string): Promise<string | undefined> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT export_job_id AS id FROM simulator.export_job_item item
     JOIN simulator.export_job job ON job.id = export_job_id
     WHERE accounting_entry_id = $1 ORDER BY job.created_at DESC LIMIT 1`,
    [entryId],
  );
  return rows[0]?.id;
}

/** Whether the connector has ended the job, reported everything to the platform and released the company. */
export async function isOver(database: pg.Client, { id, installationId }: Job): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT FROM connector.export_job j
     WHERE j.id = $1 AND j.installation_id = $2 AND j.state NOT IN ('detected', 'running', 'verdict_decided')
       AND NOT EXISTS (SELECT FROM connector.outbox o WHERE o.export_job_id = j.id AND o.delivered_at IS NULL)
       AND NOT EXISTS (SELECT FROM connector.company_lease l WHERE l.installation_id = $2 AND l.expires_at > now())`,
    [id, installationId],
  );
  return rows.length > 0;
}

/**
 * @param level at `none` what was sent without an answer stays in doubt: it is reported as failed, and may be in the books
 * @returns a sentence for each invariant of an export that is broken
 */
export async function checkExport(
  database: pg.Client,
  done: Export,
  jobId: string,
  level: Level,
): Promise<readonly string[]> {
  const broken: string[] = [];
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    broken.push(...difference(what, found, expected));
  };
  const list = async (statement: string, values: readonly unknown[]) =>
    (await database.query<{ text: string }>(statement, [...values])).rows.map(({ text }) => text);
  const all = [...done.posted, ...done.failing];
  const doubts = await list(
    `SELECT accounting_entry_id::text AS text FROM connector.uncertain_posting WHERE export_job_id = $1 ORDER BY 1`,
    [jobId],
  );
  const inDoubt = new Set(level === 'none' ? doubts : []);
  expectSame('postings in doubt (I18)', doubts, [...inDoubt]);

  const events = `SELECT event AS text FROM simulator.export_job_event WHERE export_job_id = $1 ORDER BY id`;
  const posted = done.posted.filter((id) => !inDoubt.has(id));
  expectSame('events that the platform accepted (I10)', await list(events, [jobId]), [
    'started',
    verdictOf(posted.length, all.length),
  ]);

  // The books' own ids beside what the platform received and what the connector has recorded.
  const entries = await database.query<{
    key: string;
    standing: number;
    reversed: number;
    reported: string;
    kept: string;
  }>(
    `WITH books AS MATERIALIZED (
       SELECT substring(g.key FROM '[0-9a-f-]{36}') AS key,
         count(*) FILTER (WHERE r.id IS NULL)::int AS standing, count(r.id)::int AS reversed
       FROM ledger.journal_entry e JOIN ledger.posting_group g ON g.id = e.posting_group_id
       LEFT JOIN ledger.journal_entry r ON r.reverses_id = e.id
       WHERE e.role NOT IN ('realized-fx', 'reversal') GROUP BY 1)
     SELECT i.accounting_entry_id AS key, i.status || coalesce(' ' || i.external_id, '') AS reported,
       coalesce(books.standing, 0) AS standing, coalesce(books.reversed, 0) AS reversed,
       (SELECT p.state || coalesce(' ' || p.external_id, '') FROM connector.posting_intent p
        WHERE p.accounting_entry_id = i.accounting_entry_id ORDER BY revision DESC LIMIT 1) AS kept
     FROM simulator.export_job_item i LEFT JOIN books ON books.key = i.accounting_entry_id::text
     WHERE i.export_job_id = $1`,
    [jobId],
  );
  expectSame('items of the job', entries.rows.length, all.length);
  for (const row of entries.rows) {
    if (inDoubt.has(row.key)) {
      expectSame(`entries in the books of ${row.key}, which is in doubt (I1)`, row.standing > 1, false);
      expectSame(`the result at the platform of ${row.key} (I18)`, row.reported, 'failed');
      expectSame(`what is known of ${row.key} (I18)`, row.kept, 'uncertain');
      continue;
    }
    const isPosted = done.posted.includes(row.key);
    expectSame(`entries in the books of ${row.key} (I1)`, row.standing, isPosted ? 1 : 0);
    expectSame(`entries of ${row.key} that were taken back (I17)`, row.reversed, done.reversed ?? 0);
    expectSame(
      `the result at the platform of ${row.key} (I4)`,
      row.reported.split(' ')[0],
      isPosted ? 'successful' : 'failed',
    );
    if (isPosted) {
      expectSame(`number of ${row.key} on the platform (I4)`, row.reported.replace('successful', 'posted'), row.kept);
    }
  }
  if (done.receiptOf !== undefined) {
    const receipts = `SELECT a.digest AS text FROM ledger.entry_attachment a JOIN ledger.journal_entry e ON e.id = a.entry_id
      JOIN ledger.posting_group g ON g.id = e.posting_group_id WHERE g.key LIKE '%' || $1 || '%'`;
    expectSame('receipts at the entry', (await list(receipts, [done.receiptOf])).length, 1);
  }
  if (done.vendor !== undefined) {
    const vendors = `SELECT number AS text FROM ledger.vendor WHERE name = $1`;
    expectSame('vendors made in the books (I28)', (await list(vendors, [done.vendor.name])).length, 1);
  }
  return broken;
}

function verdictOf(posted: number, all: number): string {
  if (posted === all) {
    return 'completed';
  }
  return posted === 0 ? 'failed' : 'completed_with_errors';
}

/**
 * What is missing some time after the end of an export: the proof of it, which says of each entry in doubt that it is, and the number
 * of its vendor on the platform.
 */
export async function uncertified(database: pg.Client, { vendor }: Export, jobId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ text: string }>(
    `WITH in_doubt AS (SELECT accounting_entry_id FROM connector.uncertain_posting WHERE export_job_id = $1::uuid)
     SELECT 'no certificate of ' || $1 AS text
     WHERE NOT EXISTS (SELECT FROM connector.certificate c WHERE c.export_job_id = $1::uuid)
     UNION ALL
     SELECT 'certificate with discrepancies of ' || export_job_id FROM connector.certificate
     WHERE discrepancies <> (SELECT count(*) FROM in_doubt) AND export_job_id = $1::uuid
     UNION ALL
     SELECT 'discrepancy ' || class || ' of ' || subject FROM connector.discrepancy
     WHERE state = 'open' AND export_job_id = $1::uuid
       AND NOT (class = 'unknown-outcome' AND subject IN (SELECT accounting_entry_id::text FROM in_doubt))
     UNION ALL
     SELECT 'vendor ' || v.id || ' has no number on the platform' FROM simulator.vendor v
     WHERE v.id = $2::uuid AND v.code IS NULL AND v.external_id IS NULL`,
    [jobId, vendor?.id ?? null],
  );
  return rows.map(({ text }) => text);
}
