import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { MasterVendorList } from '../../bookkeeping/item/master-data.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { ReferenceDataApi, VENDOR_FILTER_LIMIT } from '../../platform/reference-data-api.js';
import type { WireVendor } from '../../platform/reference-data.schema.js';
import { ApplyVendorStep } from './apply-vendor-step.js';
import { possibleNumbers, type PlatformVendor, type VendorDecision, type VendorState } from '../domain/link-vendors.js';
import { planVendors, type VendorPlan, type VendorStep } from '../domain/plan-vendors.js';
import { applyInOrder } from './step-outcome.js';
import { isArchive, listOf, refuseEmpty, type ExecutablePlan, type SyncScope } from './sync-scope.js';
import { VendorMatchRepository } from '../vendor-match.repository.js';

/** Vendors in both directions: all of them, or only the platform's drafts and those with a decision. */
@Injectable()
export class SyncVendors {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly mappingReader: MappingReader,
    private readonly referenceDataApi: ReferenceDataApi,
    private readonly applyVendorStep: ApplyVendorStep,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async plan(work: SyncScope, scope: 'all' | 'drafts'): Promise<ExecutablePlan<VendorStep>> {
    const { decisions, waiting } = await this.tenantDatabase.inInstallation(
      'vendor decisions',
      work.installationId,
      async (tx) => ({
        decisions: await this.vendorMatchRepository.listDecisions(tx, work),
        waiting: await this.vendorMatchRepository.listWaitingIds(tx, work),
      }),
    );
    const erp = listOf(await work.erp.vendors());
    const unknownVendor = await this.unknownVendorPolicy(work);
    if (scope === 'all') {
      const listed = await this.referenceDataApi.listVendors(work.auth, work.companyId);
      const platform = listed.flatMap(vendorOf);
      const held = new Map(listed.flatMap(heldNumber));
      const plan = planVendors({ erp, platform, decisions, unknownVendor, held });
      const shows = erp.vendors.some(({ usable }) => usable);
      refuseEmpty('vendors', !shows, plan.steps.some(isArchive));
      return this.executable(work, plan, platform, decisions, undefined);
    }
    const open = (await this.loadOpen(work, decisions)).flatMap(vendorOf);
    const platform = await this.loadPossibleCounterparts(work, open, waiting, erp, decisions);
    const ids = new Set(open.map(({ id }) => id));
    const plan = only(planVendors({ erp, platform, decisions, unknownVendor }), ids);
    return this.executable(work, plan, platform, decisions, ids);
  }

  /**
   * @param decisions those of the plan: what is decided after it was made stays for the next run
   * @param looked the vendors of the platform that were compared; undefined for all of them
   */
  private executable(
    work: SyncScope,
    plan: VendorPlan,
    platform: readonly PlatformVendor[],
    decisions: ReadonlyMap<string, VendorDecision>,
    looked: ReadonlySet<string> | undefined,
  ): ExecutablePlan<VendorStep> {
    const active = new Set(platform.filter(({ state }) => state === 'ACTIVE').map(({ id }) => id));
    return {
      plan,
      active: active.size,
      // A draft is none of the active ones, and what a person has given up is no loss.
      losses: plan.steps.filter(
        (step) => 'id' in step && active.has(step.id) && decisions.get(step.id)?.decision !== 'archive',
      ),
      storeFindings: async (tx) => {
        await this.vendorMatchRepository.markWaiting(tx, work, plan.waiting, [...decisions.keys()]);
        const open = new Set([...plan.waiting.map((each) => each.platformVendorId), ...idsOf(plan.steps)]);
        const known = [...decisions.keys(), ...(await this.vendorMatchRepository.listWaitingIds(tx, work))];
        const settled = known.filter((id) => !open.has(id) && (looked?.has(id) ?? true));
        await this.vendorMatchRepository.settle(tx, work, settled);
      },
      apply: (steps) => applyInOrder(steps, (step) => this.applyVendorStep.apply(work, step)),
    };
  }

  /** The drafts, and the vendors with a decision. */
  private async loadOpen(
    { auth, companyId }: SyncScope,
    decisions: ReadonlyMap<string, VendorDecision>,
  ): Promise<readonly WireVendor[]> {
    const drafts = await this.referenceDataApi.listVendors(auth, companyId, { states: ['DRAFT'] });
    const known = new Set(drafts.map(({ id }) => id));
    const decided = [...decisions.keys()].filter((id) => !known.has(id));
    return [
      ...drafts,
      ...(await this.listIn(decided, (ids) => this.referenceDataApi.listVendors(auth, companyId, { ids }))),
    ];
  }

  /** Adds the vendors that have the number of one that a draft could be, and those that wait and could be it as well. */
  private async loadPossibleCounterparts(
    { auth, companyId }: SyncScope,
    open: readonly PlatformVendor[],
    waiting: readonly string[],
    erp: MasterVendorList,
    decisions: ReadonlyMap<string, VendorDecision>,
  ): Promise<readonly PlatformVendor[]> {
    const numbers = possibleNumbers(erp.vendors, open, decisions);
    // Two searches: a vendor may have its number as the code alone, and the filters of one search have to match together.
    const others = [
      ...(await this.listIn(numbers, (externalIds) =>
        this.referenceDataApi.listVendors(auth, companyId, { externalIds }),
      )),
      ...(await this.listIn(numbers, (codes) => this.referenceDataApi.listVendors(auth, companyId, { codes }))),
    ];
    const known = new Set([...others, ...open].map(({ id }) => id));
    const rivals = await this.listIn(
      waiting.filter((id) => !known.has(id)),
      (ids) => this.referenceDataApi.listVendors(auth, companyId, { ids }),
    );
    return [
      ...new Map([...[...others, ...rivals].flatMap(vendorOf), ...open].map((vendor) => [vendor.id, vendor])).values(),
    ];
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

  /** Before the first settings are saved no vendor is created in the ERP. */
  private async unknownVendorPolicy({ installationId }: SyncScope): Promise<'create' | 'fail'> {
    const saved = await this.mappingReader.latestSettings(installationId);
    return saved?.settings.policies.unknownVendor ?? 'fail';
  }
}

/** A state that we do not know is left alone: whatever it means, it is not ours to change. */
function vendorOf(vendor: WireVendor): readonly PlatformVendor[] {
  const { state } = vendor;
  return isKnown(state) ? [{ ...vendor, state }] : [];
}

/** The number of a vendor that is left alone, and its state. */
function heldNumber({ state, externalId }: WireVendor): readonly (readonly [string, string])[] {
  return isKnown(state) || externalId === null ? [] : [[externalId, state]];
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
