// What we read of the platform's export job.
import { toCompanyId, toExportJobId } from '../../../kernel/ids.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { DetectedJob } from '../stores/export-job.repository.js';

/** `in_progress` too: such a job was started here, and our record of it may have been lost. */
export const OPEN_STATUSES = ['pending', 'in_progress'];

/** The documented life of a job after the last action on it (P1.3). */
export const LIFETIME_SECONDS = 3_600;
/** How much older than the platform's clock a job may be that was read a moment ago. */
const COUNTDOWN_TOLERANCE_SECONDS = 60;

/** @param platformNow the platform's clock */
export function toDetectedJob(job: PlatformExportJob, platformNow: Date): DetectedJob {
  return {
    id: toExportJobId(job.id),
    companyId: toCompanyId(job.companyId),
    numberOfItems: job.numberOfItems,
    vendorBasedBookkeeping: job.vendorBasedBookkeeping ?? false,
    createdOnPlatformAt: job.createdAt,
    expiresAt: expiryOf(job, platformNow),
  };
}

/**
 * One hour after the last action on the job, by the platform's clock (P1.3). `expiresIn` counts from that action; where it makes up that
 * hour together with the time since then, it is what is left of it.
 * @param platformNow the platform's clock
 */
export function expiryOf({ lastUpdatedAt, createdAt, expiresIn }: PlatformExportJob, platformNow: Date): Date {
  const lastAction = (lastUpdatedAt ?? createdAt).getTime();
  const elapsed = (platformNow.getTime() - lastAction) / 1_000;
  const isCountdown = Math.abs(elapsed + expiresIn - LIFETIME_SECONDS) <= COUNTDOWN_TOLERANCE_SECONDS;
  return new Date(lastAction + (isCountdown ? LIFETIME_SECONDS : expiresIn) * 1_000);
}

/** By our verdict, by the platform's clock, or by a user who cancelled it. */
export function hasEnded(job: PlatformExportJob): boolean {
  return job.status !== 'pending' && job.status !== 'in_progress';
}

/** Shown as failed for that reason (P1.4), or as expired: the interface names this state, and no reason. */
export function hasExpired({ status, failureReasonType }: PlatformExportJob): boolean {
  return failureReasonType === 'job_expired' || status === 'expired';
}
