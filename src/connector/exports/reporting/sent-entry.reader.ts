import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import { SentEntryRepository, type SentEntry, type StoredItem } from './sent-entry.repository.js';

export interface JobItems {
  /** `stored`: the platform gives them no more, so they are without names, notes and receipts. */
  readonly source: 'platform' | 'stored';
  readonly items: readonly ChunkItem[];
}

const NOT_STORED = 'its data was not stored';

@Injectable()
export class SentEntryReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly sentEntryRepository: SentEntryRepository,
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
    const read = isOpen ? await this.readPlatform(installationId, jobId, skip, limit) : undefined;
    if (read !== undefined) {
      return { source: 'platform', items: read };
    }
    const stored = await this.tenantDatabase.inInstallation('read stored items', installationId, (tx) =>
      this.sentEntryRepository.itemsOfJob(tx, installationId, jobId, skip, limit),
    );
    return { source: 'stored', items: stored.map(toChunkItem) };
  }

  /** As each entry was exported last, in any order; those without data are left out. */
  async newestItems(installationId: InstallationId, ids: readonly string[]): Promise<readonly ChunkItem[]> {
    const stored = await this.tenantDatabase.inInstallation('read stored items', installationId, (tx) =>
      this.sentEntryRepository.newestItems(tx, installationId, ids),
    );
    return stored.map(toChunkItem);
  }

  /** The newest record of each entry that was ever sent, by entry. */
  async find(
    installationId: InstallationId,
    ids: readonly string[],
    erpCompanyId?: string,
  ): Promise<ReadonlyMap<string, SentEntry>> {
    const found = await this.tenantDatabase.inInstallation('read entry records', installationId, (tx) =>
      this.sentEntryRepository.find(tx, installationId, ids, erpCompanyId),
    );
    return new Map(found.map((record) => [record.accountingEntryId, record]));
  }

  private async readPlatform(
    installationId: InstallationId,
    jobId: ExportJobId,
    skip: number,
    limit: number,
  ): Promise<readonly ChunkItem[] | undefined> {
    const found: ChunkItem[] = [];
    try {
      const auth = this.platformAccess.authorizationFor(installationId, 'people');
      for await (const page of this.platformApi.exportItemPages(auth, jobId)) {
        found.push(...page);
        if (found.length >= skip + limit) {
          break;
        }
      }
    } catch (error) {
      if (error instanceof PlatformRefusal && (error.status === 422 || error.status === 404)) {
        return undefined;
      }
      throw error;
    }
    return found.slice(skip, skip + limit);
  }
}

function toChunkItem({ accountingEntryId, item }: StoredItem): ChunkItem {
  return item === null ? { accountingEntryId, unreadable: NOT_STORED } : { accountingEntryId, item };
}
