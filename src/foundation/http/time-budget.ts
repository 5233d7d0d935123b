/** The time that may be spent on waiting, in pieces. */
export class TimeBudget {
  private spentMs = 0;
  private expired = false;

  /** @param totalMs over all pieces */
  constructor(
    private readonly totalMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Whether a wait has taken too long. */
  get isExpired(): boolean {
    return this.expired;
  }

  get isAborted(): boolean {
    return this.signal.aborted;
  }

  /**
   * Waits for something that ends by itself some time; its result is dropped once the time is over.
   * @param ms for this piece
   * @throws the signal's reason, or an Error when the time is over
   */
  async waitAtMost<T>(ms: number, work: Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<never>();
    const began = performance.now();
    const timer = setTimeout(
      () => {
        this.expired = true;
        ended.reject(new Error('the time is over'));
      },
      Math.max(0, Math.min(ms, this.totalMs - this.spentMs)),
    );
    const stop = () => {
      ended.reject(this.signal.reason);
    };
    this.signal.addEventListener('abort', stop, { once: true });
    try {
      this.signal.throwIfAborted();
      return await Promise.race([work, ended.promise]);
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener('abort', stop);
      this.spentMs += performance.now() - began;
    }
  }
}
