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
