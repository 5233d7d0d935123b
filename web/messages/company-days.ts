const DAY_MS = 86_400_000;

/**
 * @param zone IANA name; undefined: the reader's
 * @returns by how many milliseconds its clocks are ahead of UTC at that moment
 */
function aheadOfUtc(at: number, zone: string | undefined): number {
  const format = new Intl.DateTimeFormat('sv', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at;
}

/**
 * @param day as YYYY-MM-DD
 * @param zone IANA name; undefined: the reader's
 * @returns the instant at which the day begins there, so many days later
 */
export function startOfDay(day: string, zone: string | undefined, daysLater = 0): string {
  const midnight = Date.parse(`${day}T00:00:00Z`) + daysLater * DAY_MS;
  // What the clocks show at the first guess may be an hour off where they change in that night.
  const guess = midnight - aheadOfUtc(midnight, zone);
  return new Date(midnight - aheadOfUtc(guess, zone)).toISOString();
}

/** Of a day before it the year is still being typed. */
const FIRST_YEAR = '1000';

/** @returns the day as it is written; empty for a text that is no day of the calendar, as an address may have it */
export function dayOrNone(text: string): string {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && text >= FIRST_YEAR && new Date(at).toISOString() === `${text}T00:00:00.000Z` ? text : '';
}

/** @returns the month so many later, as YYYY-MM */
export function monthLater(month: string, later: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + later, 1)).toISOString().slice(0, 7);
}

/** UTC+14: no calendar on earth is ahead of it. */
const MAX_AHEAD_OF_UTC_MS = 14 * 3_600_000;

/** @returns the latest month that has begun anywhere on earth, as YYYY-MM */
export function latestMonth(now: Date): string {
  return new Date(now.getTime() + MAX_AHEAD_OF_UTC_MS).toISOString().slice(0, 7);
}

/**
 * @param months newest first
 * @returns the newest that has begun; the newest of all where none has
 */
export function newestBegun(months: readonly { readonly month: string }[], latest: string): string | undefined {
  return (months.find(({ month }) => month <= latest) ?? months[0])?.month;
}
