// Records that the ERP does not have a posted entry any more, so that its next revision may be posted.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toExportJobId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { isLookUpConclusive } from '../domain/unknown-outcome.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { PostingIntentRepository } from '../stores/posting-intent.repository.js';

/**
 * `lost`: recorded as missing, now or before · `there`: the ERP has it after all · `not-verifiable`: the ERP cannot be searched
 * (level `none`), its search may not show the entry yet (level `searchable-reference`), or nothing was sent
 */
export type MissingEntryCheck = 'lost' | 'there' | 'not-verifiable';

@Injectable()
export class MarkEntryMissing {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly erpConnections: ErpConnections,
  ) {}

  /**
   * Repeatable. Searches the ERP once more: only a conclusive "nothing under this key" counts (docs/rules/capability-levels.md).
   * @param jobId any job that posted to the ERP company
   * @param key the accounting entry's id
   * @param since when the entry was first seen to be missing
   * @throws ErpUnavailable, LeaseLost
   */
  async markMissingIfAbsent(lease: CompanyLease, jobId: string, key: string, since: Date): Promise<MissingEntryCheck> {
    const sent = await this.loadSent(lease, jobId, key);
    // Read before the look-up, so that an entry that the look-up misses is at least that old.
    if (sent === undefined) {
      return 'not-verifiable';
    }
    const { job, erpCompanyId, intent } = sent;
    const erp = await this.erpConnections.open(job.installationId, erpCompanyId);
    if (!isLookUpConclusive(erp.guarantee, intent.age.sinceLastMs)) {
      return 'not-verifiable';
    }
    const found = (await erp.findPosted([key])).get(key);
    if (found !== undefined && (found.revision >= intent.revision || !found.reversed)) {
      return 'there';
    }
    const missing = { key, known: found?.revision ?? 0 };
    await fenced(this.tenantDatabase, 'mark entry missing', lease, (tx) =>
      this.postingIntentRepository.markMissing(tx, job, erpCompanyId, missing, since),
    );
    return 'lost';
  }

  private async loadSent({ installationId }: CompanyLease, jobId: string, key: string) {
    return this.tenantDatabase.inInstallation('load intent', installationId, async (tx) => {
      const job = await this.exportJobRepository.find(tx, installationId, toExportJobId(jobId));
      const erpCompanyId = job?.erpCompanyId;
      if (job === undefined || erpCompanyId === undefined) {
        return undefined;
      }
      const [intent] = (await this.postingIntentRepository.find(tx, job, erpCompanyId, [key])).values();
      return intent && { job, erpCompanyId, intent };
    });
  }
}
