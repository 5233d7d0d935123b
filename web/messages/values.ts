// Numbers and dates that the API gives as text, as the reader writes them.
import { locale } from './language.js';
import { isInstant, shownDay, shownMonth, shownTime } from './text.js';

/** By digits after the point: making one costs more than a hundred uses. */
const formats = new Map<number, Intl.NumberFormat>();

/** @param decimal with a point; every digit of it is shown, none becomes floating */
export function shownDecimal(decimal: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, format);
  return format.format(decimal as `${number}`);
}

export const shownCount = (count: number): string => shownDecimal(count.toString());

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** @returns a moment, a day or a month as people write it; undefined for every other text */
export function shownWhen(text: string): string | undefined {
  if (isInstant(text)) {
    return shownTime(text);
  }
  return DAY.test(text) ? shownDay(text) : MONTH.test(text) ? shownMonth(text) : undefined;
}
