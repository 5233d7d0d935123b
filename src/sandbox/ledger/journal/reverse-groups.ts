import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { CancelEntries } from './cancel-entries.js';
import type { PostedEntry } from './domain/posting-outcome.js';
import { EntryRepository } from './entry.repository.js';
import { bisectBatch } from './postings/bisect-batch.js';
import { PostingRepository } from './postings/posting.repository.js';

/** The result for a key: no entry under it is in the balances, or nothing was changed. */
export interface ReverseOutcome {
  readonly key: string;
  readonly outcome: 'reversed' | 'already-reversed' | 'absent' | 'refused';
  readonly code?: string;
  readonly message?: string;
  /** The reversals made now. */
  readonly entries: readonly PostedEntry[];
}

/** Reverses all entries under keys, each key whole or not at all, so that its next revision may be posted. */
@Injectable()
export class ReverseGroups {
  constructor(
    private readonly database: Database,
    private readonly postingRepository: PostingRepository,
    private readonly entryRepository: EntryRepository,
    private readonly cancelEntries: CancelEntries,
  ) {}

  /**
   * @param keys different from each other
   * @param reason kept with the reversals
   * @returns one outcome per key, in order; repeating the call changes nothing
   */
  async reverseGroups(companyId: string, keys: readonly string[], reason?: string): Promise<readonly ReverseOutcome[]> {
    const outcomes: ReverseOutcome[] = [];
    for (const key of keys) {
      outcomes.push(...(await bisectBatch([key], () => this.reverse(companyId, key, reason), refusedByRule)));
    }
    return outcomes;
  }

  private async reverse(
    companyId: string,
    key: string,
    reason: string | undefined,
  ): Promise<readonly ReverseOutcome[]> {
    return this.database.inTransaction('journal.reverse', async (tx) => [
      await this.reverseKey(tx, companyId, key, reason),
    ]);
  }

  private async reverseKey(
    tx: Tx,
    companyId: string,
    key: string,
    reason: string | undefined,
  ): Promise<ReverseOutcome> {
    await this.postingRepository.lockCompany(tx, companyId);
    // Companies whose keys guarantee less may have entries of several revisions.
    const ids = await this.entryRepository.idsUnderKey(tx, companyId, key);
    const standing = (await this.entryRepository.find(tx, companyId, ids)).filter(
      ({ state }) => state === 'draft' || state === 'posted',
    );
    if (standing.length === 0) {
      return { key, outcome: ids.length === 0 ? 'absent' : 'already-reversed', entries: [] };
    }
    const done = await this.cancelEntries.cancel(tx, companyId, standing, { reason });
    return done.kind === 'refused'
      ? { key, outcome: 'refused', code: done.code, message: done.message, entries: [] }
      : { key, outcome: 'reversed', entries: done.reversals };
  }
}

function refusedByRule(key: string, rule: string): ReverseOutcome {
  const message = `The books refused the reversal by their rule ${rule}.`;
  return { key, outcome: 'refused', code: 'rule_broken', message, entries: [] };
}
