import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { AttachmentRepository } from '../../attachments/attachment.repository.js';
import { documentEntryOf, placeDocuments } from '../domain/place-documents.js';
import type { PostingWarning } from '../domain/posting-outcome.js';
import type { GroupDocument, PostingGroup } from '../domain/posting-group.js';

/** A group that is in the books, posted now or earlier. */
export interface BookedGroup {
  readonly key: string;
  readonly documents: readonly GroupDocument[];
  readonly entries: readonly { readonly id: string; readonly role: string }[];
}

/** Attaches the documents of posting groups to their entries, for a whole batch with the same few statements. */
@Injectable()
export class GroupDocuments {
  constructor(private readonly attachmentRepository: AttachmentRepository) {}

  /** @returns the digests that the groups name and the company has */
  async stored(tx: Tx, companyId: string, groups: readonly PostingGroup[]): Promise<ReadonlySet<string>> {
    const named = groups.flatMap(({ documents }) => documents.map(({ digest }) => digest));
    return named.length === 0 ? new Set() : this.attachmentRepository.findStored(tx, companyId, named);
  }

  /**
   * @param stored as `stored` has returned it in this transaction
   * @returns by key, warnings about documents that could not be attached
   */
  async attach(
    tx: Tx,
    companyId: string,
    groups: readonly BookedGroup[],
    stored: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly PostingWarning[]>> {
    const targets = groups.flatMap(({ key, documents, entries }) => {
      const entry = documents.length === 0 ? undefined : documentEntryOf(entries);
      return entry === undefined ? [] : [{ key, documents, entryId: entry.id }];
    });
    if (targets.length === 0) {
      return new Map();
    }
    const present = await this.attachmentRepository.digestsOf(
      tx,
      companyId,
      targets.map(({ entryId }) => entryId),
    );
    const attachments = targets.map(({ key, documents, entryId }) => ({
      key,
      entryId,
      ...placeDocuments(documents, stored, present.get(entryId) ?? new Set()),
    }));
    await this.attachmentRepository.attachAll(
      tx,
      companyId,
      attachments.flatMap(({ entryId, placed }) => placed.map((document) => ({ entryId, ...document }))),
    );
    return new Map(attachments.map(({ key, warnings }) => [key, warnings]));
  }
}
