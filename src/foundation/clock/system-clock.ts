import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';

/** The computer's own clock. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }

  override monotonicMs(): number {
    return performance.now();
  }

  /** @throws AbortError when the signal fires first. */
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await delay(ms, undefined, signal ? { signal } : {});
  }
}
