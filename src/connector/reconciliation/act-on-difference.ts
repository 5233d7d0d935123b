// What a person does about a difference: take a note for an explanation, take the entry out of the books, or export it again.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { toErpCompanyId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import { ErpLedger, type InspectedGroup, type ReverseOutcome } from '../erp/erp-ledger.js';
import {
  ExportRecordsService,
  type BookedPosting,
  type CompanyLease,
} from '../exports/export-records.service.js';
import { ReexportsService } from '../exports/reexports.service.js';
import { InstallationsService } from '../installations/installations.service.js';
import { DifferenceRepository, type DifferenceView } from './difference.repository.js';
import { actionsOf, type DifferenceAction } from './domain/difference-class.js';

/**
 * `unknown`: there is no such difference · `settled`: somebody was faster · `impossible`: not with one of this class ·
 * `busy`: an export of the company is under way · `refused`: the ERP has not reversed it, in its own words
 */
export type Acted =
  | { readonly outcome: 'done' | 'unknown' | 'settled' | 'impossible' | 'busy' }
  | { readonly outcome: 'refused'; readonly message: string };

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
        return this.settle(installationId, difference, 'accepted', decision);
      case 'reverse':
        return this.reverse(installationId, difference, decision);
      case 're-export':
        return this.exportAgain(installationId, difference, decision);
    }
  }

  private async settle(
    installationId: InstallationId,
    { id }: DifferenceView,
    state: 'accepted' | 'repaired',
    { action, note, by }: DifferenceDecision,
  ): Promise<Acted> {
    await this.database.inInstallation('settle difference', installationId, (tx) =>
      this.differences.settle(tx, installationId, id, { state, how: action, by, note }, this.clock.now()),
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
      this.reverseAsOwner(lease, difference, decision),
    );
    return owned === undefined ? { outcome: 'busy' } : owned.result;
  }

  private async reverseAsOwner(
    lease: CompanyLease,
    difference: DifferenceView,
    decision: DifferenceDecision,
  ): Promise<Acted> {
    const { installationId } = lease;
    const { subject, exportJobId, accountingEntryId } = difference;
    const erpCompanyId = toErpCompanyId(difference.erpCompanyId ?? '');
    const groups = (await this.erp.inspect(erpCompanyId, [subject])).get(subject) ?? [];
    const booked = bookedOf(subject, groups);
    const isRecorded = exportJobId !== null && accountingEntryId === subject && booked.size > 0;
    await this.database.inInstallation('begin reversal of difference', installationId, (tx) =>
      this.differences.beginReversal(tx, installationId, difference.id),
    );
    if (isRecorded) {
      await this.records.beginReversal(lease, exportJobId, booked);
    }
    const [answer] = await this.erp.reverse(erpCompanyId, [subject]);
    const failed = failureOf(answer);
    if (failed !== undefined) {
      return { outcome: 'refused', message: failed };
    }
    if (isRecorded) {
      await this.records.noteReversed(lease, exportJobId, booked);
    }
    return this.settle(installationId, difference, 'repaired', decision);
  }

  /** What the books have lost is noted as reversed first, or the export would report what is not there. */
  private async exportAgain(
    installationId: InstallationId,
    difference: DifferenceView,
    { note, by }: DifferenceDecision,
  ): Promise<Acted> {
    const { accountingEntryId, exportJobId, erpCompanyId, subject } = difference;
    const companyId = await this.companyOf(installationId);
    if (companyId === undefined || accountingEntryId === null || exportJobId === null) {
      return { outcome: 'impossible' };
    }
    if (difference.class === 'reversed-in-erp' && erpCompanyId !== null) {
      const groups = (await this.erp.inspect(toErpCompanyId(erpCompanyId), [subject])).get(subject) ?? [];
      const owned = await this.records.asOwner(installationId, companyId, (lease) =>
        this.records.noteReversed(lease, exportJobId, bookedOf(subject, groups)),
      );
      if (owned === undefined) {
        return { outcome: 'busy' };
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

  private async companyOf(installationId: InstallationId): Promise<CompanyId | undefined> {
    return (await this.installations.find(installationId))?.companyId;
  }
}

/** The newest revision under a key, as the record of it. */
function bookedOf(key: string, groups: readonly InspectedGroup[]): ReadonlyMap<string, BookedPosting> {
  const group = groups.at(-1);
  const main =
    group?.entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? group?.entries[0];
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
          },
        ],
      ]);
}

function failureOf(answer: ReverseOutcome | undefined): string | undefined {
  switch (answer?.outcome) {
    case 'reversed':
    case 'absent':
      return undefined;
    case 'refused':
      return answer.message;
    case 'unavailable':
      return answer.failure.message;
    case undefined:
      return 'the accounting system did not say what became of it';
  }
}
