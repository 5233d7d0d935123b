// Posts a prepared chunk of items: write intents → call the ERP → record outcomes and reports. Restartable at any point.
import { Injectable } from '@nestjs/common';
import { toAccountingEntryId } from '../../../kernel/ids.js';
import { ErpUnavailable, type ErpFailure } from '../../erp/erp-ledger.js';
import type { PlannedItem } from '../domain/plans/plan-chunk.js';
import { PostReadyItems } from '../posting/post-ready-items.js';
import { intentOutcomeOf, resultOf, type PostingAttempt } from '../posting/posting-attempt.js';
import { RecordResults } from '../reporting/record-results.js';
import type { JobRun } from '../run/job-run.js';
import type { ItemResult } from '../stores/export-item.repository.js';
import type { PreparedChunk } from './prepare-chunk.js';

/** A chunk with the outcomes of the ERP. */
export interface PostedChunk {
  readonly chunk: PreparedChunk;
  readonly posted: readonly PostingAttempt[];
  /** Why some items have no outcome; nothing more is sent then. */
  readonly failure: ErpFailure | undefined;
  /** Items that were refused as they had been planned by outdated master data: they have to be planned and posted once more. */
  readonly outdated: ReadonlySet<string>;
}

@Injectable()
export class PostChunk {
  constructor(
    private readonly postReadyItems: PostReadyItems,
    private readonly recordResults: RecordResults,
  ) {}

  /**
   * Writes intents and calls the ERP. The result has to be passed to `record`, whatever happens in the meantime.
   * @throws LeaseLost; the signal's reason when it fires before anything is sent
   */
  async post(run: JobRun, chunk: PreparedChunk): Promise<PostedChunk> {
    const { receipts, usesReusedMasterData } = chunk;
    const { posted, failure = receipts.failure } = await this.postReadyItems.postOrReplace(run, receipts.ready);
    const refused = usesReusedMasterData ? posted.filter(({ outcome }) => outcome.outcome === 'refused') : [];
    const outdated = new Set(refused.map(({ planned }) => planned.accountingEntryId));
    return { chunk, posted, failure, outdated };
  }

  /**
   * @returns items that are held back: the ERP may not show their entry yet, or their receipt is tried again
   * @throws ErpUnavailable when the ERP did not respond; all known outcomes are recorded before
   */
  async record(run: JobRun, { chunk, posted, failure, outdated }: PostedChunk): Promise<readonly string[]> {
    const { items, planned, receipts } = chunk;
    const { conflicts } = run.masterData.policies;
    const decided = posted.filter((item) => !outdated.has(item.planned.accountingEntryId));
    const positions = new Map(items.map(({ accountingEntryId }, index) => [accountingEntryId, index]));
    const positionOf = ({ accountingEntryId }: ItemResult) => positions.get(accountingEntryId) ?? items.length;
    const results = [
      ...planned.flatMap(decidedResult),
      ...receipts.failed,
      ...decided.map((item) => resultOf(item, conflicts)),
    ].toSorted((one, other) => positionOf(one) - positionOf(other));
    await this.recordResults.record(
      run.job,
      run.lease,
      results,
      posted.map(intentOutcomeOf).filter((outcome) => outcome !== undefined),
      items,
    );
    if (failure !== undefined) {
      throw new ErpUnavailable(failure);
    }
    const ended = new Set<string>([...results.map(({ accountingEntryId }) => accountingEntryId), ...outdated]);
    return items.map(({ accountingEntryId }) => accountingEntryId).filter((id) => !ended.has(id));
  }
}

/** The result of an item that is not posted. */
function decidedResult(item: PlannedItem): readonly ItemResult[] {
  const accountingEntryId = toAccountingEntryId(item.accountingEntryId);
  switch (item.action) {
    case 'fail': {
      const { failureType, failureReason, messages, issues, isBookedByHand } = item;
      return [{ accountingEntryId, state: 'failed', failureType, failureReason, messages, issues, isBookedByHand }];
    }
    case 'report-existing': {
      const { externalId, externalUrl } = item.posting;
      const { warnings } = item;
      return [{ accountingEntryId, state: 'successful', externalId, externalUrl, warnings }];
    }
    case 'post':
    case 'repost':
    case 'create-vendor':
      return [];
  }
}
