// All items of a job: first the list of what must get a result, then the data page by page, each page a chunk.
import { Injectable } from '@nestjs/common';
import type { AccountingEntryId } from '../../kernel/ids.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import { InstallationsService } from '../installations/installations.service.js';
import { PlatformApi } from '../platform/platform-api.js';
import { PlatformRefusal } from '../platform/platform-error.js';
import { erpFailureVerdict } from './check-job.js';
import { budgetAt } from './domain/deadline.js';
import type { Verdict } from './domain/verdict.js';
import { ExportChunk } from './export-chunk.js';
import { type ItemResult } from './export-item.repository.js';
import type { JobRun } from './job-run.js';
import { RecordResults } from './record-results.js';
import { JobClosed, RelayOutbox } from './relay-outbox.js';
import { ExportStores } from './export-stores.js';

type FailedVerdict = Verdict & { readonly event: 'failed' };

const PENDING_BATCH = 500;
/** Platform refusals of the item data that end the job; another attempt would hear the same. */
const ENDING: Readonly<Record<string, FailedVerdict['failureReasonType']>> = {
  MISSING_CONTRA_ACCOUNTS: 'missing_configuration',
  UNSUPPORTED_API_VERSION: 'invalid_configuration',
};

@Injectable()
export class ExportItems {
  constructor(
    private readonly stores: ExportStores,
    private readonly platform: PlatformApi,
    private readonly installations: InstallationsService,
    private readonly chunk: ExportChunk,
    private readonly results: RecordResults,
    private readonly relay: RelayOutbox,
  ) {}

  /**
   * @returns a verdict when the job must end without its items; undefined when every item has a result
   * @throws ErpUnavailable while there is time to try again
   */
  async run(run: JobRun): Promise<FailedVerdict | undefined> {
    await this.rememberItems(run);
    try {
      const ended = await this.exportPages(run);
      if (ended !== undefined && !(await this.hasSuccess(run))) {
        return ended;
      }
      if (ended !== undefined) {
        await this.giveUp(run, (id) => failedWith(id, ended));
      }
    } catch (error) {
      if (!(error instanceof ErpUnavailable) || this.hasTime(run)) {
        throw error;
      }
      await this.giveUp(run, (id) => failedWith(id, erpFailureVerdict(error.failure)));
    }
    await this.giveUp(run, this.hasTime(run) ? withoutData : outOfTime);
    return undefined;
  }

  private async rememberItems(run: JobRun): Promise<void> {
    let position = 1;
    for await (const page of this.platform.jobItemPages(this.auth(run), run.job.id)) {
      run.signal.throwIfAborted();
      const open = page.filter((item) => item.status === 'pending' || item.status === 'in_progress');
      const ids = open.map((item) => item.accountingEntryId);
      const first = position;
      await this.stores.fenced('remember items', run.lease, (tx) =>
        this.stores.items.remember(tx, run.job, ids, first),
      );
      position += page.length;
    }
  }

  private async exportPages(run: JobRun): Promise<FailedVerdict | undefined> {
    try {
      for await (const page of this.platform.exportItemPages(this.auth(run), run.job.id)) {
        run.signal.throwIfAborted();
        if (!this.hasTime(run)) {
          return undefined;
        }
        await this.chunk.run(run, page);
        await this.relay.run(run.job, run.lease);
      }
      return undefined;
    } catch (error) {
      return endingRefusal(error);
    }
  }

  /** Gives every item that is left a result, so that the job can end. */
  private async giveUp(run: JobRun, failed: (id: AccountingEntryId) => ItemResult): Promise<void> {
    for (;;) {
      const ids = await this.stores.open('next pending items', run.job.installationId, (tx) =>
        this.stores.items.nextPending(tx, run.job, PENDING_BATCH),
      );
      if (ids.length === 0) {
        return;
      }
      await this.results.record(run, ids.map(failed));
      await this.relay.run(run.job, run.lease);
    }
  }

  /** A job of which something is in the books cannot end as `failed` (invariant I4). */
  private async hasSuccess(run: JobRun): Promise<boolean> {
    const totals = await this.stores.open('item totals', run.job.installationId, (tx) =>
      this.stores.items.totals(tx, run.job),
    );
    return totals.successful > 0;
  }

  private hasTime(run: JobRun): boolean {
    return budgetAt(run.job.expiresAt, this.platform.platformNow()) === 'post';
  }

  private auth(run: JobRun) {
    return this.installations.authorisation(run.job.installationId);
  }
}

/** @throws whatever does not end the job by itself */
function endingRefusal(error: unknown): FailedVerdict {
  if (error instanceof PlatformRefusal) {
    const failureReasonType = ENDING[error.type];
    if (failureReasonType !== undefined) {
      return { event: 'failed', failureReasonType, failureReason: error.message };
    }
    if (error.status === 422) {
      throw new JobClosed('the platform gives no more item data for this job', { cause: error });
    }
  }
  throw error;
}

function failedWith(accountingEntryId: AccountingEntryId, verdict: FailedVerdict): ItemResult {
  const { failureReasonType, failureReason } = verdict;
  return { accountingEntryId, state: 'failed', failureType: failureReasonType, failureReason };
}

function outOfTime(accountingEntryId: AccountingEntryId): ItemResult {
  return {
    accountingEntryId,
    state: 'failed',
    failureType: 'accounting_system_timeout',
    failureReason:
      'The hour of this export was over before the entry’s turn came. Export it again; nothing is posted twice.',
  };
}

function withoutData(accountingEntryId: AccountingEntryId): ItemResult {
  return {
    accountingEntryId,
    state: 'failed',
    failureType: 'unexpected_failure',
    failureReason:
      'The platform listed this entry in the export but gave no data for it. Export it again; if it happens twice, contact support.',
  };
}
