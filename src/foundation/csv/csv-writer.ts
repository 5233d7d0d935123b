// CSV by RFC 4180, safe to open in a spreadsheet. Every CSV file of a program is written here.
import { stringify } from 'csv-stringify/sync';
import { addFormulaGuard } from './formula-guard.js';

/** Text gets the formula guard; a figure stays a number, provided that it is a plain decimal number. */
export type CsvCell = string | { readonly figure: string };

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;
// Some readers trim blanks, and the spreadsheets of many countries split at semicolons.
const QUOTED_TOO = /[;\s]/;

/**
 * @param rows the header line first
 * @param isFragile names further text that spreadsheets damage; it is written with the apostrophe of the guard too
 * @returns the whole file; every line ends with CRLF
 */
export function writeCsv(
  rows: readonly (readonly CsvCell[])[],
  isFragile: (text: string) => boolean = () => false,
): string {
  const written = (cell: CsvCell): string => {
    if (typeof cell !== 'string') {
      return PLAIN_DECIMAL.test(cell.figure) ? cell.figure : addFormulaGuard(cell.figure);
    }
    return isFragile(cell) ? `'${cell}` : addFormulaGuard(cell);
  };
  return stringify(
    rows.map((row) => row.map(written)),
    { record_delimiter: '\r\n', quoted_match: QUOTED_TOO },
  );
}
