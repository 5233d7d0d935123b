import { Clock } from '../../../../src/kernel/clock.js';

/** So much of the computer's time a wait takes; the renewal of a lease then comes every 5 ms. */
const SHARE_OF_A_WAIT = 1 / 500;
const MAX_WAIT_MS = 10;

/** Time that stands still but for what a test moves; waiting takes none of it. */
export class FakeClock extends Clock {
  private at = new Date('2026-02-10T12:00:00Z');
  private monotonic = 0;
  private readonly begun = new Map<number, number>();

  override now(): Date {
    return this.at;
  }

  override monotonicMs(): number {
    return this.monotonic;
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.begun.set(ms, (this.begun.get(ms) ?? 0) + 1);
    // At least a turn of the event loop, so that a loop of waits lets others work; what is repeated every few seconds, as a lease
    // is renewed, would else be repeated all the time, and keep the database from what is tested.
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms * SHARE_OF_A_WAIT, MAX_WAIT_MS)));
  }

  /** As they pass for a worker that is awake: what it renews every few seconds, a lease of its own, does not end meanwhile. */
  passMinutes(minutes: number): void {
    this.at = new Date(this.at.getTime() + minutes * 60_000);
  }

  /** As they pass for a process that was frozen, or for what counts time by the monotonic clock. */
  freezeMinutes(minutes: number): void {
    this.passMinutes(minutes);
    this.monotonic += minutes * 60_000;
  }

  /**
   * Returns when what is repeated every so many milliseconds has been done once from its beginning to its end: one round may
   * have been under way when this was called, so two are waited for. However slow the machine is, the round is complete.
   */
  async untilRepeated(ms: number): Promise<void> {
    const before = this.begun.get(ms) ?? 0;
    while ((this.begun.get(ms) ?? 0) < before + 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
