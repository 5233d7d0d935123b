// Plans items without any effect: nothing is written, created, posted or reported.
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import type { ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import { contentsOf } from '../../bookkeeping/item/content-of.js';
import type { PostingPlan } from '../../bookkeeping/item/posting-plan.js';
import { planItem } from '../../bookkeeping/item/plan-item.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { MappingVersion } from '../../mapping/domain/mapping.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import { planText } from '../domain/plans/plan-text.js';
import { JobMasterData } from './job-master-data.js';

export interface DryPlan {
  readonly entry: ChunkItem;
  /** Of the content as this and earlier planners write it; empty for an unreadable item. */
  readonly contentDigests: readonly string[];
  readonly plan: PostingPlan | undefined;
  /** Of the planned entries; undefined when nothing would be posted. */
  readonly planDigest: string | undefined;
}

@Injectable()
export class PlanWithoutEffect {
  constructor(private readonly erpConnections: ErpConnections) {}

  /**
   * The plan of each item, in the same order.
   * @returns undefined when the ERP knows no such company
   * @throws ErpUnavailable
   */
  async plan(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    mapping: MappingVersion,
    items: readonly ChunkItem[],
  ): Promise<readonly DryPlan[] | undefined> {
    const erp = await this.erpConnections.open(installationId, erpCompanyId);
    const loaded = await erp.loadMasterData();
    if (loaded === undefined) {
      return undefined;
    }
    const context = await new JobMasterData(erp, loaded, mapping).contextFor(items);
    return items.map((entry) => {
      if (!('item' in entry)) {
        return { entry, contentDigests: [], plan: undefined, planDigest: undefined };
      }
      const plan = planItem(entry.item, context);
      const planDigest = plan.outcome === 'post' ? sha256Hex(planText(plan.entries)) : undefined;
      return { entry, contentDigests: contentsOf(entry.item).map(sha256Hex), plan, planDigest };
    });
  }
}
