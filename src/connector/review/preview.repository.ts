import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ExportItem } from '../bookkeeping/item/export-item.js';
import type { PreviewResult } from './domain/preview-result.js';

export interface Preview {
  readonly id: string;
  readonly exportJobId: string | null;
  readonly source: 'platform' | 'stored' | 'provided';
  readonly erpCompanyId: string;
  readonly mappingVersion: number;
  readonly newestVersion: number;
  readonly saved: boolean;
  readonly digest: string;
  readonly entries: number;
  readonly more: boolean;
  readonly madeBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface PreviewEntry {
  readonly position: number;
  readonly accountingEntryId: string;
  readonly item: ExportItem | null;
  readonly planDigest: string | null;
  readonly result: PreviewResult;
}

/** Newest ones that an installation keeps. */
const MAX_PREVIEWS = 20;

@Injectable()
export class PreviewRepository {
  /** Keeps it, and forgets what is too old or too much. */
  async add(tx: Tx, installationId: InstallationId, preview: Preview, entries: readonly PreviewEntry[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO preview (installation_id, id, export_job_id, source, erp_company_id, mapping_version, newest_version, saved,
        digest, entries, more, made_by, created_at, expires_at)
      VALUES (${installationId}, ${preview.id}, ${preview.exportJobId}, ${preview.source}, ${preview.erpCompanyId},
        ${preview.mappingVersion}, ${preview.newestVersion}, ${preview.saved}, ${preview.digest}, ${preview.entries},
        ${preview.more}, ${preview.madeBy}, ${preview.createdAt}, ${preview.expiresAt})`);
    await tx.execute(sql`
      INSERT INTO preview_entry (installation_id, preview_id, position, accounting_entry_id, item, plan_digest, result)
      SELECT ${installationId}, ${preview.id}, entry.position, entry.id, entry.item::jsonb, entry.digest, entry.result::jsonb
      FROM unnest(${entries.map(({ position }) => position)}::int[],
        ${entries.map((entry) => entry.accountingEntryId)}::uuid[],
        ${entries.map(({ item }) => (item === null ? null : JSON.stringify(item)))}::text[],
        ${entries.map(({ planDigest }) => planDigest)}::text[],
        ${entries.map(({ result }) => JSON.stringify(result))}::text[]) AS entry (position, id, item, digest, result)`);
    await tx.execute(sql`
      DELETE FROM preview WHERE installation_id = ${installationId} AND (expires_at < ${preview.createdAt} OR id IN (
        SELECT id FROM preview WHERE installation_id = ${installationId}
        ORDER BY created_at DESC, id OFFSET ${MAX_PREVIEWS}))`);
  }
}
