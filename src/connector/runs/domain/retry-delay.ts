/** Seconds between the attempts at something that failed: the first pause, doubled after each attempt, up to the longest. */
export interface BackOff {
  readonly firstSeconds: number;
  readonly maxSeconds: number;
}

/**
 * @param attempts failed in a row, at least 1
 * @param retryAfterSeconds of the other side's `Retry-After`, 0 without one; never cut short
 * @returns seconds until the next attempt
 */
export function retryDelaySeconds(
  { firstSeconds, maxSeconds }: BackOff,
  attempts: number,
  retryAfterSeconds = 0,
): number {
  return Math.max(retryAfterSeconds, Math.min(maxSeconds, firstSeconds * 2 ** (attempts - 1)));
}
