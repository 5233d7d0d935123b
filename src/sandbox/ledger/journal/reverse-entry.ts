import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { entryNotFound } from '../http/not-found.js';
import { CancelEntries } from './cancel-entries.js';
import type { PostedEntry } from './domain/posting-outcome.js';
import { EntryRepository } from './entry.repository.js';
import { PostingRepository } from './postings/posting.repository.js';

/** Reverses one posted entry, or discards one draft. */
@Injectable()
export class ReverseEntry {
  constructor(
    private readonly database: Database,
    private readonly postingRepository: PostingRepository,
    private readonly entryRepository: EntryRepository,
    private readonly cancelEntries: CancelEntries,
  ) {}

  /**
   * @param postingDate of the reversal, `YYYY-MM-DD`; the entry's own day when absent, moved out of a closed period
   * @returns the reversal; undefined for a draft, which is discarded without one
   * @throws Problem 404 for an unknown entry, 409 for one that is cancelled already, 422 for one that cannot be reversed
   */
  async reverseEntry(companyId: string, entryId: string, postingDate?: string): Promise<PostedEntry | undefined> {
    return this.database.inTransaction('journal.reverse', async (tx) => {
      await this.postingRepository.lockCompany(tx, companyId);
      const [entry] = await this.entryRepository.find(tx, companyId, [entryId]);
      if (entry === undefined) {
        throw entryNotFound(entryId);
      }
      if (entry.state === 'reversed' || entry.state === 'discarded') {
        const detail = `Entry ${entry.number ?? entry.id} is already ${entry.state}.`;
        throw new Problem({ status: 409, type: 'already-reversed', detail });
      }
      if (entry.role === 'reversal' || entry.role === 'realized-fx' || entry.role === 'transfer') {
        const detail =
          entry.role === 'reversal'
            ? 'A reversal cannot be reversed: post the entry again instead.'
            : 'This entry belongs to a settlement: reverse the payment or the document.';
        throw new Problem({ status: 422, type: 'not-reversible', detail });
      }
      const done = await this.cancelEntries.cancel(tx, companyId, [entry], { postingDate });
      if (done.kind === 'refused') {
        throw new Problem({ status: 422, type: done.code.replaceAll('_', '-'), detail: done.message });
      }
      return done.reversals[0];
    });
  }
}
