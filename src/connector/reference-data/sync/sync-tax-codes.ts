import { Injectable } from '@nestjs/common';
import { ErpReferenceData } from '../../erp/erp-reference-data.js';
import { ReferenceDataApi } from '../../platform/reference-data-api.js';
import { planTaxCodes, type TaxCodeStep } from '../domain/plan-tax-codes.js';
import type { StepOutcome } from '../domain/sync-run.js';
import { eachOf, outcomeOf, outcomeOfOne } from './step-outcome.js';
import { isArchive, listOf, refuseEmpty, type PlannedSync, type SyncWork } from './sync-work.js';

/** Tax codes, ERP → platform. */
@Injectable()
export class SyncTaxCodes {
  constructor(
    private readonly erp: ErpReferenceData,
    private readonly platform: ReferenceDataApi,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async plan(work: SyncWork): Promise<PlannedSync<TaxCodeStep>> {
    const erp = listOf(await this.erp.taxCodes(work.erpCompanyId));
    const known = await this.platform.listTaxCodes(work.auth, work.companyId);
    const plan = planTaxCodes(erp, known);
    const shows = erp.some(({ active }) => active);
    refuseEmpty('tax code', !shows, plan.steps.some(isArchive));
    return {
      plan,
      apply: (steps) => eachOf(steps, (step) => this.apply(work, step)),
    };
  }

  private apply({ auth, companyId }: SyncWork, step: TaxCodeStep): Promise<StepOutcome> {
    return step.action === 'create'
      ? outcomeOfOne(() => this.platform.createTaxCode(auth, companyId, step.content))
      : outcomeOf(() => this.platform.updateTaxCode(auth, companyId, step.id, step.content));
  }
}
