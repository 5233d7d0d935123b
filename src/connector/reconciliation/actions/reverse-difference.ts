// Takes what a difference is about out of the books, as the company's owner. As with posting, the intent comes before the
// effect: whoever is killed in between leaves a reversal that the next run goes on with.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import { ErpLedger, type InspectedGroup, type ReverseOutcome } from '../../erp/erp-ledger.js';
import {
  ExportRecordsService,
  type BookedPosting,
  type CompanyLease,
} from '../../exports/stores/export-records.service.js';
import { DifferenceRepository, type DifferenceView } from '../compare/difference.repository.js';

/** `refused`: it stands as it was, in the ERP's own words · `unanswered`: it may be reversed, and is asked for again */
export type Reversed =
  { readonly outcome: 'reversed' } | { readonly outcome: 'refused' | 'unanswered'; readonly message: string };

@Injectable()
export class ReverseDifference {
  constructor(
    private readonly database: TenantDatabase,
    private readonly differences: DifferenceRepository,
    private readonly records: ExportRecordsService,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /**
   * Repeatable: what is reversed already is reversed once.
   * @throws ErpUnavailable, LeaseLost
   */
  async run(
    lease: CompanyLease,
    difference: DifferenceView,
    { by, note }: { readonly by: string; readonly note: string },
  ): Promise<Reversed> {
    const { installationId } = lease;
    const { id, subject, exportJobId, accountingEntryId } = difference;
    const erpCompanyId = toErpCompanyId(difference.erpCompanyId ?? '');
    const groups = (await this.erp.inspect(erpCompanyId, [subject])).get(subject) ?? [];
    const booked = bookedOf(subject, groups);
    const isRecorded = exportJobId !== null && accountingEntryId === subject && booked.size > 0;
    await this.database.inInstallation('begin reversal of difference', installationId, (tx) =>
      this.differences.beginReversal(tx, installationId, id, by, note),
    );
    if (isRecorded) {
      await this.records.beginReversal(lease, exportJobId, booked);
    }
    const [answer] = await this.erp.reverse(erpCompanyId, [subject]);
    const reversed = reversedOf(answer);
    if (reversed.outcome === 'reversed') {
      if (isRecorded) {
        await this.records.noteReversed(lease, exportJobId, booked);
      }
      const settled = { state: 'repaired', how: 'reverse', by, note } as const;
      await this.database.inInstallation('settle difference', installationId, (tx) =>
        this.differences.settle(tx, installationId, id, settled, this.clock.now()),
      );
    }
    if (reversed.outcome === 'refused') {
      await this.database.inInstallation('withdraw reversal of difference', installationId, (tx) =>
        this.differences.withdrawReversal(tx, installationId, id),
      );
      if (isRecorded) {
        await this.records.withdrawReversal(lease, exportJobId, [subject]);
      }
    }
    return reversed;
  }
}

/** The newest revision under a key, as the record of it. */
export function bookedOf(key: string, groups: readonly InspectedGroup[]): ReadonlyMap<string, BookedPosting> {
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
            entries: group.entries,
          },
        ],
      ]);
}

function reversedOf(answer: ReverseOutcome | undefined): Reversed {
  switch (answer?.outcome) {
    case 'reversed':
    case 'absent':
      return { outcome: 'reversed' };
    case 'refused':
      return { outcome: 'refused', message: answer.message };
    case 'unavailable':
      return { outcome: 'unanswered', message: answer.failure.message };
    case undefined:
      return {
        outcome: 'unanswered',
        message: 'the accounting system did not say what became of it',
      };
  }
}
