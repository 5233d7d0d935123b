import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { KnownCodes } from '../domain/compared-sources.js';
import type { ReconciliationLease } from '../domain/reconciliation-run.js';

/** One worker's attempt at one run, with everything that stays the same until its end. */
export interface ReconciliationScope {
  readonly run: ReconciliationLease;
  /** The ERP company that is linked now; a job keeps the one it was posted to. */
  readonly erpCompanyId: ErpCompanyId | undefined;
  readonly codes: KnownCodes;
  /** Code of the account that is set for realized exchange discrepancies, if it is active in the ERP. */
  readonly realizedFx: string | undefined;
  /** Fires when the process stops: finish the chunk in hand, begin no new one. */
  readonly stopping: AbortSignal;
}
