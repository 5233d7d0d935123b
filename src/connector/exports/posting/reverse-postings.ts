// Reverses entries whose content has changed. As with posting, the intent is written before the ERP is called: a worker that
// is killed in between leaves a reversal in doubt, which the next run looks up.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Bug } from '../../../kernel/faults.js';
import type { ErpFailure } from '../../erp/erp-ledger.js';
import type { KnownPosting } from '../domain/plans/known-entry.js';
import type { JobRun } from '../run/job-run.js';
import { fenced } from '../stores/fenced.js';
import { ExportItemRepository } from '../stores/export-item.repository.js';
import { PostingIntentRepository } from '../stores/posting-intent.repository.js';

/**
 * Why an entry was not reversed. `absent`: the ERP does not know it · `not-searchable`: not sent, since at level `none` the ERP
 * cannot be searched by key.
 */
export type NotReversedReason =
  { readonly reason: 'refused'; readonly message: string } | { readonly reason: 'absent' | 'not-searchable' };

export interface ReversalResult {
  /** By key, the revision that may be posted now. */
  readonly nextRevisions: ReadonlyMap<string, number>;
  readonly notReversed: ReadonlyMap<string, NotReversedReason>;
  /** Why some keys are in neither: they may have been reversed. */
  readonly failure: ErpFailure | undefined;
}

@Injectable()
export class ReversePostings {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly exportItemRepository: ExportItemRepository,
  ) {}

  /**
   * @param postings what stands in the books, by key
   * @throws LeaseLost; the signal's reason when it fires before anything is sent
   */
  async reverseInErp(run: JobRun, postings: ReadonlyMap<string, KnownPosting>): Promise<ReversalResult> {
    const { job, lease, erpCompanyId, erp, signal } = run;
    const notReversed = new Map<string, NotReversedReason>();
    if (postings.size === 0) {
      return { nextRevisions: new Map(), notReversed, failure: undefined };
    }
    if (erp.guarantee.level === 'none') {
      const refused = [...postings.keys()].map((key) => [key, { reason: 'not-searchable' }] as const);
      return { nextRevisions: new Map(), notReversed: new Map(refused), failure: undefined };
    }
    signal.throwIfAborted();
    await fenced(this.tenantDatabase, 'write reversals', lease, async (tx) => {
      await this.postingIntentRepository.recordReversalSending(tx, job, erpCompanyId, postings);
      // Listed now, so that an entry which is reversed and not yet posted again gets a result even if this run dies.
      await this.exportItemRepository.addPending(tx, job, [...postings.keys()]);
    });
    const outcomes = await erp.reverse([...postings.keys()]);
    const reversed = new Map<string, KnownPosting>();
    let failure: ErpFailure | undefined;
    [...postings].forEach(([key, posting], index) => {
      const outcome = outcomes[index];
      switch (outcome?.outcome) {
        case 'reversed':
          reversed.set(key, posting);
          break;
        case 'refused':
          notReversed.set(key, { reason: 'refused', message: outcome.message });
          break;
        case 'absent':
          notReversed.set(key, { reason: 'absent' });
          break;
        case 'unavailable':
          failure = outcome.failure;
          break;
        case undefined:
          throw new Bug(`there is no outcome for ${key}`);
      }
    });
    const nextRevisions = await fenced(this.tenantDatabase, 'record reversals', lease, async (tx) => {
      await this.postingIntentRepository.withdrawReversal(tx, job, erpCompanyId, [...notReversed.keys()]);
      return this.postingIntentRepository.markReversed(tx, job, erpCompanyId, reversed);
    });
    return { nextRevisions, notReversed, failure };
  }
}
