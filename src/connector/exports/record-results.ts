// Writes down how items ended, together with the report to the platform, in one fenced transaction.
import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import { toAccountingEntryId } from '../../kernel/ids.js';
import { ITEM_UPDATE_LIMIT, type ItemResult as ReportedItem } from '../platform/platform-api.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from './domain/export-job.js';
import { LONGEST_REASON } from './domain/verdict.js';
import type { ChunkItem } from './domain/plan-chunk.js';
import { type ItemResult, type UnreportedItem } from './export-item.repository.js';
import { type IntentOutcome } from './posting-intent.repository.js';
import { ExportStores } from './export-stores.js';

@Injectable()
export class RecordResults {
  constructor(
    private readonly stores: ExportStores,
    private readonly clock: Clock,
  ) {}

  /** Those of the items that have no result yet, each once: a restarted run and a repeated item are skipped. */
  async pendingOf(job: ExportJob, items: readonly ChunkItem[]): Promise<readonly ChunkItem[]> {
    const byId = new Map(items.map((entry) => [entry.accountingEntryId, entry]));
    const pending = await this.stores.open('find pending items', job.installationId, (tx) =>
      this.stores.items.findPending(tx, job, [...byId.keys()]),
    );
    return [...byId.values()].filter((entry) => pending.has(toAccountingEntryId(entry.accountingEntryId)));
  }

  /** @param intents what the results say about intents to post */
  async record(
    job: ExportJob,
    lease: CompanyLease,
    results: readonly ItemResult[],
    intents: readonly IntentOutcome[] = [],
  ): Promise<void> {
    if (results.length === 0) {
      return;
    }
    await this.stores.fenced('record results', lease, async (tx) => {
      const at = this.clock.now();
      if (job.erpCompanyId !== undefined) {
        await this.stores.intents.record(tx, job, job.erpCompanyId, intents, at);
      }
      await this.stores.items.record(tx, job, results, at);
      const ids = results.map((result) => result.accountingEntryId);
      await this.report(tx, job, ids, at);
    });
  }

  private async report(tx: Tx, job: ExportJob, ids: readonly string[], at: Date): Promise<void> {
    const unreported = await this.stores.items.findForReport(tx, job, ids);
    for (let start = 0; start < unreported.length; start += ITEM_UPDATE_LIMIT) {
      const batch = unreported.slice(start, start + ITEM_UPDATE_LIMIT).map(toReport);
      await this.stores.outbox.add(tx, job, 'items', batch, at);
    }
  }
}

function toReport(item: UnreportedItem): ReportedItem {
  return item.state === 'successful'
    ? {
        accountingEntryId: item.accountingEntryId,
        status: 'successful',
        externalId: item.externalId ?? '',
        ...(item.externalUrl ? { externalUrl: item.externalUrl } : {}),
        ...(item.exportedAt ? { exportedAt: wholeSeconds(item.exportedAt) } : {}),
      }
    : {
        accountingEntryId: item.accountingEntryId,
        status: 'failed',
        failureReasonType: item.failureType ?? 'unexpected_failure',
        failureReason: (item.failureReason ?? '').slice(0, LONGEST_REASON),
      };
}

/** The platform's date-times have no fraction of a second (wire-facts §0.1). */
function wholeSeconds(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
