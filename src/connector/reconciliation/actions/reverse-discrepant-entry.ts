// Reverses the entry of a discrepancy under the company's lease. As with posting, the intent is stored before the effect:
// after a crash in between the next run resumes the reversal.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { InspectedGroup } from '../../erp/erp-books.js';
import type { ReverseOutcome } from '../../erp/erp-ledger.js';
import { DiscrepancyRepository } from '../compare/discrepancy.repository.js';
import type { DiscrepancyView } from '../domain/discrepancy-view.js';
import type { CompanyLease } from '../../exports/stores/company-lease.repository.js';
import { CompanyOwnership } from '../../exports/stores/company-ownership.js';
import { RepairRecord, type BookedPosting } from '../../exports/stores/repair-record.js';

/**
 * `settled`: not reversed, as the discrepancy was settled meanwhile · `exported-since`: not reversed, as what stands is of a later
 * export · `refused`: not reversed, with the ERP's message · `unanswered`: it may be reversed; the next run asks again
 */
export type ReversalOutcome =
  | { readonly outcome: 'reversed' }
  | { readonly outcome: 'settled' | 'exported-since' }
  | { readonly outcome: 'refused' | 'unanswered'; readonly message: string };

interface ReversalDecision {
  readonly by: string;
  readonly note: string;
}

@Injectable()
export class ReverseDiscrepantEntry {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyOwnership: CompanyOwnership,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly repairRecord: RepairRecord,
    private readonly erpConnections: ErpConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * Repeatable: an entry is reversed once.
   * @returns undefined when another worker owns the company
   * @throws ErpUnavailable, LeaseLost
   */
  async reverseInErp(
    installationId: InstallationId,
    discrepancy: DiscrepancyView,
    decision: ReversalDecision,
  ): Promise<ReversalOutcome | undefined> {
    const owned = await this.companyOwnership.whileOwner(installationId, discrepancy.companyId, (lease, assertOwner) =>
      this.reverseAsOwner(lease, assertOwner, discrepancy, decision),
    );
    return owned?.result;
  }

  private async reverseAsOwner(
    lease: CompanyLease,
    assertOwner: () => void,
    discrepancy: DiscrepancyView,
    { by, note }: ReversalDecision,
  ): Promise<ReversalOutcome> {
    const { installationId } = lease;
    const { id, subject, exportJobId, accountingEntryId } = discrepancy;
    const erpCompanyId = toErpCompanyId(discrepancy.erpCompanyId ?? '');
    const erp = await this.erpConnections.open(installationId, erpCompanyId, { assertOwner });
    const groups = (await erp.inspect([subject])).get(subject) ?? [];
    const booked = bookedOf(subject, groups);
    const isRecorded = exportJobId !== null && accountingEntryId === subject && booked.size > 0;
    const begun = await this.begin(installationId, id, by, note);
    if (begun !== 'begun') {
      return { outcome: begun };
    }
    if (isRecorded) {
      await this.repairRecord.beginReversal(lease, exportJobId, booked);
    }
    const [outcome] = await erp.reverse([subject]);
    const reversed = reversalOutcomeOf(outcome);
    if (reversed.outcome === 'reversed') {
      if (isRecorded) {
        await this.repairRecord.markReversed(lease, exportJobId, booked);
      }
      const settled = { state: 'repaired', how: 'reverse', by, note } as const;
      await this.tenantDatabase.inInstallation('settle discrepancy', installationId, (tx) =>
        this.discrepancyRepository.settle(tx, installationId, id, settled, this.clock.now()),
      );
    }
    if (reversed.outcome === 'refused') {
      await this.tenantDatabase.inInstallation('withdraw reversal of discrepancy', installationId, (tx) =>
        this.discrepancyRepository.withdrawReversal(tx, installationId, id),
      );
      if (isRecorded) {
        await this.repairRecord.withdrawReversal(lease, exportJobId, [subject]);
      }
    }
    return reversed;
  }

  /**
   * Since it was read another person may have settled it. After a reversal whose response was lost the entry may have been posted
   * anew, which the same key would reverse as well.
   */
  private async begin(
    installationId: InstallationId,
    id: string,
    by: string,
    note: string,
  ): Promise<'begun' | 'settled' | 'exported-since'> {
    return this.tenantDatabase.inInstallation('begin reversal of discrepancy', installationId, async (tx) => {
      if (await this.discrepancyRepository.isExportedSince(tx, installationId, id)) {
        return 'exported-since';
      }
      const isBegun = await this.discrepancyRepository.beginReversal(tx, installationId, id, by, note);
      return isBegun ? 'begun' : 'settled';
    });
  }
}

/** The newest revision under a key, as the record of it. */
export function bookedOf(key: string, groups: readonly InspectedGroup[]): ReadonlyMap<string, BookedPosting> {
  const group = groups.at(-1);
  const main = group?.entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? group?.entries[0];
  return group === undefined || main === undefined
    ? new Map()
    : new Map([
        [
          key,
          {
            contentDigest: group.contentDigest,
            revision: group.revision,
            externalId: main.id,
            externalUrl: '',
            entries: group.entries,
          },
        ],
      ]);
}

function reversalOutcomeOf(reversed: ReverseOutcome | undefined): ReversalOutcome {
  switch (reversed?.outcome) {
    case 'reversed':
    case 'absent':
      return { outcome: 'reversed' };
    case 'refused':
      return { outcome: 'refused', message: reversed.message };
    case 'unavailable':
      return { outcome: 'unanswered', message: reversed.failure.message };
    case undefined:
      return {
        outcome: 'unanswered',
        message: 'the accounting system did not report the outcome',
      };
  }
}
