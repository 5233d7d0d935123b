// Planning without effect: nothing is written, created, posted or told.
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ErpCompanyId, ExportJobId, InstallationId } from '../../../kernel/ids.js';
import { contentOf } from '../../bookkeeping/item/content-of.js';
import type { PostingPlan } from '../../bookkeeping/item/posting-plan.js';
import { planItem } from '../../bookkeeping/item/plan-item.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { InstallationsService } from '../../installations/installations.service.js';
import type { MappingVersion } from '../../mapping/domain/mapping.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import { planText } from '../domain/plans/plan-text.js';
import { SentEntryRepository, type SentEntry, type StoredItem } from '../reporting/sent-entry.repository.js';
import { JobMasterData } from './job-master-data.js';

export type { SentEntry } from '../reporting/sent-entry.repository.js';

export interface DryPlan {
  readonly entry: ChunkItem;
  /** Undefined for what cannot be read. */
  readonly contentDigest: string | undefined;
  readonly plan: PostingPlan | undefined;
  /** Of the planned entries; undefined where nothing would be posted. */
  readonly planDigest: string | undefined;
}

export interface JobItems {
  /** `kept`: the platform gives them no more, so they are without names, notes and receipts. */
  readonly source: 'platform' | 'kept';
  readonly items: readonly ChunkItem[];
}

const NOT_STORED = 'its data was not kept';

@Injectable()
export class DryRunService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly sentEntryRepository: SentEntryRepository,
    private readonly installationsService: InstallationsService,
    private readonly platformApi: PlatformApi,
    private readonly erpLedger: ErpLedger,
  ) {}

  /**
   * Items of a job: the platform's while it gives them, else what we keep of them.
   * @param skip how many of them
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform cannot be asked
   */
  async itemsOf(
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
    const kept = await this.tenantDatabase.inInstallation('read kept items', installationId, (tx) =>
      this.sentEntryRepository.itemsOfJob(tx, installationId, jobId, skip, limit),
    );
    return { source: 'kept', items: kept.map(toChunkItem) };
  }

  /** As each entry was exported last, in any order; those without data are left out. */
  async newestItems(installationId: InstallationId, ids: readonly string[]): Promise<readonly ChunkItem[]> {
    const kept = await this.tenantDatabase.inInstallation('read kept items', installationId, (tx) =>
      this.sentEntryRepository.newestItems(tx, installationId, ids),
    );
    return kept.map(toChunkItem);
  }

  /**
   * What each item would become, in the same order.
   * @returns undefined when the ERP knows no such company
   * @throws ErpUnavailable
   */
  async plan(
    erpCompanyId: ErpCompanyId,
    mapping: MappingVersion,
    items: readonly ChunkItem[],
  ): Promise<readonly DryPlan[] | undefined> {
    const loaded = await this.erpLedger.loadMasterData(erpCompanyId);
    if (loaded === undefined) {
      return undefined;
    }
    const context = await new JobMasterData(this.erpLedger, erpCompanyId, loaded, mapping).contextFor(items);
    return items.map((entry) => {
      if (!('item' in entry)) {
        return { entry, contentDigest: undefined, plan: undefined, planDigest: undefined };
      }
      const plan = planItem(entry.item, context);
      const planDigest = plan.outcome === 'post' ? sha256Hex(planText(plan.entries)) : undefined;
      return { entry, contentDigest: sha256Hex(contentOf(entry.item)), plan, planDigest };
    });
  }

  /** The newest record of each entry that was ever sent, by entry. */
  async sentEntriesOf(
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
      const auth = this.installationsService.interactiveAuthorization(installationId);
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
