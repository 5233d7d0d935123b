import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { BooksViewRepository } from '../books-view.repository.js';
import type { BooksView } from '../domain/check-group.js';
import type { Idempotency } from '../domain/idempotency.js';
import type { PostingGroup } from '../domain/posting-group.js';
import { GroupDocuments } from './group-documents.service.js';
import { PostingRepository, type StoredGroup } from './posting.repository.js';

/** What decides about a batch of groups. */
export interface PostingBatch {
  readonly idempotency: Idempotency;
  /** By key, what the books have under it. */
  readonly earlier: ReadonlyMap<string, StoredGroup>;
  readonly books: BooksView;
  /** Digests of the documents that the groups name and the company has. */
  readonly storedDocuments: ReadonlySet<string>;
}

@Injectable()
export class LoadPostingBatch {
  constructor(
    private readonly postingRepository: PostingRepository,
    private readonly booksViewRepository: BooksViewRepository,
    private readonly groupDocuments: GroupDocuments,
  ) {}

  /** Locks the company, then loads with a few statements, whatever the size of the batch. */
  async loadBatch(tx: Tx, companyId: string, groups: readonly PostingGroup[]): Promise<PostingBatch> {
    const { functionalCurrency, idempotency } = await this.postingRepository.lockCompany(tx, companyId);
    const keys = groups.map((group) => group.key);
    return {
      idempotency,
      earlier: await this.postingRepository.findGroups(tx, companyId, keys),
      books: await this.booksViewRepository.load(tx, companyId, functionalCurrency, groups),
      storedDocuments: await this.groupDocuments.stored(tx, companyId, groups),
    };
  }
}
