import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from '../../kernel/clock.js';

/** The sequence of a millisecond starts at random in the lower half of its 32 bits, so that it never overflows. */
const MAX_FIRST_SEQUENCE = 2 ** 31;

/** Makes ids that sort in the order in which this process made them: UUIDs of version 7 (RFC 9562), by the clock port. */
export class TimeOrderedIds {
  private msecs = 0;
  private seq = 0;

  constructor(private readonly clock: Clock) {}

  /** @returns that many new ids, increasing, all after those of earlier calls, also when the clock was set back */
  next(count: number): readonly string[] {
    const now = this.clock.now().getTime();
    if (now > this.msecs) {
      this.msecs = now;
      this.seq = randomInt(MAX_FIRST_SEQUENCE);
    }
    return Array.from({ length: count }, () => v7({ msecs: this.msecs, seq: this.seq++ }));
  }
}
