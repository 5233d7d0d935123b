interface Progress {
  readonly startedAt: string | null;
  readonly numberOfItems: number;
  readonly successful: number;
  readonly failed: number;
}

/** So few tell nothing about the pace. */
const MIN_DONE = 20;
const MIN_ELAPSED_MS = 5_000;

/**
 * The clock of a reader's device may be wrong by minutes.
 * @returns the platform's time when that was read, in milliseconds since 1970
 */
export function platformTime({
  expiresAt,
  secondsLeft,
}: {
  readonly expiresAt: string;
  readonly secondsLeft: number;
}): number {
  return Date.parse(expiresAt) - secondsLeft * 1_000;
}

/**
 * @param now in milliseconds since 1970
 * @returns when the export ends at its pace so far, in milliseconds since 1970; undefined: too early to say, or all is done
 */
export function expectedEnd(job: Progress, now: number): number | undefined {
  const { startedAt, numberOfItems, successful, failed } = job;
  const done = successful + failed;
  const elapsed = startedAt === null ? 0 : now - Date.parse(startedAt);
  if (done < MIN_DONE || done >= numberOfItems || elapsed < MIN_ELAPSED_MS) {
    return undefined;
  }
  return now + (elapsed / done) * (numberOfItems - done);
}
