import { SystemClock } from '../foundation/clock/system-clock.js';

const MAX_SLEEP_MS = 20;

/** The computer's own clock, whose pauses are short: for an adapter that is cut off, and repeats what it may. */
export class HurriedClock extends SystemClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(Math.min(ms, MAX_SLEEP_MS), signal);
  }
}
