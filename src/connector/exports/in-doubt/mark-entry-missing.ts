// Notes that the ERP has lost what was posted of an accounting entry, so that its next revision may be posted.
import { Injectable } from '@nestjs/common';
import { ErpLedger } from '../../erp/erp-ledger.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { isLookUpConclusive } from '../domain/unknown-outcome.js';
import type { ExportJob } from '../domain/export-job.js';
import { ExportStores } from '../stores/export-stores.js';

/**
 * `lost`: nothing of it is in the books, now noted or before · `there`: the ERP knows it after all · `not-verifiable`: the ERP
 * cannot be searched (level `none`), or its search might not show it yet (level `searchable-reference`)
 */
export type MissingEntryCheck = 'lost' | 'there' | 'not-verifiable';

@Injectable()
export class MarkEntryMissing {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly erpLedger: ErpLedger,
  ) {}

  /**
   * Repeatable. The ERP is asked once more: only its certain "nothing of this key" counts (docs/rules/capability-levels.md).
   * @param job any that posted to the ERP company
   * @param key the accounting entry's id
   * @param since when the entry was first seen to be missing
   * @throws ErpUnavailable, LeaseLost
   */
  async markMissingIfAbsent(
    job: ExportJob,
    lease: CompanyLease,
    key: string,
    since: Date,
  ): Promise<MissingEntryCheck> {
    const { capability } = this.erpLedger;
    const { erpCompanyId } = job;
    // Its age is from before the look-up, so that what the look-up misses is at least that old.
    const intents =
      erpCompanyId &&
      (await this.exportStores.inInstallation('load intents', job.installationId, (tx) =>
        this.exportStores.postingIntentRepository.find(tx, job, erpCompanyId, [key]),
      ));
    const [intent] = intents?.values() ?? [];
    if (erpCompanyId === undefined || intent === undefined) {
      return 'not-verifiable';
    }
    if (!isLookUpConclusive(capability, intent.age.sinceLastMs)) {
      return 'not-verifiable';
    }
    const found = (await this.erpLedger.findPosted(erpCompanyId, [key])).get(key);
    if (found !== undefined && (found.revision >= intent.revision || !found.reversed)) {
      return 'there';
    }
    await this.exportStores.fenced('note lost entry', lease, (tx) =>
      this.exportStores.postingIntentRepository.markMissing(
        tx,
        job,
        erpCompanyId,
        { key, known: found?.revision ?? 0 },
        since,
      ),
    );
    return 'lost';
  }
}
