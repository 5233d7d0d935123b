/** To one installation: a person who gets more reads none of them. */
export const MESSAGES_PER_HOUR = 12;

/**
 * Which waiting alerts go out together. Each has a message of its own while there is room; the last message of the hour
 * sums up whatever is left, and with no room they wait.
 * @param waiting oldest first
 * @param sentInLastHour messages made in the hour before now
 * @returns one list of alerts per message, oldest first
 */
export function planMessages<T>(waiting: readonly T[], sentInLastHour: number): readonly (readonly T[])[] {
  const room = MESSAGES_PER_HOUR - sentInLastHour;
  if (waiting.length === 0 || room <= 0) {
    return [];
  }
  const single = waiting.length < room ? waiting.length : room - 1;
  const rest = waiting.slice(single);
  return [...waiting.slice(0, single).map((one) => [one]), ...(rest.length === 0 ? [] : [rest])];
}

const MINUTE_MS = 60_000;
/** Pauses after each attempt; after the last pause follows the last attempt. */
const PAUSES_MS = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * MINUTE_MS);

/**
 * @param attempts so far, at least 1
 * @returns milliseconds until the next attempt; undefined when there is none
 */
export function pauseAfter(attempts: number): number | undefined {
  return PAUSES_MS[attempts - 1];
}
