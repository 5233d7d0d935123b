// Corrects our record where it differs from the ERP, as the company's owner; nothing is changed in the ERP.
import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toExportJobId, type ErpCompanyId } from '../../../kernel/ids.js';
import type { InspectedEntry } from '../../erp/erp-books.js';
import type { ExportJob } from '../domain/export-job.js';
import { LoadKnownEntries } from '../posting/load-known-entries.js';
import type { CompanyLease } from './company-lease.repository.js';
import { fenced } from './fenced.js';
import { ExportJobRepository } from './export-job.repository.js';
import { importedPlan } from './imported-plan.js';
import { PostingIntentRepository } from './posting-intent.repository.js';

/** What the ERP has under a key, to be taken into our record. */
export interface BookedPosting {
  readonly contentDigest: string;
  readonly externalId: string;
  readonly externalUrl: string;
  readonly revision: number;
  readonly entries: readonly InspectedEntry[];
}

/** What is found in the ERP, by accounting entry. */
type FoundPostings = ReadonlyMap<string, BookedPosting>;

/** No method has an effect on a job that is unknown or has no ERP company. */
@Injectable()
export class RepairRecord {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly loadKnownEntries: LoadKnownEntries,
  ) {}

  /**
   * Looks up postings in doubt, and settles those that the ERP is certain about.
   * @throws ErpUnavailable, LeaseLost
   */
  async lookUp(lease: CompanyLease, jobId: string, ids: readonly string[]): Promise<void> {
    const { installationId } = lease;
    const job = await this.tenantDatabase.readOnce('read job', installationId, (tx) =>
      this.exportJobRepository.find(tx, installationId, toExportJobId(jobId)),
    );
    if (job !== undefined) {
      await this.loadKnownEntries.loadOrLookUp(job, lease, ids);
    }
  }

  /**
   * Records that these entries are in the books, also where nothing was recorded or an older revision was.
   * @throws LeaseLost
   */
  async importPostings(lease: CompanyLease, jobId: string, found: FoundPostings): Promise<void> {
    await this.write('import entries', lease, jobId, async (tx, job, erpCompanyId) => {
      const revisions = new Map([...found].map(([key, { revision }]) => [key, revision]));
      await this.postingIntentRepository.restore(tx, job, erpCompanyId, revisions);
      await this.postingIntentRepository.importPostings(tx, job, erpCompanyId, found);
      await this.postingIntentRepository.replace(tx, job, erpCompanyId, revisions);
      await this.insertUnrecorded(tx, job, lease, found);
    });
  }

  /**
   * Records a reversal, so that the next export may post the next revision. Repeatable.
   * @throws LeaseLost
   */
  async markReversed(lease: CompanyLease, jobId: string, found: FoundPostings): Promise<void> {
    await this.write('mark reversed', lease, jobId, async (tx, job, erpCompanyId) => {
      const known = await this.postingIntentRepository.find(tx, job, erpCompanyId, [...found.keys()]);
      const isReversed = new Set<string>(
        [...known.values()]
          .filter(({ state }) => state === 'reversed')
          .map(({ accountingEntryId }) => accountingEntryId),
      );
      const open = new Map([...found].filter(([key]) => !isReversed.has(key)));
      await this.postingIntentRepository.markReversed(tx, job, erpCompanyId, open);
    });
  }

  /**
   * Records "we may have reversed this" before the ERP is called (I17).
   * @throws LeaseLost
   */
  async beginReversal(lease: CompanyLease, jobId: string, found: FoundPostings): Promise<void> {
    await this.write('begin reversal', lease, jobId, (tx, job, erpCompanyId) =>
      this.postingIntentRepository.recordReversalSending(tx, job, erpCompanyId, found),
    );
  }

  /**
   * The ERP has certainly not reversed them.
   * @throws LeaseLost
   */
  async withdrawReversal(lease: CompanyLease, jobId: string, keys: readonly string[]): Promise<void> {
    await this.write('withdraw reversal', lease, jobId, (tx, job, erpCompanyId) =>
      this.postingIntentRepository.withdrawReversal(tx, job, erpCompanyId, keys),
    );
  }

  private async write(
    label: string,
    lease: CompanyLease,
    jobId: string,
    work: (tx: Tx, job: ExportJob, erpCompanyId: ErpCompanyId) => Promise<unknown>,
  ): Promise<void> {
    await fenced(this.tenantDatabase, label, lease, async (tx) => {
      const job = await this.exportJobRepository.find(tx, lease.installationId, toExportJobId(jobId));
      if (job?.erpCompanyId !== undefined) {
        await work(tx, job, job.erpCompanyId);
      }
    });
  }

  /** Adds revisions without an intent, with the entries that were found in place of a plan. */
  private async insertUnrecorded(tx: Tx, job: ExportJob, { fence }: CompanyLease, found: FoundPostings): Promise<void> {
    const postings = [...found.values()];
    await tx.execute(sql`
      INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id,
        mapping_version, content_digest, imported, fence, state, external_id, external_url, posted_at, created_at)
      SELECT ${job.installationId}, ${job.erpCompanyId}, posting.id, posting.revision, ${job.id}, ${job.mappingVersion ?? null},
        posting.digest, posting.entries::jsonb, ${fence}, 'posted', posting.external_id, posting.external_url, clock_timestamp(), clock_timestamp()
      FROM unnest(${[...found.keys()]}::uuid[], ${postings.map((posting) => posting.contentDigest)}::text[],
        ${postings.map((posting) => posting.externalId)}::text[], ${postings.map((posting) => posting.externalUrl)}::text[],
        ${postings.map((posting) => posting.revision)}::int[],
        ${postings.map(({ entries }) => importedPlan(entries))}::text[]
      ) AS posting (id, digest, external_id, external_url, revision, entries)
      WHERE ${job.mappingVersion !== undefined} AND (posting.revision = 1 OR EXISTS (
        SELECT FROM posting_intent earlier WHERE earlier.installation_id = ${job.installationId}
          AND earlier.erp_company_id = ${job.erpCompanyId} AND earlier.accounting_entry_id = posting.id
          AND earlier.revision = posting.revision - 1 AND earlier.state = 'reversed'))
      ON CONFLICT DO NOTHING`);
  }
}
