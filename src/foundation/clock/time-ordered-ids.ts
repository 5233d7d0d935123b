import { randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';

/** Parts of a millisecond that the 12 bits after the version tell apart (RFC 9562, section 6.2, method 3). */
const TICKS = 4_096n;
const RANDOM_BYTES = 8;

/** Makes ids that sort in the order in which this process made them: RFC 9562 UUIDs of version 7. */
export class TimeOrderedIds {
  private last = 0n;

  constructor(private readonly clock: Clock) {}

  /** @returns that many new ids, increasing, all after those of earlier calls, also when the clock was set back */
  next(count: number): readonly string[] {
    const now = BigInt(this.clock.now().getTime()) * TICKS;
    const first = now > this.last ? now : this.last + 1n;
    this.last = first + BigInt(count) - 1n;
    const random = randomBytes(count * RANDOM_BYTES);
    return Array.from({ length: count }, (_, index) => {
      const start = index * RANDOM_BYTES;
      return format(first + BigInt(index), random.subarray(start, start + RANDOM_BYTES));
    });
  }
}

function format(tick: bigint, random: Buffer): string {
  const time = (tick / TICKS).toString(16).padStart(12, '0');
  const part = (tick % TICKS).toString(16).padStart(3, '0');
  const variant = (((random[0] ?? 0) & 0x3f) | 0x80).toString(16);
  const tail = variant + random.toString('hex', 1);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${part}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
