import { SystemClock } from '../../../src/foundation/clock/system-clock.js';

/** Waits in virtual time, so that the longest wait of a caller takes no time; counts the waits. */
export class ImpatientClock extends SystemClock {
  private elapsedMs = 0;
  private waits = 0;
  private readonly watchers: (readonly [waits: number, notify: () => void])[] = [];

  /** @param whileWaiting what happens elsewhere during each wait */
  constructor(private readonly whileWaiting: () => Promise<unknown> = nextTurn) {
    super();
  }

  override monotonicMs(): number {
    return this.elapsedMs;
  }

  override async sleep(ms: number): Promise<void> {
    this.elapsedMs += ms;
    this.waits += 1;
    for (const [waits, notify] of this.watchers) {
      if (this.waits >= waits) {
        notify();
      }
    }
    await this.whileWaiting();
  }

  /** Resolves once all callers together have waited so often. */
  async hasWaited(times: number): Promise<void> {
    return new Promise((resolve) => this.watchers.push([times, resolve]));
  }
}

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
