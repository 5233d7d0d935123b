declare const localDateBrand: unique symbol;

/** A calendar day 'YYYY-MM-DD' without a time zone. Comparing two with < and > compares the days. */
export type LocalDate = string & { readonly [localDateBrand]: true };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** @returns undefined unless the text is exactly 'YYYY-MM-DD' and such a day exists. */
export function parseLocalDate(text: string): LocalDate | undefined {
  return isLocalDate(text) ? text : undefined;
}

/**
 * The day it is in a time zone at an instant.
 *
 * @param timeZone IANA name such as "Europe/Copenhagen".
 * @throws RangeError for an unknown time zone, an invalid instant, or a year outside 1000–9999.
 */
export function localDateIn(instant: Date, timeZone: string): LocalDate {
  return dayOfHour(Math.floor(instant.getTime() / HOUR_MS), timeZone) ?? existing(wallTimeIn(instant, timeZone).day);
}

/**
 * The day it is in a time zone at an instant where days begin at an hour of its clocks, also when these were changed since midnight.
 *
 * @param hour 0 to 23
 * @throws RangeError as `localDateIn`
 */
export function localDateFromHour(hour: number, instant: Date, timeZone: string): LocalDate {
  const { day, second } = wallTimeIn(instant, timeZone);
  return addDays(existing(day), second < (hour * HOUR_MS) / 1_000 ? -1 : 0);
}

/**
 * What the clocks of a time zone show at an instant, to the millisecond: "2026-03-02T14:05:09.123".
 *
 * @throws RangeError as `localDateIn`
 */
export function localTimeIn(instant: Date, timeZone: string): string {
  const { day, second } = wallTimeIn(instant, timeZone);
  const time = new Date(second * 1_000 + instant.getUTCMilliseconds());
  return `${existing(day)}T${time.toISOString().slice(11, -1)}`;
}

/** Whether there is a time zone of this IANA name; an offset such as "+05:30" is none, and has another sign in databases. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** What a formatter says costs more than all else about an item, and the items of an export share their hours. */
const daysOfHours = new Map<string, LocalDate | undefined>();
const MAX_HOURS = 5_000;

/** @returns undefined for an hour (of UTC) of two days, or in which the clocks of the time zone are changed */
function dayOfHour(hour: number, timeZone: string): LocalDate | undefined {
  const key = `${hour.toString()} ${timeZone}`;
  if (daysOfHours.has(key)) {
    return daysOfHours.get(key);
  }
  const first = wallTimeIn(new Date(hour * HOUR_MS), timeZone);
  const last = wallTimeIn(new Date(hour * HOUR_MS + HOUR_MS - 1_000), timeZone);
  const isEven = first.day === last.day && last.second - first.second === HOUR_MS / 1_000 - 1;
  if (daysOfHours.size >= MAX_HOURS) {
    daysOfHours.clear();
  }
  const day = isEven ? parseLocalDate(first.day) : undefined;
  daysOfHours.set(key, day);
  return day;
}

/** The day, as far as it is one of four digits a year, and the second of that day, on the clocks of a time zone. */
function wallTimeIn(instant: Date, timeZone: string): { readonly day: string; readonly second: number } {
  const parts = new Map(
    formatterFor(timeZone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  return {
    day: `${parts.get('year') ?? ''}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`,
    second: (number('hour') * 60 + number('minute')) * 60 + number('second'),
  };
}

/** @throws RangeError when the day would lie outside the years 0001–9999. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return existing(new Date(startOf(date) + days * DAY_MS).toISOString().slice(0, 10));
}

// Building a formatter costs a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-GB-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

// No year 0: neither databases nor people have one.
const DAY_TEXT = /^(?!0000)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLocalDate(text: string): text is LocalDate {
  const [, year, month, day] = DAY_TEXT.exec(text) ?? [];
  if (year === undefined) return false;
  const isLeapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = month === '02' && isLeapYear ? 29 : DAYS_OF_MONTHS[Number(month) - 1];
  return Number(day) <= (days ?? 0);
}

function existing(text: string): LocalDate {
  if (!isLocalDate(text)) throw new RangeError(`no such day: ${text}`);
  return text;
}

function startOf(date: LocalDate): number {
  return Date.parse(date);
}
