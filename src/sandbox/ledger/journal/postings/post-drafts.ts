import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { BooksViewRepository } from '../books-view.repository.js';
import { findRefusal, type BooksView } from '../domain/check-group.js';
import type { StoredEntry } from '../domain/generated-entries.js';
import { entryNumber, type PostingWarning } from '../domain/posting-outcome.js';
import { EntryRepository } from '../entry.repository.js';
import { EntryWriter, nextOf } from '../entry-writer.service.js';
import { bisectBatch } from './bisect-batch.js';
import { CompletePosting } from './complete-posting.js';
import { PostingRepository } from './posting.repository.js';

/** The result for one draft. */
export interface PostDraftOutcome {
  readonly entryId: string;
  readonly outcome: 'posted' | 'already-posted' | 'absent' | 'refused';
  readonly number?: string | null;
  readonly code?: string;
  readonly message?: string;
  readonly warnings?: readonly PostingWarning[];
}

/** Posts drafts: they get their numbers, enter the balances, and settle what their settlement intent names. */
@Injectable()
export class PostDrafts {
  constructor(
    private readonly database: Database,
    private readonly booksViewRepository: BooksViewRepository,
    private readonly postingRepository: PostingRepository,
    private readonly entryRepository: EntryRepository,
    private readonly entryWriter: EntryWriter,
    private readonly completePosting: CompletePosting,
  ) {}

  /**
   * @param entryIds different from each other
   * @returns one outcome per entry, in order; repeating the call changes nothing
   */
  async postDrafts(companyId: string, entryIds: readonly string[]): Promise<readonly PostDraftOutcome[]> {
    return bisectBatch(
      entryIds,
      (ids) => this.database.inTransaction('journal.post-drafts', (tx) => this.postBatch(tx, companyId, ids)),
      (entryId, rule) => refused(entryId, 'rule_broken', `The books refused it by their rule ${rule}.`),
    );
  }

  private async postBatch(
    tx: Tx,
    companyId: string,
    entryIds: readonly string[],
  ): Promise<readonly PostDraftOutcome[]> {
    const company = await this.postingRepository.lockCompany(tx, companyId);
    const stored = await this.entryRepository.find(tx, companyId, entryIds);
    const drafts = stored.filter((entry) => entry.state === 'draft');
    const books = await this.booksViewRepository.load(tx, companyId, company.functionalCurrency, [{ entries: drafts }]);
    const acceptable = drafts.filter((entry) => findRefusal({ entries: [entry] }, books) === undefined);
    const numbers = await this.entryWriter.allocateNumbers(
      tx,
      companyId,
      acceptable.map((entry) => entry.fiscalYear),
    );
    const posted = acceptable.map((entry) => ({
      id: entry.id,
      sequence: nextOf(numbers.get(entry.fiscalYear)),
    }));
    await this.entryRepository.markPosted(tx, companyId, posted);
    const warnings = await this.completePosting.completeDrafts(tx, companyId, acceptable);
    const sequences = new Map(posted.map(({ id, sequence }) => [id, sequence]));
    const byId = new Map(stored.map((entry) => [entry.id, entry]));
    return entryIds.map((entryId) => {
      const entry = byId.get(entryId);
      const sequence = sequences.get(entryId);
      return entry === undefined || sequence === undefined
        ? withoutPosting(entryId, entry, books)
        : {
            entryId,
            outcome: 'posted',
            number: entryNumber(entry.fiscalYear, sequence),
            warnings: warnings.get(entry.groupId) ?? [],
          };
    });
  }
}

function withoutPosting(entryId: string, entry: StoredEntry | undefined, books: BooksView): PostDraftOutcome {
  switch (entry?.state) {
    case undefined:
      return { entryId, outcome: 'absent' };
    case 'posted':
    case 'reversed':
      return { entryId, outcome: 'already-posted', number: entry.number };
    case 'discarded':
      return refused(entryId, 'discarded', 'The draft was discarded.');
    case 'draft': {
      const refusal = findRefusal({ entries: [entry] }, books);
      return refused(entryId, refusal?.code ?? 'rule_broken', refusal?.message ?? '');
    }
  }
}

function refused(entryId: string, code: string, message: string): PostDraftOutcome {
  return { entryId, outcome: 'refused', code, message };
}
