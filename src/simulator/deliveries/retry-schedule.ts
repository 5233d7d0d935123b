import type { RetrySchedule } from '../clock/simulator-state.repository.js';

/** Seconds between a failed attempt and the next one (Integration API, "Delivery retries"). */
const DELAYS_AFTER_FAILURE = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** The other reading counts the first attempt itself as the immediate one (wire-facts §2.5). */
const DELAYS: Readonly<Record<RetrySchedule, readonly number[]>> = {
  nine_attempts: DELAYS_AFTER_FAILURE,
  eight_attempts: DELAYS_AFTER_FAILURE.slice(1),
};

/**
 * When a notification is tried again.
 * @param failures attempts that have failed so far, at least 1
 * @returns undefined when the schedule is over
 */
export function nextAttemptAt(schedule: RetrySchedule, failures: number, now: Date): Date | undefined {
  const seconds = DELAYS[schedule][failures - 1];
  return seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1000);
}
