// The exchange rates that an administrator uploads for an accounting system that has none: CSV with the headings date, from,
// to, rate.
import { readCsv } from '../../../foundation/csv/csv-reader.js';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { formatDecimal, parseDecimal } from '../../../kernel/decimal.js';
import { message, type Message } from '../../../kernel/message.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import { MAX_RATES } from '../domain/rate-table.js';

const HEADINGS = ['date', 'from', 'to', 'rate'] as const;

/** The first mistake of a file. */
export interface RateFileProblem {
  /** From 1. */
  readonly line: number;
  /** Its text wants the line, too. */
  readonly detail: Message;
}

/** @returns the rates in the order of the file */
export function readRateFile(text: string): readonly ExchangeRate[] | RateFileProblem {
  const plain = text.replace(/^\uFEFF/, '');
  const [firstLine = ''] = plain.split(/[\r\n]/);
  const table = readCsv(plain, firstLine.includes(';') ? ';' : ',', { cell: 60, columns: 4, rows: MAX_RATES + 1 });
  if (!('rows' in table)) {
    return { line: table.line, detail: message(`problem.invalid-rates.${table.code}`) };
  }
  const [heading, ...rows] = table.rows;
  const names = heading?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  if (names.length !== HEADINGS.length || !HEADINGS.every((name) => names.includes(name))) {
    return {
      line: heading?.line ?? 1,
      detail: message('problem.invalid-rates.headings', { headings: HEADINGS.join(',') }),
    };
  }
  const rates = new Map<string, ExchangeRate>();
  for (const { line, cells } of rows) {
    const cellOf = (name: (typeof HEADINGS)[number]) => cells[names.indexOf(name)]?.trim() ?? '';
    const rate = rateOf(cellOf);
    if ('code' in rate) {
      return { line, detail: rate };
    }
    const key = `${rate.date} ${rate.from} ${rate.to}`;
    if (rates.has(key)) {
      const { from, to, date } = rate;
      return { line, detail: message('problem.invalid-rates.twice', { from, to, date }) };
    }
    rates.set(key, rate);
  }
  return [...rates.values()];
}

/** @returns a message when a cell is wrong */
function rateOf(cellOf: (name: (typeof HEADINGS)[number]) => string): ExchangeRate | Message {
  const date = parseLocalDate(cellOf('date'));
  if (date === undefined) {
    return message('problem.invalid-rates.date', { text: cellOf('date') });
  }
  const [from, to] = [currencyOf(cellOf('from')), currencyOf(cellOf('to'))];
  if (from === undefined || to === undefined || from === to) {
    return message('problem.invalid-rates.currencies', { from: cellOf('from'), to: cellOf('to') });
  }
  const text = cellOf('rate');
  const rate = /^\d{1,20}(\.\d{1,20})?$/.test(text) ? parseDecimal(text) : undefined;
  return rate === undefined || rate.coefficient <= 0n
    ? message('problem.invalid-rates.rate', { text, from, to })
    : { date, from, to, rate: formatDecimal(rate) };
}

function currencyOf(text: string): CurrencyCode | undefined {
  return /^[A-Z]{3}$/.test(text) ? parseCurrency(text) : undefined;
}
