import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { entryNotFound } from '../http/not-found.js';
import { MAX_ATTACHMENTS, type AttachmentDto } from './attachment.dto.js';
import { AttachmentRepository, type AttachmentContent } from './attachment.repository.js';

/** Attaches a document to an entry in any state. Attachments are never removed. */
@Injectable()
export class AttachDocument {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly attachmentRepository: AttachmentRepository,
  ) {}

  /**
   * @param document its bytes, at most `MAX_ATTACHMENT_BYTES`
   * @returns the attachment; the existing one when the entry already has these bytes
   * @throws Problem 404 for an unknown entry, 422 when the entry has `MAX_ATTACHMENTS` others
   */
  async attach(
    companyId: string,
    entryId: string,
    fileName: string,
    document: AttachmentContent,
  ): Promise<AttachmentDto> {
    const digest = sha256Hex(document.content);
    return this.database.inTransaction('attachments.attach', async (tx) => {
      // Two concurrent requests must not both become the last permitted attachment.
      await this.companyRepository.lock(tx, companyId);
      if (!(await this.attachmentRepository.hasEntry(tx, companyId, entryId))) {
        throw entryNotFound(entryId);
      }
      const present = await this.attachmentRepository.ofEntry(tx, companyId, entryId);
      const known = present.find((attachment) => attachment.digest === digest);
      if (known !== undefined) {
        return known;
      }
      if (present.length >= MAX_ATTACHMENTS) {
        const detail = `An entry has at most ${MAX_ATTACHMENTS.toString()} attachments.`;
        throw new Problem({ status: 422, type: 'too-many-attachments', detail });
      }
      await this.attachmentRepository.store(tx, companyId, digest, document);
      await this.attachmentRepository.attach(tx, companyId, entryId, digest, fileName);
      const attached = await this.attachmentRepository.ofEntry(tx, companyId, entryId);
      const added = attached.find((attachment) => attachment.digest === digest);
      if (added === undefined) {
        throw entryNotFound(entryId);
      }
      return added;
    });
  }
}
