import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { ExportItemState } from '../domain/state-transitions.js';
import type { IntentState } from '../domain/intent-states.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import { readStored, type StorageLocation } from '../stores/stored-contents.js';
import { namedIssues } from '../lists/named-issues.js';

export interface JobItems {
  /** `stored`: without names, notes and receipts, since the platform does not give them any more. */
  readonly source: 'platform' | 'stored';
  readonly items: readonly ChunkItem[];
}

/** The newest revision that was sent under an accounting entry. */
export interface SentEntry {
  readonly accountingEntryId: string;
  readonly erpCompanyId: string;
  readonly revision: number;
  readonly state: IntentState;
  readonly exportJobId: string;
  readonly mappingVersion: number;
  readonly contentDigest: string;
  /** The planned entries as stored; amounts are texts. */
  readonly plan: readonly unknown[];
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly sentAt: Date;
  readonly postedAt: Date | null;
}

/** An accounting entry as an item of the newest job that has it. */
export interface ListedEntry {
  readonly exportJobId: string;
  readonly state: ExportItemState;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  /** The reason as messages; null: it was recorded in English only. */
  readonly failureMessages: readonly Message[] | null;
  readonly issues: readonly Issue[];
}

const NOT_STORED = 'its data was not stored';

@Injectable()
export class SentEntryReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * Items of a job: the platform's while it gives them, else as stored.
   * @param skip how many of them
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform gives no items
   */
  async itemsOfJob(
    installationId: InstallationId,
    jobId: ExportJobId,
    isOpen: boolean,
    skip: number,
    limit: number,
  ): Promise<JobItems> {
    const end = skip + limit;
    const read = isOpen ? await this.readPlatform(installationId, jobId, (found) => found.length >= end) : undefined;
    if (read !== undefined) {
      return { source: 'platform', items: read.slice(skip, end) };
    }
    const items = await this.tenantDatabase.inInstallation('read stored items', installationId, async (tx) => {
      const locations = await tx.rows<StorageLocation>(sql`
        SELECT accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId", item_chunk_id AS "storedIn"
        FROM export_item WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
        ORDER BY position LIMIT ${limit} OFFSET ${skip}`);
      return readChunkItems(tx, installationId, locations);
    });
    return { source: 'stored', items };
  }

  /**
   * Items of an open job as the platform says them now. A job may have thousands: no page is fetched after the last of these.
   * @returns undefined when the platform gives none of this job any more
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform gives no items
   */
  async openItems(
    installationId: InstallationId,
    jobId: ExportJobId,
    ids: readonly string[],
  ): Promise<readonly ChunkItem[] | undefined> {
    const wanted = new Set(ids);
    const ofThese = (found: readonly ChunkItem[]) => found.filter((item) => wanted.has(item.accountingEntryId));
    const read = await this.readPlatform(installationId, jobId, (found) => ofThese(found).length >= wanted.size);
    return read && ofThese(read);
  }

  /** As each entry was exported last, in any order; those without data are left out. */
  async newestItems(installationId: InstallationId, ids: readonly string[]): Promise<readonly ChunkItem[]> {
    return this.tenantDatabase.inInstallation('read stored items', installationId, async (tx) => {
      const locations = await tx.rows<StorageLocation>(sql`
        SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id AS "accountingEntryId",
          export_job_id AS "exportJobId", item_chunk_id AS "storedIn"
        FROM export_item JOIN export_job job ON job.installation_id = export_item.installation_id AND job.id = export_job_id
        WHERE export_item.installation_id = ${installationId} AND accounting_entry_id = ANY(${ids}::uuid[])
          AND item_chunk_id IS NOT NULL
        ORDER BY accounting_entry_id, job.detected_at DESC, job.id`);
      return readChunkItems(tx, installationId, locations);
    });
  }

  async newestListing(installationId: InstallationId, id: string): Promise<ListedEntry | undefined> {
    return this.tenantDatabase.readOnce('read entry', installationId, (tx) =>
      tx.maybeOne<ListedEntry>(sql`
        SELECT export_job_id AS "exportJobId", item.state, item.failure_type AS "failureType", item.failure_reason AS "failureReason",
          item.failure_messages AS "failureMessages",
          ${namedIssues(installationId, sql`item`)} AS issues
        FROM export_item item JOIN export_job job ON job.installation_id = item.installation_id AND job.id = export_job_id
        WHERE item.installation_id = ${installationId} AND accounting_entry_id = ${id}
        ORDER BY job.detected_at DESC, job.id LIMIT 1`),
    );
  }

  /**
   * The newest record of each entry that was ever sent, by entry.
   * @param erpCompanyId undefined: in whichever company it was sent last
   */
  async find(
    installationId: InstallationId,
    ids: readonly string[],
    erpCompanyId?: string,
  ): Promise<ReadonlyMap<string, SentEntry>> {
    const found = await this.tenantDatabase.inInstallation('read entry records', installationId, async (tx) => {
      const rows = await tx.rows<Omit<SentEntry, 'plan'> & StorageLocation>(sql`
        SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id AS "accountingEntryId", erp_company_id AS "erpCompanyId",
          revision, state, export_job_id AS "exportJobId", mapping_version AS "mappingVersion",
          content_digest AS "contentDigest", plan_chunk_id AS "storedIn", external_id AS "externalId", external_url AS "externalUrl",
          sent_at AS "sentAt", posted_at AS "postedAt"
        FROM posting_intent
        WHERE installation_id = ${installationId} AND accounting_entry_id = ANY(${ids}::uuid[])
          AND (${erpCompanyId ?? null}::text IS NULL OR erp_company_id = ${erpCompanyId ?? null})
        ORDER BY accounting_entry_id, sent_at DESC, revision DESC`);
      const planAt = await readStored<SentEntry['plan']>(tx, 'plans', installationId, rows);
      return rows.map(({ storedIn, ...row }) => ({ ...row, plan: planAt({ ...row, storedIn }) ?? [] }));
    });
    return new Map(found.map((record) => [record.accountingEntryId, record]));
  }

  /** @param isEnough whether no further page is needed */
  private async readPlatform(
    installationId: InstallationId,
    jobId: ExportJobId,
    isEnough: (found: readonly ChunkItem[]) => boolean,
  ): Promise<readonly ChunkItem[] | undefined> {
    const found: ChunkItem[] = [];
    try {
      const auth = this.platformAccess.authorizationFor(installationId, 'people');
      for await (const page of this.platformApi.exportItemPages(auth, jobId)) {
        found.push(...page);
        if (isEnough(found)) {
          break;
        }
      }
    } catch (error) {
      if (error instanceof PlatformRefusal && (error.status === 422 || error.status === 404)) {
        return undefined;
      }
      throw error;
    }
    return found;
  }
}

async function readChunkItems(
  tx: Tx,
  installationId: InstallationId,
  locations: readonly StorageLocation[],
): Promise<readonly ChunkItem[]> {
  const itemAt = await readStored<ExportItem>(tx, 'items', installationId, locations);
  return locations.map((place) => {
    const { accountingEntryId } = place;
    const item = itemAt(place);
    return item === undefined ? { accountingEntryId, unreadable: NOT_STORED } : { accountingEntryId, item };
  });
}
