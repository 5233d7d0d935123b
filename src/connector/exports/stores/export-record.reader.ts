import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import {
  toErpCompanyId,
  toInstallationId,
  type CompanyId,
  type ErpCompanyId,
  type InstallationId,
} from '../../../kernel/ids.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import type {
  EntryRecord,
  ItemCounts,
  JobRecord,
  JobRecordPosition,
  PlanRecord,
  PostingRecord,
  PostingRecordPosition,
  StoredPlanEntry,
} from './export-record.js';
import { readStored, type StorageLocation } from './stored-contents.js';

type JobRow = Omit<JobRecord, 'mappingVersion' | 'erpCompanyId'> & {
  readonly mappingVersion: number | null;
  readonly erpCompanyId: string | null;
};

interface Planned {
  /** Entries found in the ERP that the connector had not planned. */
  readonly imported: readonly StoredPlanEntry[] | null;
  readonly storedIn: string | null;
}
type PostingRow = Omit<PostingRecord, 'plan'> & Planned & StorageLocation;
type EntryRow = Omit<EntryRecord, 'posting'> & {
  readonly posting: (Omit<NonNullable<EntryRecord['posting']>, 'plan'> & Planned) | null;
};

const NO_ID = '00000000-0000-0000-0000-000000000000';

function withPlan<Row extends Planned>({ imported, storedIn, ...row }: Row, plan?: readonly StoredPlanEntry[]) {
  return { ...row, plan: imported ?? (storedIn === null ? [] : (plan ?? [])) };
}

function toJob({ mappingVersion, erpCompanyId, ...row }: JobRow): JobRecord {
  return {
    ...row,
    mappingVersion: mappingVersion ?? undefined,
    erpCompanyId: erpCompanyId === null ? undefined : toErpCompanyId(erpCompanyId),
  };
}

const JOBS = sql`
  SELECT id, company_id AS "companyId", state, created_on_platform_at AS "createdAt",
      number_of_items AS "numberOfItems", mapping_version AS "mappingVersion", erp_company_id AS "erpCompanyId",
      items, "lastPosition"
    FROM export_job CROSS JOIN LATERAL (
      SELECT count(*)::int AS items, COALESCE(max(position), 0) AS "lastPosition" FROM export_item
      WHERE installation_id = export_job.installation_id AND export_job_id = export_job.id) AS listed`;

/** Our record of exports, for comparison with platform and ERP. */
@Injectable()
export class ExportRecordReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /**
   * Jobs of a company in the order in which the platform made them.
   * @param period from which (included) to which instant (excluded) they were made
   */
  async jobs(
    installationId: InstallationId,
    companyId: CompanyId,
    period: { readonly from: Date; readonly until: Date },
    after: JobRecordPosition | undefined,
    limit: number,
  ): Promise<readonly JobRecord[]> {
    const rows = await this.tenantDatabase.readOnce('list job records', installationId, (tx) =>
      tx.rows<JobRow>(sql`
        ${JOBS}
        WHERE installation_id = ${installationId} AND company_id = ${companyId}
          AND created_on_platform_at >= ${period.from} AND created_on_platform_at < ${period.until}
          AND (created_on_platform_at, id) > (${after?.createdAt ?? new Date(0)}, ${after?.id ?? NO_ID}::uuid)
        ORDER BY created_on_platform_at, id LIMIT ${limit}`),
    );
    return rows.map(toJob);
  }

  async job(installationId: InstallationId, id: string): Promise<JobRecord | undefined> {
    const row = await this.tenantDatabase.readOnce('read job record', installationId, (tx) =>
      tx.maybeOne<JobRow>(sql`
        ${JOBS}
        WHERE installation_id = ${installationId} AND id = ${id}`),
    );
    return row && toJob(row);
  }

  /** @returns one row per id, also for those that the job does not have */
  async entries(
    installationId: InstallationId,
    job: Pick<JobRecord, 'id' | 'createdAt' | 'erpCompanyId'>,
    ids: readonly string[],
  ): Promise<readonly EntryRecord[]> {
    return this.tenantDatabase.inInstallation('read entry records', installationId, async (tx) => {
      const rows = await tx.rows<EntryRow>(sql`
        SELECT wanted.id AS "accountingEntryId", item.position, item.state, item.external_id AS "externalId",
          item.report_problem AS "reportProblem", item.amount,
          later IS NULL AS "isNewest", posting
        FROM unnest(${ids}::uuid[]) AS wanted (id)
        LEFT JOIN export_item item ON item.installation_id = ${installationId} AND item.export_job_id = ${job.id}
          AND item.accounting_entry_id = wanted.id
        LEFT JOIN LATERAL (
          SELECT 1 AS later FROM export_item JOIN export_job
            ON export_job.installation_id = export_item.installation_id AND export_job.id = export_item.export_job_id
          WHERE export_item.installation_id = ${installationId} AND accounting_entry_id = wanted.id
            AND (created_on_platform_at, export_job.id) > (${job.createdAt}, ${job.id}::uuid) LIMIT 1) AS newer ON true
        LEFT JOIN LATERAL (
          SELECT jsonb_build_object('revision', revision, 'exportJobId', export_job_id, 'state', state,
            'lateEffect', late_effect, 'lost', lost_at IS NOT NULL, 'externalId', external_id, 'contentDigest', content_digest, 'imported', imported, 'storedIn', plan_chunk_id,
            'sinceSentMs', (extract(epoch FROM clock_timestamp() - sent_at) * 1000)::float8) AS posting
          FROM posting_intent
          WHERE installation_id = ${installationId} AND erp_company_id = ${job.erpCompanyId ?? ''}
            AND accounting_entry_id = wanted.id
          ORDER BY revision DESC LIMIT 1) AS newest ON true`);
      const locations = rows.flatMap(({ accountingEntryId, posting }) =>
        posting === null ? [] : [{ accountingEntryId, ...posting }],
      );
      const planAt = await readStored<readonly StoredPlanEntry[]>(tx, 'plans', installationId, locations);
      return rows.map(({ posting, ...entry }) => ({
        ...entry,
        posting: posting && withPlan(posting, planAt({ accountingEntryId: entry.accountingEntryId, ...posting })),
      }));
    });
  }

  /** @returns the accounting entries of a job at these positions */
  async idsAt(installationId: InstallationId, jobId: string, positions: readonly number[]): Promise<readonly string[]> {
    const rows = await this.tenantDatabase.readOnce('read items by position', installationId, (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT accounting_entry_id AS id FROM export_item
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
          AND position = ANY(${positions}::int[]) ORDER BY position`),
    );
    return rows.map(({ id }) => id);
  }

  /**
   * What a job has posted, in the order of keys and revisions.
   * @param until postings recorded later are left out
   */
  async postings(
    installationId: InstallationId,
    jobId: string,
    until: Date,
    after: PostingRecordPosition | undefined,
    limit: number,
  ): Promise<readonly PostingRecord[]> {
    return this.tenantDatabase.inInstallation('read posting records', installationId, async (tx) => {
      const rows = await tx.rows<PostingRow>(sql`
        SELECT accounting_entry_id AS "accountingEntryId", revision, imported, export_job_id AS "exportJobId",
          plan_chunk_id AS "storedIn",
          (extract(epoch FROM clock_timestamp() - sent_at) * 1000)::float8 AS "sinceSentMs", lost_at AS "lostAt"
        FROM posting_intent
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND state IN ('posted', 'reversed')
          AND posted_at <= ${until}
          AND (accounting_entry_id, revision) > (${after?.accountingEntryId ?? NO_ID}::uuid, ${after?.revision ?? 0}::int)
        ORDER BY accounting_entry_id, revision LIMIT ${limit}`);
      const planAt = await readStored<readonly StoredPlanEntry[]>(tx, 'plans', installationId, rows);
      return rows.map((row) => withPlan(row, planAt(row)));
    });
  }

  /** As `postings`, with the whole plan and the item, to be planned or posted anew. */
  async plans(
    installationId: InstallationId,
    jobId: string,
    until: Date,
    after: PostingRecordPosition | undefined,
    limit: number,
  ): Promise<readonly PlanRecord[]> {
    return this.tenantDatabase.inInstallation('read plans', installationId, async (tx) => {
      const rows = await tx.rows<
        Omit<PlanRecord, 'item' | 'plan'> & StorageLocation & { readonly planChunkId: string | null }
      >(sql`
        SELECT accounting_entry_id AS "accountingEntryId", revision, content_digest AS "contentDigest",
          mapping_version AS "mappingVersion", plan_chunk_id AS "planChunkId", imported, export_job_id AS "exportJobId",
          item_chunk_id AS "storedIn"
        FROM posting_intent intent LEFT JOIN export_item USING (installation_id, export_job_id, accounting_entry_id)
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
          AND intent.state IN ('posted', 'reversed') AND posted_at <= ${until}
          AND (accounting_entry_id, revision) > (${after?.accountingEntryId ?? NO_ID}::uuid, ${after?.revision ?? 0}::int)
        ORDER BY accounting_entry_id, revision LIMIT ${limit}`);
      const itemAt = await readStored<ExportItem>(tx, 'items', installationId, rows);
      const planLocation = (row: (typeof rows)[number]) => ({ ...row, storedIn: row.planChunkId });
      const planAt = await readStored<readonly unknown[]>(tx, 'plans', installationId, rows.map(planLocation));
      return rows.map((row) => ({
        ...row,
        plan: JSON.stringify(planAt(planLocation(row)) ?? []),
        item: itemAt(row) ?? null,
      }));
    });
  }

  /** The installation of a job; undefined when there is no such job. */
  async ownerOf(jobId: string): Promise<InstallationId | undefined> {
    const row = await this.tenantDatabase.readOnceAcross('find owner of job', (tx) =>
      tx.maybeOne<{ id: string }>(sql`
        SELECT installation_id AS id FROM export_job WHERE id = ${jobId}`),
    );
    return row && toInstallationId(row.id);
  }

  /** Amounts of entries as the platform stated them when they were planned; those whose item was not stored are left out. */
  async itemAmounts(
    installationId: InstallationId,
    jobId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, WireMoney>> {
    const rows = await this.tenantDatabase.readOnce('read item amounts', installationId, (tx) =>
      tx.rows<{ readonly id: string; readonly amount: WireMoney }>(sql`
        SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id AS id, amount
        FROM export_item WHERE installation_id = ${installationId} AND accounting_entry_id = ANY(${ids}::uuid[])
          AND amount IS NOT NULL
        ORDER BY accounting_entry_id, export_job_id = ${jobId} DESC, export_job_id`),
    );
    return new Map(rows.map(({ id, amount }) => [id, amount]));
  }

  async countItems(installationId: InstallationId, jobId: string): Promise<ItemCounts> {
    return this.tenantDatabase.readOnce('count items', installationId, (tx) =>
      tx.one<ItemCounts>(sql`
        SELECT count(*) FILTER (WHERE state = 'successful')::int AS successful,
          count(*) FILTER (WHERE state = 'failed')::int AS failed, count(*) FILTER (WHERE state = 'pending')::int AS pending
        FROM export_item WHERE installation_id = ${installationId} AND export_job_id = ${jobId}`),
    );
  }

  /** @returns those of the given keys that any job has had, that were sent to this ERP company, or that were test postings */
  async knownEntries(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await this.tenantDatabase.readOnce('known entries', installationId, (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT accounting_entry_id AS id FROM export_item
        WHERE installation_id = ${installationId} AND accounting_entry_id = ANY(${ids}::uuid[])
        UNION
        SELECT accounting_entry_id FROM posting_intent
        WHERE installation_id = ${installationId} AND erp_company_id = ${erpCompanyId}
          AND accounting_entry_id = ANY(${ids}::uuid[])
        UNION
        SELECT id FROM test_posting WHERE installation_id = ${installationId} AND id = ANY(${ids}::uuid[])`),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** @param period from which (included) to which instant (excluded) the jobs were made */
  async erpCompanies(
    installationId: InstallationId,
    companyId: CompanyId,
    period: { readonly from: Date; readonly until: Date },
  ): Promise<readonly ErpCompanyId[]> {
    const rows = await this.tenantDatabase.readOnce('ERP companies of jobs', installationId, (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT DISTINCT erp_company_id AS id FROM export_job
        WHERE installation_id = ${installationId} AND company_id = ${companyId} AND erp_company_id IS NOT NULL
          AND created_on_platform_at >= ${period.from} AND created_on_platform_at < ${period.until}`),
    );
    return rows.map(({ id }) => toErpCompanyId(id));
  }

  /** @returns those of the given jobs that we know of */
  async knownJobs(installationId: InstallationId, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.tenantDatabase.readOnce('known jobs', installationId, (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT id FROM export_job WHERE installation_id = ${installationId} AND id = ANY(${ids}::uuid[])`),
    );
    return new Set(rows.map(({ id }) => id));
  }
}
