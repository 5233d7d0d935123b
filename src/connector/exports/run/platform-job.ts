// What we read of the platform's export job.
import { toCompanyId, toExportJobId } from '../../../kernel/ids.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { DetectedJob } from '../stores/export-job.repository.js';

/** `in_progress` too: such a job was started here, and our record of it may have been lost. */
export const OPEN_STATUSES = ['pending', 'in_progress'];

export function toDetectedJob(job: PlatformExportJob): DetectedJob {
  return {
    id: toExportJobId(job.id),
    companyId: toCompanyId(job.companyId),
    numberOfItems: job.numberOfItems,
    vendorBasedBookkeeping: job.vendorBasedBookkeeping ?? false,
    createdOnPlatformAt: job.createdAt,
    expiresAt: expiryOf(job),
  };
}

/** One hour after the last action on the job, by the platform's clock (P1.3). */
export function expiryOf(job: PlatformExportJob): Date {
  return new Date((job.lastUpdatedAt ?? job.createdAt).getTime() + job.expiresIn * 1_000);
}

/** By our verdict, by the platform's clock, or by a user who cancelled it. */
export function hasEnded(job: PlatformExportJob): boolean {
  return job.status !== 'pending' && job.status !== 'in_progress';
}

/** Shown as failed for that reason (P1.4), or as expired: the interface names this state, and no reason. */
export function hasExpired({ status, failureReasonType }: PlatformExportJob): boolean {
  return failureReasonType === 'job_expired' || status === 'expired';
}
