/** Distinguishes a new error from one that is met again and again: each kind of task meets the same one at the same moment. */
export class RepeatedErrors {
  private last: { readonly message: string; readonly atMs: number } | undefined;

  /** @param quietMs for so long after an error the same one is no news */
  constructor(private readonly quietMs: number) {}

  /**
   * @param nowMs of a clock that only goes forward
   * @returns whether the error is worth a line in the log
   */
  isNew({ message }: Error, nowMs: number): boolean {
    const isRepeated = this.last?.message === message && nowMs - this.last.atMs < this.quietMs;
    if (!isRepeated) {
      this.last = { message, atMs: nowMs };
    }
    return !isRepeated;
  }
}
