// Records that an entry does not stand in the books, so that its next export posts it again.
import { Injectable } from '@nestjs/common';
import { toErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { MarkEntryMissing } from '../../exports/in-doubt/mark-entry-missing.js';
import type { CompanyLease } from '../../exports/stores/company-lease.repository.js';
import { CompanyOwnership } from '../../exports/stores/company-ownership.js';
import { RepairRecord } from '../../exports/stores/repair-record.js';
import { isStanding } from '../domain/compared-sources.js';
import type { DiscrepancyView } from '../domain/discrepancy-view.js';
import { bookedOf } from './reverse-discrepant-entry.js';

/**
 * `busy`: an export of the company is running · `there`: the ERP has the entry again · `not-verifiable`: the ERP cannot (yet)
 * show that it is missing
 */
export type MissingEntryOutcome = 'recorded' | 'busy' | 'there' | 'not-verifiable';

@Injectable()
export class RecordMissingEntry {
  constructor(
    private readonly companyOwnership: CompanyOwnership,
    private readonly repairRecord: RepairRecord,
    private readonly markEntryMissing: MarkEntryMissing,
    private readonly erpConnections: ErpConnections,
  ) {}

  /**
   * As reversed when the ERP shows a reversal; else as missing, after one more look-up in the ERP.
   * @throws ErpUnavailable, LeaseLost
   */
  async recordIfMissing(
    installationId: InstallationId,
    discrepancy: DiscrepancyView,
    exportJobId: string,
  ): Promise<MissingEntryOutcome> {
    const owned = await this.companyOwnership.whileOwner(installationId, discrepancy.companyId, (lease) =>
      this.recordAsOwner(lease, discrepancy, exportJobId),
    );
    return owned?.result ?? 'busy';
  }

  private async recordAsOwner(
    lease: CompanyLease,
    { class: discrepancyClass, subject, erpCompanyId, firstSeenAt }: DiscrepancyView,
    exportJobId: string,
  ): Promise<MissingEntryOutcome> {
    if (discrepancyClass === 'reversed-in-erp') {
      const erp = await this.erpConnections.open(lease.installationId, toErpCompanyId(erpCompanyId ?? ''));
      const groups = (await erp.inspect([subject])).get(subject) ?? [];
      // It was exported again since the discrepancy was found.
      if (groups.some(({ entries }) => entries.some(isStanding))) {
        return 'there';
      }
      const reversed = bookedOf(subject, groups);
      if (reversed.size > 0) {
        await this.repairRecord.markReversed(lease, exportJobId, reversed);
        return 'recorded';
      }
    }
    const checked = await this.markEntryMissing.markMissingIfAbsent(lease, exportJobId, subject, firstSeenAt);
    return checked === 'lost' ? 'recorded' : checked;
  }
}
