import type { CompanyId, ErpCompanyId, ExportJobId, InstallationId } from '../../../kernel/ids.js';

/**
 * Where a job stands with us. `detected` → `running` → `verdict_decided` → one of the final states. The schema holds
 * the same edges (invariant I9).
 */
export type ExportJobState =
  | 'detected'
  | 'running'
  | 'verdict_decided'
  | 'completed'
  | 'completed_with_errors'
  | 'failed'
  /** The platform's hour passed before a verdict was accepted. */
  | 'expired'
  /** Ended on the platform without us: cancelled by a user. */
  | 'closed_by_platform';

export type FinalState = Exclude<ExportJobState, 'detected' | 'running' | 'verdict_decided'>;

export interface ExportJob {
  readonly id: ExportJobId;
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
  readonly state: ExportJobState;
  readonly numberOfItems: number;
  /** Pinned when the job starts: every item is mapped with this version (invariant I21). */
  readonly mappingVersion: number | undefined;
  readonly erpCompanyId: ErpCompanyId | undefined;
  /** By the platform's clock. */
  readonly expiresAt: Date;
  readonly attempts: number;
}

/** @returns true for a state that is never left */
export function isFinal(state: ExportJobState): state is FinalState {
  return state !== 'detected' && state !== 'running' && state !== 'verdict_decided';
}

/** Failure reasons of a job that the platform itself gives: nobody's verdict of ours. */
export function isEndedByOthers(failureReasonType: string | null | undefined): boolean {
  return failureReasonType === 'job_expired' || failureReasonType === 'canceled_by_user';
}
