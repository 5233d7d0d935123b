// Items as they were planned, many in a row of `kept_items`: such a row is compressed, and results touch narrow rows only.
import { randomUUID } from 'node:crypto';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import type { ExportJob } from '../domain/export-job.js';

/** Where the item of an accounting entry is kept; null: it is not. */
export interface KeptPlace {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  readonly keptIn: string | null;
}

/** @returns id of the row that has them; null for none */
export async function keepItems(
  tx: Tx,
  job: ExportJob,
  items: ReadonlyMap<string, ExportItem>,
): Promise<string | null> {
  if (items.size === 0) {
    return null;
  }
  const id = randomUUID();
  await tx.execute(sql`
    INSERT INTO kept_items (installation_id, export_job_id, id, items)
    VALUES (${job.installationId}, ${job.id}, ${id}, ${JSON.stringify(Object.fromEntries(items))}::jsonb)`);
  return id;
}

/** Each row is read once, however many of its items are wanted. @returns what gives the item of a place, where one is kept */
export async function readKeptItems(
  tx: Tx,
  installationId: InstallationId,
  places: readonly KeptPlace[],
): Promise<(place: KeptPlace) => ExportItem | undefined> {
  const wanted = new Map(places.flatMap(({ keptIn, exportJobId }) => (keptIn === null ? [] : [[keptIn, exportJobId]])));
  const rows = await tx.rows<{ id: string; items: Readonly<Record<string, ExportItem>> }>(sql`
    SELECT id, items FROM kept_items
    WHERE installation_id = ${installationId} AND (export_job_id, id) IN (
      SELECT * FROM unnest(${[...wanted.values()]}::uuid[], ${[...wanted.keys()]}::uuid[]))`);
  const itemsById = new Map(rows.map(({ id, items }) => [id, items]));
  return ({ accountingEntryId, keptIn }) => (keptIn === null ? undefined : itemsById.get(keptIn)?.[accountingEntryId]);
}
