import type { Clock } from '../../../kernel/clock.js';
import { Permanent } from '../../../kernel/faults.js';

const EVERY_MS = 200;

/**
 * Polls until there is a value.
 *
 * @param what is waited for, for the message: "the connection of the company".
 * @param limitMs milliseconds after which to give up.
 * @param probe returns undefined as long as there is nothing yet.
 * @throws Permanent when the time is over.
 */
export async function waitFor<T>(
  clock: Clock,
  what: string,
  limitMs: number,
  probe: () => Promise<T | undefined>,
): Promise<T> {
  const giveUpAt = clock.monotonicMs() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) {
      return found;
    }
    if (clock.monotonicMs() >= giveUpAt) {
      throw new Permanent(`${what}: not done within ${(limitMs / 1_000).toString()} seconds`);
    }
    await clock.sleep(EVERY_MS);
  }
}
