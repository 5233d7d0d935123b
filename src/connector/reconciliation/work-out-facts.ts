// Works out what a certificate says of a job, from our record and from what the ERP shows now, page by page.
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger, ErpNotSearchable, type InspectedGroup } from '../erp/erp-ledger.js';
import { showsWhatIsAged } from '../exports/domain/after-unknown.js';
import {
  ExportRecordsService,
  type JobRecord,
  type PostingRecord,
} from '../exports/export-records.service.js';
import type { CertifiedFacts } from './domain/certificate.js';
import { postingText, SideSum } from './domain/side-sum.js';
import { comparedEntry } from './load-sides.js';

/** As many keys as the ERP is asked for at once. */
const PAGE = 500;

export interface WorkedOut {
  readonly facts: CertifiedFacts;
  /** The first posting whose plan the ERP does not show. */
  readonly firstApart: { readonly accountingEntryId: string; readonly revision: number } | undefined;
  /** False: the ERP's search may not show yet what is there. */
  readonly certain: boolean;
}

/** Both sides of a job while they are added up. */
interface Sums {
  readonly planned: SideSum;
  readonly erp: SideSum;
  searchable: boolean;
  certain: boolean;
  firstApart: WorkedOut['firstApart'];
}

@Injectable()
export class WorkOutFacts {
  constructor(
    private readonly records: ExportRecordsService,
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
      searchable: true,
      certain: true,
      firstApart: undefined,
    };
    let after: PostingRecord | undefined;
    for (;;) {
      const page = await this.records.postings(installationId, job.id, until, after, PAGE);
      await this.add(sums, job, page);
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
    return { facts, firstApart: sums.firstApart, certain: sums.certain };
  }

  private async add(sums: Sums, job: JobRecord, page: readonly PostingRecord[]): Promise<void> {
    const shown = sums.searchable ? await this.inspect(job, page) : undefined;
    sums.searchable &&= shown !== undefined;
    for (const { accountingEntryId, revision, plan, sinceSentMs } of page) {
      const entries = plan.map(comparedEntry);
      const text = postingText(accountingEntryId, revision, entries);
      if (entries.length > 0) {
        sums.planned.add(text, entries);
      }
      const group = shown?.get(accountingEntryId)?.find((each) => each.revision === revision);
      const shownText = group && postingText(accountingEntryId, revision, group.entries);
      if (group !== undefined && shownText !== undefined) {
        sums.erp.add(shownText, group.entries);
      } else if (sums.searchable && !showsWhatIsAged(this.erp.capability, sinceSentMs)) {
        sums.certain = false;
      }
      if (entries.length > 0 && shownText !== text) {
        sums.firstApart ??= { accountingEntryId, revision };
      }
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
