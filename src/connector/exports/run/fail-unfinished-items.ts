// Gives every remaining item a result, so that a job which cannot continue still ends with a verdict.
import { Injectable } from '@nestjs/common';
import type { AccountingEntryId } from '../../../kernel/ids.js';
import { ErpUnavailable, type ErpFailure } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { ItemFailure } from '../domain/item-failure.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { mayPost } from '../domain/deadline.js';
import { describeFailure } from '../domain/describe-failure.js';
import type { ExportJob } from '../domain/export-job.js';
import type { KnownEntry } from '../domain/plans/known-entry.js';
import type { ItemResult } from '../stores/export-item.repository.js';
import { ListJobItems } from '../items/list-job-items.js';
import { LoadKnownEntries } from '../posting/load-known-entries.js';
import { RecordResults } from '../reporting/record-results.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';

const BATCH = 500;

@Injectable()
export class FailUnfinishedItems {
  constructor(
    private readonly listJobItems: ListJobItems,
    private readonly loadKnownEntries: LoadKnownEntries,
    private readonly recordResults: RecordResults,
    private readonly relayOutbox: RelayOutbox,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * Items without a result fail, except those that a look-up finds in the books.
   * @param heldBack items that this run did not post, because the ERP might have them already or a receipt could not be fetched:
   *   those that the ERP certainly lacks are left to the next run while there is time
   * @throws ErpUnavailable when items are left to the next run; those before them, and of the same batch, have a result then
   */
  async failItems(
    job: ExportJob,
    lease: CompanyLease,
    failure: ItemFailure,
    heldBack: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    if (!(await this.listJobItems.recordRest({ job, lease }))) {
      return;
    }
    for (;;) {
      const ids = await this.listJobItems.nextPending(job, BATCH);
      if (ids.length === 0) {
        return;
      }
      const known = await this.loadKnown(job, lease, ids);
      const waits = (id: AccountingEntryId) => {
        const { inDoubt, posting } = known.get(id) ?? {};
        const canBePostedLater = heldBack.has(id) && inDoubt === undefined && posting === undefined;
        return (inDoubt === 'not-shown-yet' || canBePostedLater) && this.hasTime(job);
      };
      const results = ids.filter((id) => !waits(id)).map((id) => resultOf(id, known.get(id) ?? {}, failure));
      await this.recordResults.record(job, lease, results);
      await this.relayOutbox.deliverAll(job, lease);
      if (results.length < ids.length) {
        throw new ErpUnavailable(HELD_BACK);
      }
    }
  }

  private hasTime(job: ExportJob): boolean {
    return mayPost(job, this.platformApi.platformNow());
  }

  /** Where the ERP does not respond, our record alone decides; intents stay open and are looked up later. */
  private async loadKnown(
    job: ExportJob,
    lease: CompanyLease,
    ids: readonly AccountingEntryId[],
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    try {
      return await this.loadKnownEntries.loadOrLookUp(job, lease, ids, { isLast: true });
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return this.loadKnownEntries.loadFromRecord(job, ids);
      }
      throw error;
    }
  }
}

const HELD_BACK: ErpFailure = {
  kind: 'timeout',
  message:
    'entries wait: the accounting system may not show yet what it has of them, or a receipt could not be fetched',
};

/**
 * An entry that this job posted counts as exported. One of an earlier job does not, since its content may have changed.
 */
function resultOf(accountingEntryId: AccountingEntryId, known: Partial<KnownEntry>, failure: ItemFailure): ItemResult {
  const { posting, ownContent = false } = known;
  if (posting !== undefined && ownContent) {
    const { externalId, externalUrl, warnings } = posting;
    return { accountingEntryId, state: 'successful', externalId, externalUrl, warnings };
  }
  return { accountingEntryId, state: 'failed', ...describeFailure(accountingEntryId, known, failure) };
}
