import type { CompanyId, ErpCompanyId, ExportJobId, InstallationId } from '../../../kernel/ids.js';
import type { ExportJobState } from './state-transitions.js';

export interface ExportJob {
  readonly id: ExportJobId;
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
  readonly state: ExportJobState;
  readonly numberOfItems: number;
  /** Pinned when the job starts: every item is mapped with this version (I21). */
  readonly mappingVersion: number | undefined;
  readonly erpCompanyId: ErpCompanyId | undefined;
  /** By the platform's clock. */
  readonly expiresAt: Date;
  readonly attempts: number;
}

/** Whose failure an open job waits out until its next attempt. */
export const WAITING_FOR = ['platform', 'accounting-system', 'connector'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** Whether the platform itself has set the failure reason, rather than our verdict. */
export function isEndedByOthers(failureReasonType: string | null | undefined): boolean {
  return failureReasonType === 'job_expired' || failureReasonType === 'canceled_by_user';
}
