import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { listedFactsOf, type ListedFacts } from '../domain/search/listed-facts.js';
import { readStored, type StorageLocation } from '../stores/stored-contents.js';

/** What shows a person which entries are meant, for lists that have only their ids. */
@Injectable()
export class EntryFactsReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @returns by accounting entry, of the newest export of which its item is kept; of others nothing */
  async read(
    installationId: InstallationId,
    accountingEntryIds: readonly string[],
  ): Promise<ReadonlyMap<string, ListedFacts>> {
    return this.tenantDatabase.inInstallation('read facts of entries', installationId, async (tx) => {
      const stored = await tx.rows<StorageLocation>(sql`
        SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId",
          item_chunk_id AS "storedIn"
        FROM export_item item JOIN export_job job ON job.installation_id = ${installationId} AND job.id = export_job_id
        WHERE item.installation_id = ${installationId} AND accounting_entry_id = ANY(${[...accountingEntryIds]}::uuid[])
          AND item_chunk_id IS NOT NULL
        ORDER BY accounting_entry_id, detected_at DESC`);
      const itemAt = await readStored<ExportItem>(tx, 'items', installationId, stored);
      return new Map(stored.map((place) => [place.accountingEntryId, listedFactsOf(itemAt(place))]));
    });
  }
}
