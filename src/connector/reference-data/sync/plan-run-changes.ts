import { Injectable } from '@nestjs/common';
import type { PlannedChange, SyncKind } from '../domain/sync-plan.js';
import { SyncAccounts } from './sync-accounts.js';
import { SyncTags } from './sync-tags.js';
import { SyncTaxCodes } from './sync-tax-codes.js';
import { SyncVendors } from './sync-vendors.js';
import type { ExecutablePlan, SyncScope } from './sync-scope.js';

/** Kind of run → what makes its plan. */
@Injectable()
export class PlanRunChanges {
  constructor(
    private readonly syncTaxCodes: SyncTaxCodes,
    private readonly syncAccounts: SyncAccounts,
    private readonly syncTags: SyncTags,
    private readonly syncVendors: SyncVendors,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async planByKind(kind: SyncKind, work: SyncScope): Promise<ExecutablePlan<PlannedChange>> {
    switch (kind) {
      case 'tax-codes':
        return withAnyStep(await this.syncTaxCodes.plan(work));
      case 'accounts':
        return withAnyStep(await this.syncAccounts.plan(work));
      case 'tags':
        return withAnyStep(await this.syncTags.plan(work));
      case 'vendors':
        return withAnyStep(await this.syncVendors.plan(work, 'all'));
      case 'vendor-drafts':
        return withAnyStep(await this.syncVendors.plan(work, 'drafts'));
    }
  }
}

/** Steps are returned to their plan by their index, so that no caller needs to know their type. */
function withAnyStep<Step extends PlannedChange>({
  plan,
  active,
  losses,
  storeFindings,
  apply,
}: ExecutablePlan<Step>): ExecutablePlan<PlannedChange> {
  const own = new Map<PlannedChange, Step>(plan.steps.map((step) => [step, step]));
  return {
    plan,
    active,
    ...(losses && { losses }),
    ...(storeFindings && { storeFindings }),
    apply: (steps) => apply(steps.flatMap((step) => own.get(step) ?? [])),
  };
}
