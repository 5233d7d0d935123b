import type { SimulatorSettings } from '../clock/simulator-settings.js';

/** Seconds between a failed attempt and the next one (P2.5). */
const DELAYS_AFTER_FAILURE = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** The other reading counts the first attempt itself as the immediate one (P2.5). */
const DELAYS: Readonly<Record<SimulatorSettings['retrySchedule'], readonly number[]>> = {
  nine_attempts: DELAYS_AFTER_FAILURE,
  eight_attempts: DELAYS_AFTER_FAILURE.slice(1),
};

export interface Jitter {
  /** Largest share of a delay by which it is shorter or longer. */
  readonly percent: number;
  /** From 0 up to 1, drawn for this attempt: 0 is the shortest delay, 0.5 the plain one. */
  readonly share: number;
}

/**
 * When a notification is tried again.
 * @param failures attempts that have failed so far, at least 1
 * @returns undefined when the schedule is over
 */
export function nextAttemptAt(
  schedule: SimulatorSettings['retrySchedule'],
  failures: number,
  now: Date,
  jitter: Jitter,
): Date | undefined {
  const seconds = DELAYS[schedule][failures - 1];
  if (seconds === undefined) {
    return undefined;
  }
  const factor = 1 + (jitter.percent / 100) * (2 * jitter.share - 1);
  return new Date(now.getTime() + Math.round(seconds * 1000 * factor));
}
