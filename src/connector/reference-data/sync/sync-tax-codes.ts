import { Injectable } from '@nestjs/common';
import { ReferenceDataApi } from '../../platform/reference-data-api.js';
import { planTaxCodes, type TaxCodeStep } from '../domain/plan-tax-codes.js';
import type { StepOutcome } from '../domain/sync-run.js';
import { applyInOrder, applyRepeatable, applyOnce } from './step-outcome.js';
import { isArchive, listOf, refuseEmpty, type ExecutablePlan, type SyncScope } from './sync-scope.js';

/** Tax codes, ERP → platform. */
@Injectable()
export class SyncTaxCodes {
  constructor(private readonly referenceDataApi: ReferenceDataApi) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async plan(work: SyncScope): Promise<ExecutablePlan<TaxCodeStep>> {
    const erp = listOf(await work.erp.taxCodes());
    const known = await this.referenceDataApi.listTaxCodes(work.auth, work.companyId);
    const plan = planTaxCodes(erp, known);
    const shows = erp.some(({ active }) => active);
    refuseEmpty('tax-codes', !shows, plan.steps.some(isArchive));
    return {
      plan,
      active: known.filter(({ archived }) => !archived).length,
      apply: (steps) => applyInOrder(steps, (step) => this.apply(work, step)),
    };
  }

  private apply({ auth, companyId }: SyncScope, step: TaxCodeStep): Promise<StepOutcome> {
    return step.action === 'create'
      ? applyOnce(() => this.referenceDataApi.createTaxCode(auth, companyId, step.content))
      : applyRepeatable(() => this.referenceDataApi.updateTaxCode(auth, companyId, step.id, step.content));
  }
}
