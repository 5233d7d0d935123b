// When a company is reconciled by schedule: in its run window, at night in its own time zone.
import { addDays, localDateFromHour, type LocalDate } from '../../../kernel/local-date.js';

/** The hour of the company's day at which a run window begins. */
const WINDOW_START_HOUR = 2;
const HOUR_MS = 3_600_000;
/** No zone is further ahead of UTC. */
export const FURTHEST_AHEAD_HOURS = 14;
/** Hours in which the start of a window is searched: every zone's two o'clock, also in a night without that hour. */
const SEARCHED_HOURS = 30;

/** @returns the day of the current run window: until two at night that is the day before */
export function windowDayAt(instant: Date, timeZone: string): LocalDate {
  return localDateFromHour(WINDOW_START_HOUR, instant, timeZone);
}

/**
 * @param windowDay day of the current run window
 * @param timeZone IANA name
 * @returns the start of the next one, to the quarter of an hour
 * @throws RangeError when the zone has no such day
 */
export function nextWindowStart(windowDay: LocalDate, timeZone: string): Date {
  const next = addDays(windowDay, 1);
  const earliest = Date.parse(`${next}T00:00:00Z`) - FURTHEST_AHEAD_HOURS * HOUR_MS;
  const quarter = HOUR_MS / 4;
  for (let at = earliest; at < earliest + 2 * SEARCHED_HOURS * HOUR_MS; at += quarter) {
    if (windowDayAt(new Date(at), timeZone) >= next) {
      return new Date(at);
    }
  }
  throw new RangeError(`the day ${next} does not begin in ${timeZone}`);
}
