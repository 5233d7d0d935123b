import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { entryNotFound } from '../http/not-found.js';
import type { AttachmentDto } from './attachment.dto.js';
import { AttachmentRepository, type AttachmentContent } from './attachment.repository.js';

@Injectable()
export class AttachmentReader {
  constructor(
    private readonly database: Database,
    private readonly attachmentRepository: AttachmentRepository,
  ) {}

  /** @throws Problem 404 for an unknown entry */
  async readList(companyId: string, entryId: string): Promise<readonly AttachmentDto[]> {
    return this.database.inTransaction('attachments.list', async (tx) => {
      if (!(await this.attachmentRepository.hasEntry(tx, companyId, entryId))) {
        throw entryNotFound(entryId);
      }
      return this.attachmentRepository.ofEntry(tx, companyId, entryId);
    });
  }

  /**
   * @param digest any text
   * @throws Problem 404 when the company has no document with this digest
   */
  async readContent(companyId: string, digest: string): Promise<AttachmentContent> {
    const found = /^[0-9a-f]{64}$/.test(digest)
      ? await this.database.inTransaction('attachments.find', (tx) =>
          this.attachmentRepository.find(tx, companyId, digest),
        )
      : undefined;
    if (found === undefined) {
      const detail = `The company has no attachment ${digest}.`;
      throw new Problem({ status: 404, type: 'attachment-not-found', detail });
    }
    return found;
  }
}
