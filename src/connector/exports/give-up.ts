// Gives every item that is left a result, so that a job which cannot go on still ends with a verdict.
import { Injectable } from '@nestjs/common';
import type { AccountingEntryId } from '../../kernel/ids.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import type { CompanyLease } from './company-lease.repository.js';
import { DecideVerdict } from './decide-verdict.js';
import {
  failureAfterReversal,
  failureBesides,
  failureInDoubt,
  failureInReversal,
} from './domain/conflict-text.js';
import type { ExportJob } from './domain/export-job.js';
import type { KnownEntry } from './domain/known-entry.js';
import type { Verdict } from './domain/verdict.js';
import type { ItemResult } from './export-item.repository.js';
import { ExportStores } from './export-stores.js';
import { KnownPostings } from './known-postings.js';
import { RecordResults } from './record-results.js';
import { RelayOutbox } from './relay-outbox.js';

export type FailedVerdict = Verdict & { readonly event: 'failed' };

/** Why the remaining items fail, in the words of an item result. */
export interface ItemFailure {
  readonly failureType: string;
  readonly failureReason: string;
}

const BATCH = 500;

@Injectable()
export class GiveUp {
  constructor(
    private readonly stores: ExportStores,
    private readonly known: KnownPostings,
    private readonly results: RecordResults,
    private readonly relay: RelayOutbox,
    private readonly verdict: DecideVerdict,
  ) {}

  /**
   * Ends a job for a reason that concerns all of it. A job of which something is, or may be, in the books cannot end as
   * `failed` without a look (invariant I4): then the reason goes to the items that are left.
   */
  async job(job: ExportJob, lease: CompanyLease, reason: FailedVerdict): Promise<void> {
    const nothingPosted = await this.stores.open('what is posted', job.installationId, async (tx) => {
      const totals = await this.stores.items.totals(tx, job);
      return totals.successful === 0 && !(await this.stores.intents.hasUnsettled(tx, job));
    });
    if (nothingPosted) {
      await this.verdict.refuse(job, lease, reason);
      return;
    }
    await this.items(job, lease, {
      failureType: reason.failureReasonType,
      failureReason: reason.failureReason,
    });
    await this.verdict.run(job, lease);
  }

  /** Fails what has no result yet, but for what turns out to be in the books after all. */
  async items(job: ExportJob, lease: CompanyLease, failure: ItemFailure): Promise<void> {
    for (;;) {
      const ids = await this.stores.open('next pending items', job.installationId, (tx) =>
        this.stores.items.nextPending(tx, job, BATCH),
      );
      if (ids.length === 0) {
        return;
      }
      const known = await this.whatIsKnown(job, lease, ids);
      const results = ids.map((id) => resultOf(id, known.get(id), failure));
      await this.results.record(job, lease, results);
      await this.relay.run(job, lease);
    }
  }

  /** An ERP that cannot be asked now leaves its intents open: the next export of the entry asks again. */
  private async whatIsKnown(
    job: ExportJob,
    lease: CompanyLease,
    ids: readonly AccountingEntryId[],
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    try {
      return await this.known.find(job, lease, ids);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return this.known.recall(job, ids);
      }
      throw error;
    }
  }
}

/** What is in the books counts as exported; whatever else is known of the books is said besides the failure. */
function resultOf(
  accountingEntryId: AccountingEntryId,
  known: KnownEntry | undefined,
  { failureType, failureReason }: ItemFailure,
): ItemResult {
  const { posting, ownContent = false } = known ?? {};
  if (posting !== undefined && ownContent) {
    const { externalId, externalUrl, warnings } = posting;
    return { accountingEntryId, state: 'successful', externalId, externalUrl, warnings };
  }
  const reason = known === undefined ? failureReason : failureWith(known, failureReason);
  return { accountingEntryId, state: 'failed', failureType, failureReason: reason };
}

function failureWith({ posting, replaced, doubt }: KnownEntry, reason: string): string {
  if (posting !== undefined) {
    return doubt === undefined ? failureBesides(posting, reason) : failureInReversal(posting, reason);
  }
  if (doubt !== undefined) {
    return failureInDoubt(reason);
  }
  return replaced === undefined ? reason : failureAfterReversal(replaced, reason);
}
