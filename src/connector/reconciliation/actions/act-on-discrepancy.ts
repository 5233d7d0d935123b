// What a person does about a discrepancy: accept it with a note, reverse the entry in the ERP, or export it again.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId, type CompanyId, type InstallationId } from '../../../kernel/ids.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { DiscrepancyRepository } from '../compare/discrepancy.repository.js';
import type { DiscrepancyView } from '../domain/discrepancy-view.js';
import { actionsOf, type DiscrepancyAction } from '../domain/discrepancy-class.js';
import { bookedOf, ReverseDiscrepantEntry } from './reverse-discrepant-entry.js';
import { MarkEntryMissing } from '../../exports/in-doubt/mark-entry-missing.js';
import { QueueReexport } from '../../exports/reexport/queue-reexport.js';
import type { CompanyLease } from '../../exports/stores/company-lease.repository.js';
import { CompanyOwnership } from '../../exports/stores/company-ownership.js';
import { RepairRecord } from '../../exports/stores/repair-record.js';

/**
 * `unknown`: no such discrepancy · `settled`: settled already · `impossible`: not an action of this class · `busy`: an export
 * of the company is running · `there`: the entry that was missing is in the ERP again · `not-verifiable`: the ERP cannot
 * (yet) show that the entry is missing · `refused`: the ERP has not reversed it and says why · `unanswered`: it may have
 */
export type DiscrepancyActionResult =
  | { readonly outcome: 'done' | 'unknown' | 'settled' | 'impossible' | 'busy' | 'there' | 'not-verifiable' }
  | { readonly outcome: 'refused' | 'unanswered'; readonly message: string };

export interface DiscrepancyDecision {
  readonly action: DiscrepancyAction;
  readonly note: string;
  /** Name of the person, for the record. */
  readonly by: string;
}

@Injectable()
export class ActOnDiscrepancy {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly installationReader: InstallationReader,
    private readonly companyOwnership: CompanyOwnership,
    private readonly repairRecord: RepairRecord,
    private readonly markEntryMissing: MarkEntryMissing,
    private readonly queueReexport: QueueReexport,
    private readonly reverseDiscrepantEntry: ReverseDiscrepantEntry,
    private readonly erpLedger: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /** @throws ErpUnavailable, LeaseLost; the action may then be repeated */
  async act(
    installationId: InstallationId,
    id: string,
    decision: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    const discrepancy = await this.tenantDatabase.inInstallation('read discrepancy', installationId, (tx) =>
      this.discrepancyRepository.find(tx, installationId, id),
    );
    if (discrepancy === undefined) {
      return { outcome: 'unknown' };
    }
    if (discrepancy.state !== 'open') {
      return { outcome: 'settled' };
    }
    if (!actionsOf(discrepancy.class).includes(decision.action)) {
      return { outcome: 'impossible' };
    }
    switch (decision.action) {
      case 'accept':
        return this.accept(installationId, discrepancy, decision);
      case 'reverse':
        return this.reverse(installationId, discrepancy, decision);
      case 're-export':
        return this.requestReexport(installationId, discrepancy, decision);
    }
  }

  private async accept(
    installationId: InstallationId,
    { id }: DiscrepancyView,
    { note, by }: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    const accepted = { state: 'accepted', how: 'accept', by, note } as const;
    await this.tenantDatabase.inInstallation('accept discrepancy', installationId, (tx) =>
      this.discrepancyRepository.settle(tx, installationId, id, accepted, this.clock.now()),
    );
    return { outcome: 'done' };
  }

  private async reverse(
    installationId: InstallationId,
    discrepancy: DiscrepancyView,
    decision: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    const companyId = await this.companyOf(installationId);
    if (companyId === undefined || discrepancy.erpCompanyId === null) {
      return { outcome: 'impossible' };
    }
    const owned = await this.companyOwnership.whileOwner(installationId, companyId, (lease) =>
      this.reverseDiscrepantEntry.reverseInErp(lease, discrepancy, decision),
    );
    if (owned === undefined) {
      return { outcome: 'busy' };
    }
    const { result } = owned;
    return result.outcome === 'reversed' ? { outcome: 'done' } : result;
  }

  /** An entry that is not in the books is recorded as such first, or the export would report a missing entry as posted. */
  private async requestReexport(
    installationId: InstallationId,
    discrepancy: DiscrepancyView,
    { note, by }: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    const { accountingEntryId, exportJobId } = discrepancy;
    const companyId = await this.companyOf(installationId);
    if (companyId === undefined || accountingEntryId === null || exportJobId === null) {
      return { outcome: 'impossible' };
    }
    if (discrepancy.class === 'reversed-in-erp' || discrepancy.class === 'deleted-in-erp') {
      const owned = await this.companyOwnership.whileOwner(installationId, companyId, (lease) =>
        this.recordNotStanding(lease, discrepancy, exportJobId),
      );
      if (owned?.result !== 'noted') {
        return { outcome: owned?.result ?? 'busy' };
      }
    }
    await this.tenantDatabase.inInstallation('export discrepancy again', installationId, async (tx) => {
      const reexportId = await this.queueReexport.queue(tx, installationId, {
        companyId,
        issueKey: undefined,
        previewId: undefined,
        pinned: undefined,
        entryIds: [accountingEntryId],
        likeJobId: exportJobId,
        exportJobId: undefined,
        requestedBy: by,
      });
      await this.discrepancyRepository.linkReexport(tx, installationId, discrepancy.id, reexportId, note);
    });
    return { outcome: 'done' };
  }

  /** As reversed when the ERP shows a reversal; else as missing, after one more look-up in the ERP. */
  private async recordNotStanding(
    lease: CompanyLease,
    { class: discrepancyClass, subject, erpCompanyId, firstSeenAt }: DiscrepancyView,
    exportJobId: string,
  ): Promise<'noted' | 'there' | 'not-verifiable'> {
    if (discrepancyClass === 'reversed-in-erp') {
      const groups = await this.erpLedger.inspect(toErpCompanyId(erpCompanyId ?? ''), [subject]);
      const reversed = bookedOf(subject, groups.get(subject) ?? []);
      if (reversed.size > 0) {
        await this.repairRecord.markReversed(lease, exportJobId, reversed);
        return 'noted';
      }
    }
    const noted = await this.markEntryMissing.markMissingIfAbsent(lease, exportJobId, subject, firstSeenAt);
    return noted === 'lost' ? 'noted' : noted;
  }

  private async companyOf(installationId: InstallationId): Promise<CompanyId | undefined> {
    return (await this.installationReader.find(installationId))?.companyId;
  }
}
