import type { Clock } from '../../kernel/clock.js';

const CHECK_EVERY_MS = 5_000;
/** Longer than every time-out of a connection: what recovers by itself has recovered by then. */
const MAX_SILENCE_MS = 60_000;

/**
 * Sees whether a worker still does its work, and ends the process when it does not: a connection may have died in a way that
 * nothing in the process notices. Its supervisor starts another; the leases let that one go on.
 */
export class HeartbeatWatch {
  private beating: Promise<void> | undefined;
  private lastMark: unknown;
  private lastBeatMs: number;

  /**
   * @param beat does what the worker cannot work without
   * @param markOf changes while the worker works; undefined: nothing can be said by it
   * @param end is called with the reason, and does not return
   */
  constructor(
    private readonly clock: Clock,
    private readonly beat: () => Promise<void>,
    private readonly markOf: () => unknown,
    private readonly end: (reason: Error) => void,
  ) {
    this.lastBeatMs = clock.monotonicMs();
  }

  /** @returns what stops it */
  start(): () => void {
    const timer = setInterval(() => {
      this.check();
    }, CHECK_EVERY_MS);
    return () => {
      clearInterval(timer);
    };
  }

  /** Never waits: a heartbeat that hangs is the one it looks for. */
  check(): void {
    this.beating ??= this.beat()
      .then(() => {
        this.record();
      })
      .catch(() => undefined)
      .finally(() => {
        this.beating = undefined;
      });
    const silentMs = this.clock.monotonicMs() - this.lastBeatMs;
    if (silentMs > MAX_SILENCE_MS) {
      this.end(new Error(`no heartbeat for ${Math.round(silentMs / 1_000).toString()} s`));
    }
  }

  private record(): void {
    const mark = this.markOf();
    if (mark === undefined || mark !== this.lastMark) {
      this.lastMark = mark;
      this.lastBeatMs = this.clock.monotonicMs();
    }
  }
}
