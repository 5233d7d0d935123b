// What a person does about a difference: take a note for an explanation, take the entry out of the books, or export it again.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId, type CompanyId, type InstallationId } from '../../../kernel/ids.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { ExportRecordsService, type CompanyLease } from '../../exports/stores/export-records.service.js';
import { ReexportsService } from '../../exports/reexport/reexports.service.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { DifferenceRepository, type DifferenceView } from '../compare/difference.repository.js';
import { actionsOf, type DifferenceAction } from '../domain/difference-class.js';
import { bookedOf, ReverseDifference } from './reverse-difference.js';

/**
 * `unknown`: there is no such difference · `settled`: somebody was faster · `impossible`: not with one of this class ·
 * `busy`: an export of the company is under way · `there`: what the books had lost is in them again · `cannot-tell`: whether
 * they have lost it cannot be told (yet) · `refused`: the ERP has not reversed it, in its own words · `unanswered`: it may have
 */
export type Acted =
  | { readonly outcome: 'done' | 'unknown' | 'settled' | 'impossible' | 'busy' | 'there' | 'cannot-tell' }
  | { readonly outcome: 'refused' | 'unanswered'; readonly message: string };

export interface DifferenceDecision {
  readonly action: DifferenceAction;
  readonly note: string;
  /** Who decides, for the record. */
  readonly by: string;
}

@Injectable()
export class ActOnDifference {
  constructor(
    private readonly database: TenantDatabase,
    private readonly differences: DifferenceRepository,
    private readonly installations: InstallationsService,
    private readonly records: ExportRecordsService,
    private readonly reexports: ReexportsService,
    private readonly reversing: ReverseDifference,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /** @throws ErpUnavailable, LeaseLost; the action may then be repeated */
  async run(installationId: InstallationId, id: string, decision: DifferenceDecision): Promise<Acted> {
    const difference = await this.database.inInstallation('read difference', installationId, (tx) =>
      this.differences.find(tx, installationId, id),
    );
    if (difference === undefined) {
      return { outcome: 'unknown' };
    }
    if (difference.state !== 'open') {
      return { outcome: 'settled' };
    }
    if (!actionsOf(difference.class).includes(decision.action)) {
      return { outcome: 'impossible' };
    }
    switch (decision.action) {
      case 'accept':
        return this.accept(installationId, difference, decision);
      case 'reverse':
        return this.reverse(installationId, difference, decision);
      case 're-export':
        return this.exportAgain(installationId, difference, decision);
    }
  }

  private async accept(
    installationId: InstallationId,
    { id }: DifferenceView,
    { note, by }: DifferenceDecision,
  ): Promise<Acted> {
    const accepted = { state: 'accepted', how: 'accept', by, note } as const;
    await this.database.inInstallation('accept difference', installationId, (tx) =>
      this.differences.settle(tx, installationId, id, accepted, this.clock.now()),
    );
    return { outcome: 'done' };
  }

  private async reverse(
    installationId: InstallationId,
    difference: DifferenceView,
    decision: DifferenceDecision,
  ): Promise<Acted> {
    const companyId = await this.companyOf(installationId);
    if (companyId === undefined || difference.erpCompanyId === null) {
      return { outcome: 'impossible' };
    }
    const owned = await this.records.asOwner(installationId, companyId, (lease) =>
      this.reversing.run(lease, difference, decision),
    );
    if (owned === undefined) {
      return { outcome: 'busy' };
    }
    const { result } = owned;
    return result.outcome === 'reversed' ? { outcome: 'done' } : result;
  }

  /** What is out of the books is noted first, or the export would report what is not there. */
  private async exportAgain(
    installationId: InstallationId,
    difference: DifferenceView,
    { note, by }: DifferenceDecision,
  ): Promise<Acted> {
    const { accountingEntryId, exportJobId } = difference;
    const companyId = await this.companyOf(installationId);
    if (companyId === undefined || accountingEntryId === null || exportJobId === null) {
      return { outcome: 'impossible' };
    }
    if (difference.class === 'reversed-in-erp' || difference.class === 'deleted-in-erp') {
      const owned = await this.records.asOwner(installationId, companyId, (lease) =>
        this.noteOutOfBooks(lease, difference, exportJobId),
      );
      if (owned?.result !== 'noted') {
        return { outcome: owned?.result ?? 'busy' };
      }
    }
    await this.database.inInstallation('export difference again', installationId, async (tx) => {
      const reexportId = await this.reexports.request(tx, installationId, {
        companyId,
        causeKey: undefined,
        previewId: undefined,
        pinned: undefined,
        entryIds: [accountingEntryId],
        likeJobId: exportJobId,
        exportJobId: undefined,
        askedBy: by,
      });
      await this.differences.noteReexport(tx, installationId, difference.id, reexportId, note);
    });
    return { outcome: 'done' };
  }

  /** As reversed where the ERP shows it so; else it is lost, for which the ERP is asked once more. */
  private async noteOutOfBooks(
    lease: CompanyLease,
    { class: differenceClass, subject, erpCompanyId, firstSeenAt }: DifferenceView,
    exportJobId: string,
  ): Promise<'noted' | 'there' | 'cannot-tell'> {
    if (differenceClass === 'reversed-in-erp') {
      const groups = await this.erp.inspect(toErpCompanyId(erpCompanyId ?? ''), [subject]);
      const reversed = bookedOf(subject, groups.get(subject) ?? []);
      if (reversed.size > 0) {
        await this.records.noteReversed(lease, exportJobId, reversed);
        return 'noted';
      }
    }
    const noted = await this.records.noteLost(lease, exportJobId, subject, firstSeenAt);
    return noted === 'lost' ? 'noted' : noted;
  }

  private async companyOf(installationId: InstallationId): Promise<CompanyId | undefined> {
    return (await this.installations.find(installationId))?.companyId;
  }
}
