// Items and plans are stored with up to 100 accounting entries in one compressed row that is never changed; states change in narrow
// rows only (docs/adr/0009).
import { randomUUID } from 'node:crypto';
import { prepared, sql, sqlList } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import type { ExportJob } from '../domain/export-job.js';
import { storablePlan, usedByPlans } from '../domain/plans/stored-plan.js';
import { searchColumnsOf, type EndedItem } from '../domain/search/search-lines.js';

const TABLES = {
  items: sql`(SELECT installation_id, export_job_id, id, items AS text FROM item_chunk)`,
  plans: sql`(SELECT installation_id, export_job_id, id, plans AS text FROM plan_chunk)`,
};

/** The row with the item or plan of an accounting entry. */
export interface StorageLocation {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  /** Null: nothing is stored. */
  readonly storedIn: string | null;
}

/** Enough to compress well, few enough to read one of them alone. */
const ENTRIES_PER_ROW = 100;

/**
 * Stores planned entries, with columns for the vendors and mapping rules that they use.
 * @param plans by accounting entry
 * @returns the row of each plan, by accounting entry
 */
export function storePlans(
  tx: Tx,
  job: ExportJob,
  plans: ReadonlyMap<string, readonly PlannedEntry[]>,
): ReadonlyMap<string, string> {
  const rows = inRows(plans);
  if (rows.length > 0) {
    const values = rows.map(({ id, entries }) => {
      const json = storedText(entries.map(([entry, plan]) => [entry, storablePlan(plan)]));
      const { vendorIds, ruleIds } = usedByPlans(entries.map(([, plan]) => plan));
      return sql`(${job.installationId}, ${job.id}, ${id}, ${json}, ${vendorIds}::text[], ${ruleIds}::text[])`;
    });
    tx.defer(
      prepared(sql`
      INSERT INTO plan_chunk (installation_id, export_job_id, id, plans, vendor_ids, rule_ids) VALUES ${sqlList(values)}`),
    );
  }
  return rowOfEach(rows);
}

/**
 * Stores items, with the columns that they are searched by.
 * @returns the row of each item, by accounting entry
 */
export function storeItems(tx: Tx, job: ExportJob, items: ReadonlyMap<string, EndedItem>): ReadonlyMap<string, string> {
  const rows = inRows(items);
  if (rows.length > 0) {
    const values = rows.map(({ id, entries }) => {
      const { words, uses, firstDay, lastDay } = searchColumnsOf(entries);
      const json = storedText(entries.map(([entry, { item }]) => [entry, item]));
      return sql`(${job.installationId}, ${job.id}, ${id}, ${json}, ${words}, ${JSON.stringify(uses)}::jsonb,
        ${firstDay}::date, ${lastDay}::date)`;
    });
    tx.defer(
      prepared(sql`
      INSERT INTO item_chunk (installation_id, export_job_id, id, items, words, uses, first_day, last_day)
      VALUES ${sqlList(values)}`),
    );
  }
  return rowOfEach(rows);
}

interface RowOf<T> {
  readonly id: string;
  readonly entries: readonly (readonly [string, T])[];
}

function inRows<T>(byEntry: ReadonlyMap<string, T>): readonly RowOf<T>[] {
  const entries = [...byEntry];
  return Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_ROW) }, (_, index) => ({
    id: randomUUID(),
    entries: entries.slice(index * ENTRIES_PER_ROW, (index + 1) * ENTRIES_PER_ROW),
  }));
}

function rowOfEach(rows: readonly RowOf<unknown>[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(({ id, entries }) => entries.map(([entry]) => [entry, id])));
}

/** Reads each row once. @returns a function that gives the data at a location, undefined where there is none */
export async function readStored<T>(
  tx: Tx,
  what: keyof typeof TABLES,
  installationId: InstallationId,
  locations: readonly StorageLocation[],
): Promise<(location: StorageLocation) => T | undefined> {
  const wanted = [...Map.groupBy(locations, ({ storedIn }) => storedIn)].flatMap(([id, inRow]) =>
    id === null ? [] : [{ id, jobId: inRow[0]?.exportJobId, entries: inRow.map((each) => each.accountingEntryId) }],
  );
  if (wanted.length === 0) {
    return () => undefined;
  }
  // Where a row has one entry per line, only the wanted lines are transferred.
  const rows = await tx.rows<{ id: string; text: string }>(
    prepared(sql`
    SELECT chunk.id, CASE WHEN substr(text, 1, 2) = E'{\n' THEN (
        SELECT string_agg(line, E'\n') FROM string_to_table(text, E'\n') AS line
        WHERE strpos(wanted.entries, substr(line, 2, 36)) > 0) ELSE text END AS text
    FROM unnest(${wanted.map(({ jobId }) => jobId)}::uuid[], ${wanted.map(({ id }) => id)}::uuid[],
      ${wanted.map(({ entries }) => entries.join(' '))}::text[]) AS wanted (job_id, id, entries)
    JOIN ${TABLES[what]} AS chunk
      ON chunk.installation_id = ${installationId} AND chunk.export_job_id = wanted.job_id AND chunk.id = wanted.id`),
  );
  const byId = new Map(rows.map(({ id, text }) => [id, entriesOf(text)]));
  return ({ accountingEntryId, storedIn }) =>
    storedIn === null ? undefined : (byId.get(storedIn)?.(accountingEntryId) as T | undefined);
}

/** JSON with one entry per line, so that a reader of one entry parses only its line. */
export function storedText(entries: readonly (readonly [entry: string, data: unknown])[]): string {
  return `{\n${entries.map(([entry, data]) => `"${entry}":${JSON.stringify(data)}`).join(',\n')}\n}`;
}

/** @returns a function that parses and gives the data of one entry, undefined where the row lacks it */
function entriesOf(text: string): (entry: string) => unknown {
  const [first, ...lines] = text.split('\n');
  if (first !== '{') {
    // A statement has changed the row, and with it the layout.
    const all = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return (entry) => all[entry];
  }
  const key = '"00000000-0000-0000-0000-000000000000":';
  const byEntry = new Map(lines.map((line) => [line.slice(1, key.length - 2), line]));
  return (entry) => {
    const line = byEntry.get(entry);
    return line === undefined ? undefined : (JSON.parse(line.slice(key.length).replace(/,$/, '')) as unknown);
  };
}
