import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { AttachmentDto } from './attachment.dto.js';

export interface AttachmentContent {
  readonly mediaType: string;
  readonly content: Buffer;
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

  /** Keeps the bytes, once per company. */
  async keep(
    tx: Tx,
    companyId: string,
    digest: string,
    { mediaType, content }: AttachmentContent,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO attachment (company_id, digest, media_type, content)
      VALUES (${companyId}, ${digest}, ${mediaType}, ${content})
      ON CONFLICT (company_id, digest) DO NOTHING`);
  }

  /** Attaching the same document again changes nothing, not even its name. */
  async attach(tx: Tx, companyId: string, entryId: string, digest: string, fileName: string): Promise<void> {
    await tx.execute(sql`
      INSERT INTO entry_attachment (company_id, entry_id, digest, file_name)
      VALUES (${companyId}, ${entryId}, ${digest}, ${fileName})
      ON CONFLICT (entry_id, digest) DO NOTHING`);
  }

  /** Attachments of an entry, oldest first. */
  async ofEntry(tx: Tx, companyId: string, entryId: string): Promise<readonly AttachmentDto[]> {
    const rows = await tx.rows<AttachmentRow>(sql`
      SELECT digest, file_name AS "fileName", media_type AS "mediaType", length(content) AS size,
        attached_at AS "attachedAt"
      FROM entry_attachment JOIN attachment USING (company_id, digest)
      WHERE company_id = ${companyId} AND entry_id = ${entryId}
      ORDER BY attached_at, digest`);
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
