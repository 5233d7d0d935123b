import type { Tx } from '../../../foundation/database/transaction.js';
import type { CompanyId, ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import type { PlannedChange, SyncKind, SyncPlan } from '../domain/sync-plan.js';
import { SyncBlocked } from '../domain/sync-blocked.js';
import type { StepOutcome } from '../domain/sync-run.js';

/** The platform company and the ERP company of a run. */
export interface SyncScope {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
  readonly erpCompanyId: ErpCompanyId;
  readonly erp: ConnectedErp;
  readonly auth: PlatformAuthorization;
}

/** The difference between platform and ERP at one moment, and how to apply it. */
export interface ExecutablePlan<Step extends PlannedChange> {
  readonly plan: SyncPlan<Step>;
  /** Records of the platform that are compared and not archived. */
  readonly active: number;
  /** Those steps that may archive what the ERP has lost; unset: any of the plan. */
  readonly losses?: readonly Step[];
  /** In a fenced transaction, before anything is sent: stores what planning has found. */
  readonly storeFindings?: (tx: Tx) => Promise<void>;
  /**
   * Applies steps of the plan, in their order.
   * @returns one outcome per step
   * @throws an error that is no response to a step: no connection, the authorization is lost
   */
  readonly apply: (steps: readonly Step[]) => Promise<readonly StepOutcome[]>;
}

export function isArchive({ action }: PlannedChange): boolean {
  return action === 'archive';
}

/**
 * An ERP without any record of a kind is more likely wrong than intended: nothing is archived because of it.
 * @param isEmpty whether the accounting system shows no active record of it
 * @param archives whether the plan archives records of it on the platform
 * @throws SyncBlocked
 */
export function refuseEmpty(what: SyncKind | 'dimensionValues', isEmpty: boolean, archives: boolean): void {
  if (isEmpty && archives) {
    throw new SyncBlocked(message('sync.failure.empty', { what }));
  }
}

/** @throws SyncBlocked for an undefined list: the ERP does not know the company */
export function listOf<T>(list: T | undefined): T {
  if (list === undefined) {
    throw new SyncBlocked(message('sync.failure.company-unknown'));
  }
  return list;
}
