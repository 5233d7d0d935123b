import type { Tx } from '../../../foundation/database/transaction.js';
import type { CompanyId, ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import type { PlannedChange, SyncPlan } from '../domain/sync-plan.js';
import type { StepOutcome } from '../domain/sync-run.js';

/** Between which two sides a run works. */
export interface SyncScope {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
  readonly erpCompanyId: ErpCompanyId;
  readonly auth: PlatformAuthorization;
}

/** The difference between the two sides at one moment, and how to make it go away. */
export interface ExecutablePlan<Step extends PlannedChange> {
  readonly plan: SyncPlan<Step>;
  /** In a transaction of the run's owner, before anything is sent: keeps what the plan has found out. */
  readonly storeFindings?: (tx: Tx) => Promise<void>;
  /**
   * Carries out steps of the plan, in their order.
   * @returns one outcome per step
   * @throws what is no answer to a step: the other side is away, the authorization is lost
   */
  readonly apply: (steps: readonly Step[]) => Promise<readonly StepOutcome[]>;
}

/** A person has to do something before a run can come to its end. The message says what. */
export class SyncBlocked extends Error {
  override readonly name = 'SyncBlocked';
}

export function isArchive({ action }: PlannedChange): boolean {
  return action === 'archive';
}

/**
 * Books that show nothing of a kind are more likely wrong than meant: nothing is archived for them.
 * @param what the kind, in words
 * @param isEmpty whether the accounting system shows nothing of it that is in use
 * @param archives whether something of it would be archived on the platform
 * @throws SyncBlocked
 */
export function refuseEmpty(what: string, isEmpty: boolean, archives: boolean): void {
  if (isEmpty && archives) {
    throw new SyncBlocked(
      `The accounting system shows no active ${what}, so nothing was archived on the platform. See whether the right company is linked and its data is there, then start the run again.`,
    );
  }
}

/** @throws SyncBlocked for an undefined list: the ERP does not know the company */
export function listOf<T>(list: T | undefined): T {
  if (list === undefined) {
    throw new SyncBlocked(
      'The accounting system does not know the linked company any more: link another one in the settings.',
    );
  }
  return list;
}
