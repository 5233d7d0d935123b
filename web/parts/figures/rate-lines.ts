// The uploaded exchange rates line by line: the API takes and gives all of them as one file.

import { mayBeThousands } from './typed-number.js';

/** How much of `to` one `from` is worth on that day: decimal text with a point. */
export interface Rate {
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly rate: string;
}

/** @param csv as the API gives it: without quotes, each heading at its place */
export function ratesOf(csv: string): readonly Rate[] {
  return csv
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const [date = '', from = '', to = '', rate = ''] = line.split(',');
      return { date, from, to, rate };
    });
}

export function csvOfRates(rates: readonly Rate[]): string {
  return ['date,from,to,rate', ...rates.map(({ date, from, to, rate }) => `${date},${from},${to},${rate}`)]
    .map((line) => `${line}\n`)
    .join('');
}

/** One rate stands there for a day and two currencies. */
export const keyOfRate = ({ date, from, to }: Omit<Rate, 'rate'>): string => `${date} ${from} ${to}`;

export function rateLike(rates: readonly Rate[], wanted: Omit<Rate, 'rate'>): Rate | undefined {
  return rates.find((one) => keyOfRate(one) === keyOfRate(wanted));
}

/** In the place of the one of the same day and currencies, where there is one. */
export function withRate(rates: readonly Rate[], added: Rate): readonly Rate[] {
  return [...withoutRate(rates, added), added];
}

export function withoutRate(rates: readonly Rate[], removed: Omit<Rate, 'rate'>): readonly Rate[] {
  return rates.filter((one) => keyOfRate(one) !== keyOfRate(removed));
}

/**
 * @param groupMark that stands between thousands in the reader's language
 * @returns a rate as people type it, with comma or point, as the API takes it; undefined when it is not a rate, or may be one of
 *   thousands
 */
export function rateTyped(text: string, groupMark: string | undefined): string | undefined {
  const rate = text.trim().replace(',', '.');
  return !mayBeThousands(text.trim(), groupMark) && /^\d{1,20}(\.\d{1,20})?$/.test(rate) && /[1-9]/.test(rate)
    ? rate
    : undefined;
}

const REFERENCE = /^rate:([A-Z]{3})-([A-Z]{3})-(\d{4}-\d\d-\d\d)$/i;

/** @returns which rate an issue misses, by its key; undefined when the key names none */
export function missingRate(issueKey: string): Omit<Rate, 'rate'> | undefined {
  const [, from = '', to = '', date] = REFERENCE.exec(issueKey) ?? [];
  return date === undefined ? undefined : { date, from: from.toUpperCase(), to: to.toUpperCase() };
}
