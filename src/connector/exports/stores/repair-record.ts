// Mends what platform, connector and ERP disagree about without changing anything in the books, as the company's owner.
import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { InspectedEntry } from '../../erp/erp-ledger.js';
import { InstallationsService } from '../../installations/installations.service.js';
import {
  ITEM_UPDATE_LIMIT,
  PlatformApi,
  type ItemResult,
  type JobEvent,
} from '../../platform/platform-api.js';
import { importedPlan } from './imported-plan.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { ExportStores } from './export-stores.js';
import { LoadKnownEntries } from '../posting/load-known-entries.js';

/** What the ERP has under a key, to become our record of it. */
export interface BookedPosting {
  readonly contentDigest: string;
  readonly externalId: string;
  readonly externalUrl: string;
  readonly revision: number;
  readonly entries: readonly InspectedEntry[];
}

@Injectable()
export class RepairRecord {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly loadKnownEntries: LoadKnownEntries,
    private readonly installationsService: InstallationsService,
    private readonly platformApi: PlatformApi,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks up what nobody knows the outcome of; what the ERP says for sure settles it.
   * @throws ErpUnavailable, LeaseLost
   */
  async lookUp(job: ExportJob, lease: CompanyLease, ids: readonly string[]): Promise<void> {
    await this.loadKnownEntries.loadOrLookUp(job, lease, ids);
  }

  /**
   * Makes our record say that these entries are in the books, also where it said nothing at all or knew an older revision.
   * @throws LeaseLost
   */
  async importPostings(
    job: ExportJob,
    lease: CompanyLease,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    const { erpCompanyId } = job;
    if (erpCompanyId === undefined) {
      return;
    }
    await this.exportStores.fenced('adopt entries', lease, async (tx) => {
      const revisions = new Map([...found].map(([key, { revision }]) => [key, revision]));
      await this.exportStores.postingIntentRepository.restore(tx, job, erpCompanyId, revisions);
      await this.exportStores.postingIntentRepository.importPostings(
        tx,
        job,
        erpCompanyId,
        found,
        this.clock.now(),
      );
      await this.exportStores.postingIntentRepository.replace(tx, job, erpCompanyId, revisions);
      await this.insertUnrecorded(tx, job, lease, found);
    });
  }

  /**
   * What is out of the books: the next export may post it again, as its next revision. Repeatable.
   * @throws LeaseLost
   */
  async markReversed(
    job: ExportJob,
    lease: CompanyLease,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    const { erpCompanyId } = job;
    if (erpCompanyId !== undefined) {
      await this.exportStores.fenced('note reversal', lease, async (tx) => {
        const known = await this.exportStores.postingIntentRepository.find(tx, job, erpCompanyId, [
          ...found.keys(),
        ]);
        const noted = new Set([...known.values()].filter(({ state }) => state === 'reversed').map(keyOf));
        const unnoted = new Map([...found].filter(([key]) => !noted.has(key)));
        await this.exportStores.postingIntentRepository.markReversed(
          tx,
          job,
          erpCompanyId,
          unnoted,
          this.clock.now(),
        );
      });
    }
  }

  /**
   * "We may have reversed this", before the ERP is asked to (invariant I17).
   * @throws LeaseLost
   */
  async beginReversal(
    job: ExportJob,
    lease: CompanyLease,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    const { erpCompanyId } = job;
    if (erpCompanyId !== undefined) {
      await this.exportStores.fenced('begin reversal', lease, (tx) =>
        this.exportStores.postingIntentRepository.recordReversalSending(
          tx,
          job,
          erpCompanyId,
          found,
          this.clock.now(),
        ),
      );
    }
  }

  /**
   * The ERP has surely not reversed them.
   * @throws LeaseLost
   */
  async withdrawReversal(job: ExportJob, lease: CompanyLease, keys: readonly string[]): Promise<void> {
    const { erpCompanyId } = job;
    if (erpCompanyId !== undefined) {
      await this.exportStores.fenced('withdraw reversal', lease, (tx) =>
        this.exportStores.postingIntentRepository.withdrawReversal(tx, job, erpCompanyId, keys),
      );
    }
  }

  /** Tells the platform results again that it has lost. The same result a second time changes nothing. */
  async reportAgain(job: ExportJob, ids: readonly string[]): Promise<void> {
    const auth = this.installationsService.authorization(job.installationId);
    for (let start = 0; start < ids.length; start += ITEM_UPDATE_LIMIT) {
      const chunk = ids.slice(start, start + ITEM_UPDATE_LIMIT);
      const results = await this.exportStores.inInstallation('results to report', job.installationId, (tx) =>
        recordedResults(tx, job, chunk),
      );
      await this.platformApi.updateJobItems(auth, job.id, results);
    }
  }

  /** Sends the verdict that was given already (invariant I10: there is only the one). */
  async sendVerdict(job: ExportJob): Promise<void> {
    const event = await this.exportStores.inInstallation('read verdict', job.installationId, async (tx) => {
      const row = await tx.maybeOne<{ body: JobEvent }>(sql`
        SELECT body FROM outbox
        WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND kind = 'verdict'`);
      return row?.body;
    });
    if (event !== undefined) {
      await this.platformApi.sendJobEvent(
        this.installationsService.authorization(job.installationId),
        job.id,
        event,
      );
    }
  }

  /** Revisions of which we had no intent at all: what was found takes the place of a plan. */
  private async insertUnrecorded(
    tx: Tx,
    job: ExportJob,
    { fence }: CompanyLease,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    const postings = [...found.values()];
    const at = this.clock.now();
    await tx.execute(sql`
      INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id,
        mapping_version, content_digest, plan, adopted, fence, state, external_id, external_url, posted_at, created_at)
      SELECT ${job.installationId}, ${job.erpCompanyId}, posting.id, posting.revision, ${job.id}, ${job.mappingVersion ?? null},
        posting.digest, '[]', posting.entries::jsonb, ${fence}, 'posted', posting.external_id, posting.external_url, ${at}::timestamptz, ${at}::timestamptz
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

function keyOf({ accountingEntryId }: { readonly accountingEntryId: string }): string {
  return accountingEntryId;
}

async function recordedResults(
  tx: Tx,
  job: ExportJob,
  ids: readonly string[],
): Promise<readonly ItemResult[]> {
  const rows = await tx.rows<{
    readonly id: string;
    readonly state: 'successful' | 'failed';
    readonly exported_at: Date | null;
    readonly external_id: string | null;
    readonly external_url: string | null;
    readonly failure_type: string | null;
    readonly failure_reason: string | null;
  }>(sql`
    SELECT accounting_entry_id AS id, state, exported_at, external_id, external_url, failure_type, failure_reason
    FROM export_item WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
      AND accounting_entry_id = ANY(${ids}::uuid[]) AND state <> 'pending' ORDER BY position`);
  return rows.map((row) => ({
    accountingEntryId: row.id,
    status: row.state,
    ...(row.exported_at && { exportedAt: row.exported_at.toISOString() }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.external_url !== null && { externalUrl: row.external_url }),
    ...(row.failure_type !== null && { failureReasonType: row.failure_type }),
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
  }));
}
