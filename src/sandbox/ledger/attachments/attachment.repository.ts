import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { AttachmentDto } from './attachment.dto.js';

export interface AttachmentContent {
  readonly mediaType: string;
  readonly content: Buffer;
}

/** A stored document and the entry that it is attached to. */
export interface AttachedDocument {
  readonly entryId: string;
  readonly digest: string;
  readonly fileName: string;
}

interface AttachmentRow extends Omit<AttachmentDto, 'attachedAt' | 'url'> {
  readonly attachedAt: Date;
}

@Injectable()
export class AttachmentRepository {
  async hasEntry(tx: Tx, companyId: string, entryId: string): Promise<boolean> {
    const row = await tx.maybeOne(sql`
      SELECT FROM journal_entry WHERE company_id = ${companyId} AND id = ${entryId}`);
    return row !== undefined;
  }

  /** Stores the bytes once per company, and the time of the request. */
  async store(tx: Tx, companyId: string, digest: string, { mediaType, content }: AttachmentContent): Promise<void> {
    await tx.execute(sql`
      INSERT INTO attachment (company_id, digest, media_type, content)
      VALUES (${companyId}, ${digest}, ${mediaType}, ${content})
      ON CONFLICT (company_id, digest) DO UPDATE SET last_stored_at = now()`);
  }

  /** Removes documents that no entry has and that were last stored 30 days ago, the oldest first. */
  async deleteUnattached(tx: Tx, companyId: string, limit: number): Promise<void> {
    await tx.execute(sql`
      DELETE FROM attachment WHERE company_id = ${companyId} AND digest IN (
        SELECT digest FROM attachment unused
        WHERE company_id = ${companyId} AND last_stored_at <= now() - interval '30 days'
          AND NOT EXISTS (SELECT FROM entry_attachment used
            WHERE used.company_id = unused.company_id AND used.digest = unused.digest)
        ORDER BY last_stored_at LIMIT ${limit})`);
  }

  /** @returns the digests that the company has */
  async findStored(tx: Tx, companyId: string, digests: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ readonly digest: string }>(sql`
      SELECT digest FROM attachment WHERE company_id = ${companyId} AND digest = ANY(${digests}::text[])`);
    return new Set(rows.map(({ digest }) => digest));
  }

  /** @returns by entry, the digests of its documents */
  async digestsOf(
    tx: Tx,
    companyId: string,
    entryIds: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await tx.rows<{ readonly entryId: string; readonly digests: readonly string[] }>(sql`
      SELECT entry_id AS "entryId", array_agg(digest) AS digests FROM entry_attachment
      WHERE company_id = ${companyId} AND entry_id = ANY(${entryIds}::uuid[]) GROUP BY entry_id`);
    return new Map(rows.map(({ entryId, digests }) => [entryId, new Set(digests)]));
  }

  /** Attaching the same document again changes nothing; the first file name stays. */
  async attach(tx: Tx, companyId: string, entryId: string, digest: string, fileName: string): Promise<void> {
    await tx.execute(sql`
      INSERT INTO entry_attachment (company_id, entry_id, digest, file_name)
      VALUES (${companyId}, ${entryId}, ${digest}, ${fileName})
      ON CONFLICT (entry_id, digest) DO NOTHING`);
  }

  /** As `attach`, for many; each entry gets its documents in the order given. */
  async attachAll(tx: Tx, companyId: string, documents: readonly AttachedDocument[]): Promise<void> {
    if (documents.length === 0) {
      return;
    }
    await tx.execute(sql`
      INSERT INTO entry_attachment (company_id, entry_id, digest, file_name)
      SELECT ${companyId}::uuid, new.entry_id, new.digest, new.file_name
      FROM unnest(${documents.map(({ entryId }) => entryId)}::uuid[], ${documents.map(({ digest }) => digest)}::text[],
        ${documents.map(({ fileName }) => fileName)}::text[]) WITH ORDINALITY AS new (entry_id, digest, file_name, place)
      ORDER BY new.place
      ON CONFLICT (entry_id, digest) DO NOTHING`);
  }

  /** Attachments of an entry, in the order of attachment. */
  async ofEntry(tx: Tx, companyId: string, entryId: string): Promise<readonly AttachmentDto[]> {
    const rows = await tx.rows<AttachmentRow>(sql`
      SELECT digest, file_name AS "fileName", media_type AS "mediaType", length(content) AS size,
        attached_at AS "attachedAt"
      FROM entry_attachment JOIN attachment USING (company_id, digest)
      WHERE company_id = ${companyId} AND entry_id = ${entryId}
      ORDER BY sequence`);
    return rows.map((row) => ({
      ...row,
      attachedAt: row.attachedAt.toISOString(),
      url: `/companies/${companyId}/attachments/${row.digest}`,
    }));
  }

  async find(tx: Tx, companyId: string, digest: string): Promise<AttachmentContent | undefined> {
    return tx.maybeOne(sql`
      SELECT media_type AS "mediaType", content FROM attachment
      WHERE company_id = ${companyId} AND digest = ${digest}`);
  }
}
