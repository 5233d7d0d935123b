import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { MasterVendors } from '../../bookkeeping/item/master-data.js';
import { ErpReferenceData } from '../../erp/erp-reference-data.js';
import { MappingService } from '../../mapping/mapping.service.js';
import { ReferenceDataApi, VENDOR_FILTER_LIMIT } from '../../platform/reference-data-api.js';
import type { WireVendor } from '../../platform/reference-data.schema.js';
import { ApplyVendorStep } from './apply-vendor-step.js';
import {
  possibleNumbers,
  type PlatformVendor,
  type VendorDecision,
  type VendorState,
} from '../domain/match-vendors.js';
import { planVendors, type VendorPlan, type VendorStep } from '../domain/plan-vendors.js';
import { eachOf } from './step-outcome.js';
import { isArchive, listOf, refuseEmpty, type PlannedSync, type SyncWork } from './sync-work.js';
import { VendorMatchRepository } from '../vendor-match.repository.js';

/** Vendors, both ways: all of them, or only the platform's drafts and what somebody has decided about. */
@Injectable()
export class SyncVendors {
  constructor(
    private readonly database: TenantDatabase,
    private readonly matches: VendorMatchRepository,
    private readonly mapping: MappingService,
    private readonly erp: ErpReferenceData,
    private readonly platform: ReferenceDataApi,
    private readonly step: ApplyVendorStep,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async plan(work: SyncWork, scope: 'all' | 'drafts'): Promise<PlannedSync<VendorStep>> {
    const decisions = await this.database.inInstallation('vendor decisions', work.installationId, (tx) =>
      this.matches.decisions(tx, work),
    );
    const erp = listOf(await this.erp.vendors(work.erpCompanyId));
    const unknownVendor = await this.policy(work);
    if (scope === 'all') {
      const platform = (await this.platform.listVendors(work.auth, work.companyId)).flatMap(vendorOf);
      const plan = planVendors({ erp, platform, decisions, unknownVendor });
      const shows = erp.vendors.some(({ usable }) => usable);
      refuseEmpty('vendor', !shows, plan.steps.some(isArchive));
      return this.planned(work, plan, undefined);
    }
    const open = (await this.open(work, decisions)).flatMap(vendorOf);
    const platform = await this.around(work, open, erp, decisions);
    const ids = new Set(open.map(({ id }) => id));
    return this.planned(work, only(planVendors({ erp, platform, decisions, unknownVendor }), ids), ids);
  }

  /** @param looked the vendors of the platform that were looked at; undefined for all of them */
  private planned(
    work: SyncWork,
    plan: VendorPlan,
    looked: ReadonlySet<string> | undefined,
  ): PlannedSync<VendorStep> {
    return {
      plan,
      keep: async (tx) => {
        await this.matches.wait(tx, work, plan.waiting);
        const open = new Set([...plan.waiting.map((each) => each.platformVendorId), ...idsOf(plan.steps)]);
        const known = await this.matches.known(tx, work);
        const settled = known.filter((id) => !open.has(id) && (looked?.has(id) ?? true));
        await this.matches.settle(tx, work, settled);
      },
      apply: (steps) => eachOf(steps, (step) => this.step.run(work, step)),
    };
  }

  /** The drafts, and what somebody has decided about. */
  private async open(
    { auth, companyId }: SyncWork,
    decisions: ReadonlyMap<string, VendorDecision>,
  ): Promise<readonly WireVendor[]> {
    const drafts = await this.platform.listVendors(auth, companyId, { states: ['DRAFT'] });
    const known = new Set(drafts.map(({ id }) => id));
    const decided = [...decisions.keys()].filter((id) => !known.has(id));
    return [
      ...drafts,
      ...(await this.listIn(decided, (ids) => this.platform.listVendors(auth, companyId, { ids }))),
    ];
  }

  /** With whoever has the number of a vendor that one of them could be. */
  private async around(
    { auth, companyId }: SyncWork,
    open: readonly PlatformVendor[],
    erp: MasterVendors,
    decisions: ReadonlyMap<string, VendorDecision>,
  ): Promise<readonly PlatformVendor[]> {
    const numbers = possibleNumbers(erp.vendors, open, decisions);
    const others = await this.listIn(numbers, (externalIds) =>
      this.platform.listVendors(auth, companyId, { externalIds }),
    );
    return [...new Map([...others.flatMap(vendorOf), ...open].map((vendor) => [vendor.id, vendor])).values()];
  }

  private async listIn(
    values: readonly string[],
    list: (some: readonly string[]) => Promise<readonly WireVendor[]>,
  ): Promise<readonly WireVendor[]> {
    const all: WireVendor[] = [];
    for (let start = 0; start < values.length; start += VENDOR_FILTER_LIMIT) {
      all.push(...(await list(values.slice(start, start + VENDOR_FILTER_LIMIT))));
    }
    return all;
  }

  /** Before anything is saved nothing is created in anybody's books. */
  private async policy({ installationId }: SyncWork): Promise<'create' | 'fail'> {
    const saved = await this.mapping.latest(installationId);
    return saved?.settings.policies.unknownVendor ?? 'fail';
  }
}

/** A state that we do not know is left alone: whatever it means, it is not ours to change. */
function vendorOf(vendor: WireVendor): readonly PlatformVendor[] {
  const { state } = vendor;
  return isKnown(state) ? [{ ...vendor, state }] : [];
}

function isKnown(state: string): state is VendorState {
  return state === 'DRAFT' || state === 'ACTIVE' || state === 'ARCHIVED';
}

function only(plan: VendorPlan, ids: ReadonlySet<string>): VendorPlan {
  return {
    steps: plan.steps.filter((step) => 'id' in step && ids.has(step.id)),
    problems: plan.problems.filter(({ key }) => ids.has(key)),
    waiting: plan.waiting.filter(({ platformVendorId }) => ids.has(platformVendorId)),
  };
}

function idsOf(steps: readonly VendorStep[]): readonly string[] {
  return steps.flatMap((step) => ('id' in step ? step.id : []));
}
