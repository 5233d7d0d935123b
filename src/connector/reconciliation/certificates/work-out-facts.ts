// Works out what a certificate says of a job, from our record and from what the ERP shows now, page by page.
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ErpLedger, ErpNotSearchable, type InspectedGroup } from '../../erp/erp-ledger.js';
import { showsWhatIsAged } from '../../exports/domain/after-unknown.js';
import {
  ExportRecordsService,
  type JobRecord,
  type PostingRecord,
} from '../../exports/stores/export-records.service.js';
import { DifferenceRepository } from '../compare/difference.repository.js';
import type { CertifiedFacts, CertifiedSide, PostingName } from '../domain/certificate.js';
import { postingText, SideSum } from '../domain/side-sum.js';
import { comparedEntry } from '../compare/load-sides.js';

/** As many keys as the ERP is asked for at once. */
const PAGE = 500;
/** Most lost postings that are named. */
const MOST_NAMED = 20;

/** Postings that the ERP does not show, and of which a person has noted that it has lost them. */
export interface LostPostings {
  readonly count: number;
  /** The first of them. */
  readonly named: readonly PostingName[];
  /** The ERP's side as it was before those were lost that were there until then; null: it cannot be searched. */
  readonly erpBefore: CertifiedSide | null;
}

export interface WorkedOut {
  readonly facts: CertifiedFacts;
  /** The first posting whose plan the ERP does not show; lost ones do not count. */
  readonly firstApart: PostingName | undefined;
  readonly lost: LostPostings;
  /** False: the ERP's search may not show yet what is there. */
  readonly certain: boolean;
}

/** Both sides of a job while they are added up. */
interface Sums {
  readonly planned: SideSum;
  readonly erp: SideSum;
  readonly erpBefore: SideSum;
  readonly named: PostingName[];
  lost: number;
  searchable: boolean;
  certain: boolean;
  firstApart: WorkedOut['firstApart'];
}

@Injectable()
export class WorkOutFacts {
  constructor(
    private readonly database: TenantDatabase,
    private readonly records: ExportRecordsService,
    private readonly differences: DifferenceRepository,
    private readonly erp: ErpLedger,
  ) {}

  /**
   * @param until what came to light later is left out
   * @param onPage called after each page, for whoever has to show that it is still at work
   * @throws ErpUnavailable, and what `onPage` throws
   */
  async run(
    installationId: InstallationId,
    job: JobRecord,
    until: Date,
    onPage: () => Promise<void>,
  ): Promise<WorkedOut> {
    const sums: Sums = {
      planned: new SideSum(createHash('sha256')),
      erp: new SideSum(createHash('sha256')),
      erpBefore: new SideSum(createHash('sha256')),
      named: [],
      lost: 0,
      searchable: true,
      certain: true,
      firstApart: undefined,
    };
    let after: PostingRecord | undefined;
    for (;;) {
      const page = await this.records.postings(installationId, job.id, until, after, PAGE);
      await this.add(sums, installationId, job, page, until);
      await onPage();
      after = page.at(-1);
      if (page.length < PAGE) {
        break;
      }
    }
    const { numberOfItems: announced } = job;
    const facts = {
      jobState: job.state,
      mappingVersion: job.mappingVersion ?? null,
      erpCompanyId: job.erpCompanyId ?? null,
      items: { announced, ...(await this.records.countItems(installationId, job.id)) },
      planned: sums.planned.result(),
      erp: sums.searchable ? sums.erp.result() : null,
    };
    const lost = {
      count: sums.lost,
      named: sums.named,
      erpBefore: sums.searchable ? sums.erpBefore.result() : null,
    };
    return { facts, firstApart: sums.firstApart, lost, certain: sums.certain };
  }

  private async add(
    sums: Sums,
    installationId: InstallationId,
    job: JobRecord,
    page: readonly PostingRecord[],
    until: Date,
  ): Promise<void> {
    const shown = sums.searchable ? await this.inspect(job, page) : undefined;
    sums.searchable &&= shown !== undefined;
    const groupOf = ({ accountingEntryId, revision }: PostingRecord) =>
      shown?.get(accountingEntryId)?.find((group) => group.revision === revision);
    const missing = sums.searchable ? page.filter((posting) => groupOf(posting) === undefined) : [];
    const accepted = await this.acceptedLosses(installationId, job, missing);
    for (const posting of page) {
      const lostAt = posting.lostAt ?? accepted.get(posting.accountingEntryId) ?? null;
      this.addOne(sums, { ...posting, lostAt }, groupOf(posting), until);
    }
  }

  private async acceptedLosses(
    installationId: InstallationId,
    { companyId }: JobRecord,
    missing: readonly PostingRecord[],
  ): Promise<ReadonlyMap<string, Date>> {
    const ids = missing.map(({ accountingEntryId }) => accountingEntryId);
    return ids.length === 0
      ? new Map()
      : this.database.inInstallation('accepted losses', installationId, (tx) =>
          this.differences.acceptedLosses(tx, installationId, companyId, ids),
        );
  }

  private addOne(sums: Sums, posting: PostingRecord, group: InspectedGroup | undefined, until: Date): void {
    const { accountingEntryId, revision, lostAt } = posting;
    const entries = posting.plan.map(comparedEntry);
    const text = postingText(accountingEntryId, revision, entries);
    if (entries.length > 0) {
      sums.planned.add(text, entries);
    }
    const shownText = group && postingText(accountingEntryId, revision, group.entries);
    if (group !== undefined && shownText !== undefined) {
      sums.erp.add(shownText, group.entries);
      sums.erpBefore.add(shownText, group.entries);
    } else if (sums.searchable && lostAt !== null) {
      sums.lost += 1;
      if (sums.named.length < MOST_NAMED) {
        sums.named.push({ accountingEntryId, revision });
      }
      if (lostAt > until && entries.length > 0) {
        sums.erpBefore.add(text, entries);
      }
      return;
    } else if (sums.searchable && !showsWhatIsAged(this.erp.capability, posting.sinceSentMs)) {
      sums.certain = false;
    }
    if (entries.length > 0 && shownText !== text) {
      sums.firstApart ??= { accountingEntryId, revision };
    }
  }

  /** @returns undefined when the ERP cannot be searched */
  private async inspect(
    { erpCompanyId }: JobRecord,
    page: readonly PostingRecord[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]> | undefined> {
    const keys = [...new Set(page.map(({ accountingEntryId }) => accountingEntryId))];
    if (erpCompanyId === undefined || keys.length === 0) {
      return new Map();
    }
    try {
      return await this.erp.inspect(erpCompanyId, keys);
    } catch (error) {
      if (error instanceof ErpNotSearchable) {
        return undefined;
      }
      throw error;
    }
  }
}
