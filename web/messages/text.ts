// The words of the page, in ICU message format. Both files have the same keys: a test compares them.
import { IntlMessageFormat } from 'intl-messageformat';
import english from './en.json' with { type: 'json' };
import { language, locale } from './language.js';

export type MessageKey = keyof typeof english;
type Values = Readonly<Record<string, string | number | Date>>;

let messages: Readonly<Record<MessageKey, string>> = english;

/** Before the first text. */
export async function loadMessages(): Promise<void> {
  if (language() === 'de') {
    messages = (await import('./de.json', { with: { type: 'json' } })).default;
  }
}

/** @param read the messages of the reader's language, when they are loaded */
export function wordsOf<Key extends string>(
  read: () => Readonly<Record<Key, string>>,
): (key: Key, values?: Values) => string {
  const formats = new Map<Key, IntlMessageFormat>();
  return (key, values = {}) => {
    const format = formats.get(key) ?? new IntlMessageFormat(read()[key], locale());
    formats.set(key, format);
    return String(format.format(values));
  };
}

export const t = wordsOf(() => messages);

/** Words for a value of the API that may be newer than this page: then the value itself. */
export function word(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in messages ? t(key as MessageKey) : value;
}

let companyTimeZone: string | undefined;

/** @param timeZone of the company, as the accounting system names it; undefined: the reader's */
export function setTimeZone(timeZone: string | null | undefined): void {
  if (companyTimeZone !== (timeZone ?? undefined)) {
    companyTimeZone = timeZone ?? undefined;
    timeFormat = undefined;
  }
}

/** @returns the company's time zone; undefined: the reader's */
export function companyZone(): string | undefined {
  return companyTimeZone;
}

/** Date and time, in the company's time zone; where it is not the reader's, the zone stands with it. */
export function shownTime(at: string): string {
  timeFormat ??= newTimeFormat();
  return timeFormat.format(new Date(at));
}

let timeFormat: Intl.DateTimeFormat | undefined;

function newTimeFormat(): Intl.DateTimeFormat {
  const isOther =
    companyTimeZone !== undefined && companyTimeZone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return new Intl.DateTimeFormat(locale(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(companyTimeZone === undefined ? {} : { timeZone: companyTimeZone }),
    ...(isOther ? { timeZoneName: 'short' } : {}),
  });
}

/** Hour and minute, in the company's time zone. */
export function shownHour(at: string): string {
  const zone = companyTimeZone === undefined ? {} : { timeZone: companyTimeZone };
  return new Intl.DateTimeFormat(locale(), { ...zone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Whether a text is a moment, with its zone. */
export const isInstant = (text: string): boolean => INSTANT.test(text);

/** @returns the company's day of a moment, as YYYY-MM-DD */
export function dayOf(at: string): string {
  const zone = companyTimeZone === undefined ? {} : { timeZone: companyTimeZone };
  return new Intl.DateTimeFormat('sv', { ...zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  );
}

/** @param day as YYYY-MM-DD, the same day everywhere */
export function shownDay(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** @param month as YYYY-MM */
export function shownMonth(month: string): string {
  const format = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale(), format).format(new Date(`${month}-01`));
}
