import { Injectable } from '@nestjs/common';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import type { Caller } from './caller.js';

const MINUTE_MS = 60_000;

interface Minute {
  /** Which minute of the simulator's clock, since 1970. */
  readonly number: number;
  readonly taken: number;
}

/** How many requests each credential may make in a minute of the simulator's clock (P0.5). */
@Injectable()
export class RequestBudget {
  private perMinute: number | null = null;
  private readonly minutes = new Map<string, Minute>();

  constructor(private readonly simulatorClock: SimulatorClock) {}

  /** @param perMinute requests; null lifts the limit */
  setPerMinute(perMinute: number | null): void {
    this.perMinute = perMinute;
    this.minutes.clear();
  }

  /** @throws ApiError 429 whose `Retry-After` leads into the next minute */
  consume(caller: Pick<Caller, 'clientId' | 'resource'>): void {
    if (this.perMinute === null) {
      return;
    }
    const now = this.simulatorClock.now().getTime();
    const number = Math.floor(now / MINUTE_MS);
    const credential = `${caller.clientId} ${caller.resource}`;
    const current = this.minutes.get(credential);
    const taken = current?.number === number ? current.taken : 0;
    if (taken >= this.perMinute) {
      const seconds = Math.ceil(((number + 1) * MINUTE_MS - now) / 1000);
      throw new ApiError(429, 'TOO_MANY_REQUESTS', 'The credential has no requests left in this minute.', {
        'retry-after': seconds.toString(),
      });
    }
    this.minutes.set(credential, { number, taken: taken + 1 });
  }
}
