import { Clock } from '../../../../src/kernel/clock.js';

/** Time that stands still but for what a test moves; waiting takes none of it. */
export class FakeClock extends Clock {
  private at = new Date('2026-02-10T12:00:00Z');

  override now(): Date {
    return this.at;
  }

  override monotonicMs(): number {
    return this.at.getTime();
  }

  override async sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    // A turn of the event loop, so that a loop of waits lets others work.
    await new Promise((resolve) => setImmediate(resolve));
  }

  passMinutes(minutes: number): void {
    this.at = new Date(this.at.getTime() + minutes * 60_000);
  }
}
