import { Injectable } from '@nestjs/common';
import type { PlannedChange, SyncKind } from '../domain/sync-plan.js';
import { SyncAccounts } from './sync-accounts.js';
import { SyncTags } from './sync-tags.js';
import { SyncTaxCodes } from './sync-tax-codes.js';
import { SyncVendors } from './sync-vendors.js';
import type { PlannedSync, SyncWork } from './sync-work.js';

/** Kind of run → what makes its plan. */
@Injectable()
export class PlanSync {
  constructor(
    private readonly taxCodes: SyncTaxCodes,
    private readonly accounts: SyncAccounts,
    private readonly tags: SyncTags,
    private readonly vendors: SyncVendors,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async run(kind: SyncKind, work: SyncWork): Promise<PlannedSync<PlannedChange>> {
    switch (kind) {
      case 'tax-codes':
        return anyStep(await this.taxCodes.plan(work));
      case 'accounts':
        return anyStep(await this.accounts.plan(work));
      case 'tags':
        return anyStep(await this.tags.plan(work));
      case 'vendors':
        return anyStep(await this.vendors.plan(work, 'all'));
      case 'vendor-drafts':
        return anyStep(await this.vendors.plan(work, 'drafts'));
    }
  }
}

/** Steps are given back to the plan they came from by their place in it, so nobody else needs to know their type. */
function anyStep<Step extends PlannedChange>({
  plan,
  keep,
  apply,
}: PlannedSync<Step>): PlannedSync<PlannedChange> {
  const own = new Map<PlannedChange, Step>(plan.steps.map((step) => [step, step]));
  return {
    plan,
    ...(keep && { keep }),
    apply: (steps) => apply(steps.flatMap((step) => own.get(step) ?? [])),
  };
}
