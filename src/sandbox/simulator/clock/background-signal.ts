import { Injectable } from '@nestjs/common';
import { SimulatorClock } from './simulator-clock.js';

/** Wakes the background work when something may have become due: a new notification, a moved clock. */
@Injectable()
export class BackgroundSignal {
  private pause = new AbortController();
  private wakeUps = 0;

  constructor(private readonly simulatorClock: SimulatorClock) {}

  wake(): void {
    this.wakeUps += 1;
    this.pause.abort();
  }

  /** The number of wake-ups so far, for `sleep`. */
  get count(): number {
    return this.wakeUps;
  }

  /**
   * Waits until the next wake-up.
   * @param ms longest pause in milliseconds
   * @param seen wake-ups that the caller knows of; a newer one ends the pause at once
   */
  async sleep(ms: number, seen: number): Promise<void> {
    if (seen === this.wakeUps) {
      this.pause = new AbortController();
      await this.simulatorClock.sleep(ms, this.pause.signal).catch(() => undefined);
    }
  }
}
