// When a digest is sent: in the morning of the company, once for the day or the week.
import { addDays, isTimeZone, localDateFromHour } from '../../../kernel/local-date.js';

const FROM_HOUR = 7;
const DAYS_IN_WEEK = 7;

/**
 * The digests of an instant. A day begins at seven, a week on Monday at seven; what was due while nothing ran is sent later that day
 * or week.
 * @param timeZone IANA name; one that is not known counts as UTC
 * @returns local dates: the day, and the Monday of its week
 */
export function digestsAt(instant: Date, timeZone: string): { readonly day: string; readonly week: string } {
  const day = localDateFromHour(FROM_HOUR, instant, isTimeZone(timeZone) ? timeZone : 'UTC');
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + DAYS_IN_WEEK - 1) % DAYS_IN_WEEK;
  return { day, week: addDays(day, -sinceMonday) };
}
