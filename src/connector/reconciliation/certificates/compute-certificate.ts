// Computes the certificate of a job from the connector's record and the ERP's current state, page by page.
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { InspectedGroup } from '../../erp/erp-books.js';
import { ErpNotSearchable } from '../../erp/erp-ledger.js';
import { isLookUpConclusive } from '../../exports/domain/unknown-outcome.js';
import { DiscrepancyRepository } from '../compare/discrepancy.repository.js';
import type { CertifiedFacts, CertifiedSource, PostingName } from '../domain/certificate.js';
import { postingText, SourceTotals } from '../domain/source-totals.js';
import { comparedEntry } from '../compare/load-sources.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import type { JobRecord, PostingRecord } from '../../exports/stores/export-record.js';

/** Keys per request to the ERP. */
const PAGE = 500;
/** Lost postings that are named. */
const MAX_NAMED = 20;

/** Postings that the ERP does not show and that a person has marked as lost. */
export interface MissingPostings {
  readonly count: number;
  /** The first of them. */
  readonly named: readonly PostingName[];
  /** The ERP's totals before the lost postings were lost; null: the ERP cannot be searched. */
  readonly erpBefore: CertifiedSource | null;
}

export interface CertificateComputation {
  readonly facts: CertifiedFacts;
  /** The first posting whose plan the ERP does not show; lost ones do not count. */
  readonly firstMismatch: PostingName | undefined;
  readonly missing: MissingPostings;
  /** False: the ERP's search may not show yet what is there. */
  readonly isConclusive: boolean;
}

/** Totals of a job while they are computed. */
interface RunningTotals {
  readonly planned: SourceTotals;
  readonly erp: SourceTotals;
  readonly erpBefore: SourceTotals;
  readonly named: PostingName[];
  missing: number;
  /** Undefined for a job that was to post nothing. */
  readonly connectedErp: ConnectedErp | undefined;
  isSearchable: boolean;
  isConclusive: boolean;
  firstMismatch: CertificateComputation['firstMismatch'];
}

@Injectable()
export class ComputeCertificate {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly erpConnections: ErpConnections,
  ) {}

  /**
   * @param until what came to light later is left out
   * @param onPage called after each page, for a caller that has to show that it is still running
   * @throws ErpUnavailable, and what `onPage` throws
   */
  async compute(
    installationId: InstallationId,
    job: JobRecord,
    until: Date,
    onPage: () => Promise<void>,
  ): Promise<CertificateComputation> {
    const sums: RunningTotals = {
      planned: new SourceTotals(createHash('sha256')),
      erp: new SourceTotals(createHash('sha256')),
      erpBefore: new SourceTotals(createHash('sha256')),
      named: [],
      missing: 0,
      connectedErp: job.erpCompanyId && (await this.erpConnections.open(installationId, job.erpCompanyId)),
      isSearchable: true,
      isConclusive: true,
      firstMismatch: undefined,
    };
    let after: PostingRecord | undefined;
    for (;;) {
      const page = await this.exportRecordReader.postings(installationId, job.id, until, after, PAGE);
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
      items: { announced, ...(await this.exportRecordReader.countItems(installationId, job.id)) },
      planned: sums.planned.result(),
      erp: sums.isSearchable ? sums.erp.result() : null,
    };
    const lost = {
      count: sums.missing,
      named: sums.named,
      erpBefore: sums.isSearchable ? sums.erpBefore.result() : null,
    };
    return { facts, firstMismatch: sums.firstMismatch, missing: lost, isConclusive: sums.isConclusive };
  }

  private async add(
    sums: RunningTotals,
    installationId: InstallationId,
    job: JobRecord,
    page: readonly PostingRecord[],
    until: Date,
  ): Promise<void> {
    const shown = sums.isSearchable ? await this.inspect(sums, page) : undefined;
    sums.isSearchable &&= shown !== undefined;
    const groupOf = ({ accountingEntryId, revision }: PostingRecord) =>
      shown?.get(accountingEntryId)?.find((group) => group.revision === revision);
    const missing = sums.isSearchable ? page.filter((posting) => groupOf(posting) === undefined) : [];
    const accepted = await this.acceptedAsMissing(installationId, job, missing);
    for (const posting of page) {
      const lostAt = posting.lostAt ?? accepted.get(posting.accountingEntryId) ?? null;
      this.addOne(sums, { ...posting, lostAt }, groupOf(posting), until);
    }
  }

  private async acceptedAsMissing(
    installationId: InstallationId,
    { companyId }: JobRecord,
    missing: readonly PostingRecord[],
  ): Promise<ReadonlyMap<string, Date>> {
    const ids = missing.map(({ accountingEntryId }) => accountingEntryId);
    return ids.length === 0
      ? new Map()
      : this.tenantDatabase.readOnce('accepted losses', installationId, (tx) =>
          this.discrepancyRepository.acceptedAsMissing(tx, installationId, companyId, ids),
        );
  }

  private addOne(sums: RunningTotals, posting: PostingRecord, group: InspectedGroup | undefined, until: Date): void {
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
    } else if (sums.isSearchable && lostAt !== null) {
      sums.missing += 1;
      if (sums.named.length < MAX_NAMED) {
        sums.named.push({ accountingEntryId, revision });
      }
      if (lostAt > until && entries.length > 0) {
        sums.erpBefore.add(text, entries);
      }
      return;
    } else if (sums.isSearchable && !isShownBy(sums.connectedErp, posting)) {
      sums.isConclusive = false;
    }
    if (entries.length > 0 && shownText !== text) {
      sums.firstMismatch ??= { accountingEntryId, revision };
    }
  }

  /** @returns undefined when the ERP cannot be searched */
  private async inspect(
    { connectedErp }: RunningTotals,
    page: readonly PostingRecord[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]> | undefined> {
    const keys = [...new Set(page.map(({ accountingEntryId }) => accountingEntryId))];
    if (connectedErp === undefined || keys.length === 0) {
      return new Map();
    }
    try {
      return await connectedErp.inspect(keys);
    } catch (error) {
      if (error instanceof ErpNotSearchable) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Whether the ERP certainly shows the posting by now, if it is in the books. */
function isShownBy(erp: ConnectedErp | undefined, { sinceSentMs }: PostingRecord): boolean {
  return erp !== undefined && isLookUpConclusive(erp.guarantee, sinceSentMs);
}
