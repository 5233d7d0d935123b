// What a person does about a discrepancy: accept it with a note, reverse the entry in the ERP, or export it again.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { DiscrepancyRepository } from '../compare/discrepancy.repository.js';
import type { DiscrepancyView } from '../domain/discrepancy-view.js';
import { actionsOf, type DiscrepancyAction } from '../domain/discrepancy-class.js';
import { RecordMissingEntry } from './record-missing-entry.js';
import { ReverseDiscrepantEntry } from './reverse-discrepant-entry.js';
import { QueueReexport } from '../../exports/reexport/queue-reexport.js';

/**
 * `unknown`: no such discrepancy · `settled`: settled already · `impossible`: not an action of this class · `busy`: an export
 * of the company is running · `there`: the entry that was missing is in the ERP again · `not-verifiable`: the ERP cannot
 * (yet) show that the entry is missing · `exported-since`: what would be reversed is of a later export · `refused`: the ERP has not
 * reversed it and says why · `unanswered`: it may have
 */
export type DiscrepancyActionResult =
  | {
      readonly outcome:
        'done' | 'unknown' | 'settled' | 'impossible' | 'busy' | 'there' | 'not-verifiable' | 'exported-since';
    }
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
    private readonly reverseDiscrepantEntry: ReverseDiscrepantEntry,
    private readonly recordMissingEntry: RecordMissingEntry,
    private readonly queueReexport: QueueReexport,
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
    const isAccepted = await this.tenantDatabase.inInstallation('accept discrepancy', installationId, (tx) =>
      this.discrepancyRepository.settle(tx, installationId, id, accepted, this.clock.now()),
    );
    return { outcome: isAccepted ? 'done' : 'settled' };
  }

  private async reverse(
    installationId: InstallationId,
    discrepancy: DiscrepancyView,
    decision: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    if (discrepancy.erpCompanyId === null) {
      return { outcome: 'impossible' };
    }
    const result = await this.reverseDiscrepantEntry.reverseInErp(installationId, discrepancy, decision);
    if (result === undefined) {
      return { outcome: 'busy' };
    }
    return result.outcome === 'reversed' ? { outcome: 'done' } : result;
  }

  /** An entry that is not in the books is recorded as such first, or the export would report a missing entry as posted. */
  private async requestReexport(
    installationId: InstallationId,
    discrepancy: DiscrepancyView,
    { note, by }: DiscrepancyDecision,
  ): Promise<DiscrepancyActionResult> {
    const { accountingEntryId, exportJobId } = discrepancy;
    if (accountingEntryId === null || exportJobId === null) {
      return { outcome: 'impossible' };
    }
    if (discrepancy.class === 'reversed-in-erp' || discrepancy.class === 'deleted-in-erp') {
      const recorded = await this.recordMissingEntry.recordIfMissing(installationId, discrepancy, exportJobId);
      if (recorded !== 'recorded') {
        return { outcome: recorded };
      }
    }
    return this.tenantDatabase.inInstallation('export discrepancy again', installationId, async (tx) => {
      if ((await this.discrepancyRepository.find(tx, installationId, discrepancy.id))?.state !== 'open') {
        return { outcome: 'settled' };
      }
      const request = { entryIds: [accountingEntryId], likeJobId: exportJobId, requestedBy: by };
      const reexport = await this.queueReexport.queue(tx, installationId, request);
      await this.discrepancyRepository.linkReexport(tx, installationId, discrepancy.id, reexport.id, note);
      return { outcome: 'done' };
    });
  }
}
