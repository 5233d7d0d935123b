import { retryDelaySeconds } from '../../runs/domain/retry-delay.js';

const MINUTE_MS = 60_000;
const LAST_WRITE_MS = 10 * MINUTE_MS;
const EXPIRED_AFTER_MS = MINUTE_MS;
const NEAR_MS = 2 * LAST_WRITE_MS;
const BACK_OFF = { firstSeconds: 2, maxSeconds: 60 };
/** Between two attempts to send a verdict after the time for posting. */
const MAX_LATE_PAUSE_SECONDS = 20;

/**
 * What may still be done for a job (docs/rules/invariants.md, "Time budget of a job"). `post`: everything · `report`: no
 * new ERP write may start, what is left is reported as failed and the verdict is sent · `over`: the platform has
 * closed the job.
 * @param expiresAt end of the job, by the platform's clock
 * @param platformNow time by the same clock
 */
export function budgetAt(expiresAt: Date, platformNow: Date): 'post' | 'report' | 'over' {
  const left = expiresAt.getTime() - platformNow.getTime();
  if (left < -EXPIRED_AFTER_MS) {
    return 'over';
  }
  return left > LAST_WRITE_MS ? 'post' : 'report';
}

/** Whether a new ERP write may start for a job. @param platformNow time by the platform's clock */
export function mayPost({ expiresAt }: { readonly expiresAt: Date }, platformNow: Date): boolean {
  return budgetAt(expiresAt, platformNow) === 'post';
}

/** @returns the latest end of jobs whose time for posting is over: those of a paused customer get their verdict then */
export function reportUntil(platformNow: Date): Date {
  return new Date(platformNow.getTime() + LAST_WRITE_MS);
}

/** Milliseconds in which new ERP writes may start; negative when that time is over. */
export function timeToPostMs(expiresAt: Date, platformNow: Date): number {
  return expiresAt.getTime() - platformNow.getTime() - LAST_WRITE_MS;
}

/** @returns the end before which a job is near its deadline: it runs before others, and its end is fetched again */
export function urgentBefore(platformNow: Date): Date {
  return new Date(platformNow.getTime() + NEAR_MS);
}

/**
 * Seconds until a job that could not continue is tried again: longer after each failure of the same cause, at least the `Retry-After`,
 * but never beyond the time at which its verdict has to be sent.
 * @param failures in a row of the same cause, at least 1
 * @param retryAfterSeconds of a `Retry-After`, 0 without one
 * @param expiresAt end of the job, by the platform's clock
 * @param platformNow time by the same clock
 */
export function pauseSeconds(failures: number, retryAfterSeconds: number, expiresAt: Date, platformNow: Date): number {
  const pause = retryDelaySeconds(BACK_OFF, failures, retryAfterSeconds);
  const untilReport = (expiresAt.getTime() - LAST_WRITE_MS - platformNow.getTime()) / 1_000;
  return Math.min(pause, Math.max(untilReport, MAX_LATE_PAUSE_SECONDS));
}
