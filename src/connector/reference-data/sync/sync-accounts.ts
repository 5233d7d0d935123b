import { Injectable } from '@nestjs/common';
import type { MasterAccount } from '../../bookkeeping/item/master-data.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import { ReferenceDataApi, type NewAccountRequest } from '../../platform/reference-data-api.js';
import { planAccounts, type AccountStep, type PlatformAccount } from '../domain/plan-accounts.js';
import type { StepOutcome } from '../domain/sync-run.js';
import { applyInOrder, applyRepeatable, refusalText } from './step-outcome.js';
import { listOf, refuseEmpty, type ExecutablePlan, type SyncScope } from './sync-scope.js';

type CreateStep = Extract<AccountStep, { readonly action: 'create' }>;

/** What the platform's words for a row of a batch mean to a bookkeeper (P4). */
const REASONS: Readonly<Record<string, string>> = {
  EXTERNAL_ID_TOO_LONG: 'its id is too long',
  EXTERNAL_ID_EMPTY: 'it has no id',
  NAME_TOO_LONG: 'its name is too long',
  NAME_EMPTY: 'it has no name',
  CODE_TOO_LONG: 'its code is too long',
  OTHER: 'it gives no reason',
};

/** The chart of accounts, ERP → platform. */
@Injectable()
export class SyncAccounts {
  constructor(private readonly referenceDataApi: ReferenceDataApi) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async plan(work: SyncScope): Promise<ExecutablePlan<AccountStep>> {
    const erp = listOf(await work.erp.accounts());
    const known = await this.referenceDataApi.listAccounts(work.auth, work.companyId);
    const shows = erp.some(({ active }) => active);
    const active = known.filter(({ archived }) => !archived).length;
    refuseEmpty('accounts', !shows, active > 0);
    const taxCodes = await this.taxCodesFor(work, erp, known);
    return { plan: planAccounts(erp, known, taxCodes), active, apply: (steps) => this.apply(work, steps) };
  }

  /** Requested only when an account has one. */
  private async taxCodesFor(
    { auth, companyId }: SyncScope,
    erp: readonly MasterAccount[],
    known: readonly PlatformAccount[],
  ): Promise<ReadonlySet<string>> {
    const isNeeded =
      erp.some(({ taxCode }) => typeof taxCode === 'string') ||
      known.some(({ taxCodeExternalId }) => taxCodeExternalId !== null);
    const taxCodes = isNeeded ? await this.referenceDataApi.listTaxCodes(auth, companyId) : [];
    return new Set(taxCodes.flatMap(({ code }) => code ?? []));
  }

  /** A piece of a plan is creates only, or has none but single ones among other changes. */
  private async apply(work: SyncScope, steps: readonly AccountStep[]): Promise<readonly StepOutcome[]> {
    const creates = steps.filter((step) => step.action === 'create');
    if (creates.length === steps.length && creates.length > 1) {
      return this.createBatch(work, creates);
    }
    const { auth, companyId } = work;
    return applyInOrder(steps, (step) =>
      applyRepeatable(() =>
        step.action === 'create'
          ? this.referenceDataApi.createAccount(auth, companyId, requestOf(step))
          : this.referenceDataApi.updateAccount(auth, step.id, step.content),
      ),
    );
  }

  /** One whose body is too large for the platform is sent in halves. */
  private async createBatch(work: SyncScope, steps: readonly CreateStep[]): Promise<readonly StepOutcome[]> {
    const { auth, companyId } = work;
    try {
      const { created, failed } = await this.referenceDataApi.createAccounts(auth, companyId, steps.map(requestOf));
      const done = new Set(created.map(({ externalId }) => externalId));
      const reasons = new Map(failed.map((row) => [row.request.externalId, row.reasons]));
      return steps.map(({ key }) => (done.has(key) ? { outcome: 'done' } : outcomeOfRow(reasons.get(key) ?? [])));
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 413) {
        const half = Math.ceil(steps.length / 2);
        return [...(await this.apply(work, steps.slice(0, half))), ...(await this.apply(work, steps.slice(half)))];
      }
      if (error instanceof PlatformRefusal && error.status === 400) {
        const detail = refusalText(error);
        return steps.map(() => ({ outcome: 'refused', detail }));
      }
      throw error;
    }
  }
}

/** A row that is in neither list, or that exists already, is planned again. */
function outcomeOfRow(reasons: readonly string[]): StepOutcome {
  if (reasons.length === 0 || reasons.includes('EXTERNAL_ID_ALREADY_EXISTS')) {
    return { outcome: 'stale' };
  }
  const said = reasons.map((reason) => REASONS[reason] ?? reason);
  return { outcome: 'refused', detail: `The platform did not take it: ${said.join(', ')}.` };
}

function requestOf({ key, content }: CreateStep): NewAccountRequest {
  return { externalId: key, ...content };
}
