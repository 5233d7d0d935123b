/**
 * Reads `Retry-After` in both forms of RFC 9110 §10.2.3: seconds, or a date.
 * @param now by the clock of who sent it
 * @returns milliseconds to wait; undefined when it is missing or cannot be read
 */
export function retryAfterMs(header: string | null | undefined, now: Date): number | undefined {
  if (header === undefined || header === null) {
    return undefined;
  }
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** An error that says how long the other side asks to be left alone. */
interface RequestsPause {
  /** Milliseconds; undefined when it has asked for nothing. */
  readonly retryAfterMs: number | undefined;
}

/** @returns milliseconds that the other side asked for with this error, 0 without */
export function requestedPauseMs(error: unknown): number {
  return error instanceof Error && requestsPause(error) ? (error.retryAfterMs ?? 0) : 0;
}

function requestsPause(error: Error): error is Error & RequestsPause {
  return 'retryAfterMs' in error && (error.retryAfterMs === undefined || typeof error.retryAfterMs === 'number');
}
