import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { StoredDocumentDto } from './attachment.dto.js';
import { AttachmentRepository, type AttachmentContent } from './attachment.repository.js';

/** Each request that stores a document also deletes a few unattached ones. */
const MAX_DELETIONS = 10;

/** Stores a document for entries that are posted later. */
@Injectable()
export class StoreDocument {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly attachmentRepository: AttachmentRepository,
  ) {}

  /** @param document its bytes, at most `MAX_ATTACHMENT_BYTES`; the same bytes again are the same document */
  async storeDocument(companyId: string, document: AttachmentContent): Promise<StoredDocumentDto> {
    const digest = sha256Hex(document.content);
    return this.database.inTransaction('attachments.store', async (tx) => {
      // A document that a posting has found must not be deleted before it is attached.
      await this.companyRepository.lock(tx, companyId);
      await this.attachmentRepository.store(tx, companyId, digest, document);
      await this.attachmentRepository.deleteUnattached(tx, companyId, MAX_DELETIONS);
      return { digest, mediaType: document.mediaType, size: document.content.length };
    });
  }
}
