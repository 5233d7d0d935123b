// Tables as CSV: RFC 4180 in UTF-8, safe to open in a spreadsheet. How cells are written stands here and nowhere else.
import { mainUnits } from './main-units.js';

/** One column: its name in the header line, and the cell of a row as it is written. */
export interface Column<Row, Body> {
  readonly name: string;
  readonly cell: (row: Row, body: Body) => string;
}

/** How an answer becomes a file. */
export interface Sheet<Body> {
  /** Without extension; letters, digits and hyphens. */
  readonly fileName: (body: Body) => string;
  /** The whole file. */
  readonly write: (body: Body) => string;
}

type Of<Row, Body, Value> = (row: Row, body: Body) => Value;
type Value = string | number | bigint | boolean | null | undefined;

/**
 * @param parts.rows the rows of an answer
 * @returns the answer as a file: a header line and a line per row
 */
export function sheet<Body, Row>(parts: {
  readonly fileName: (body: Body) => string;
  readonly rows: (body: Body) => readonly Row[];
  readonly columns: readonly Column<Row, Body>[];
}): Sheet<Body> {
  const { columns } = parts;
  const header = columns.map(({ name }) => name);
  return {
    fileName: parts.fileName,
    write: (body) =>
      [header, ...parts.rows(body).map((row) => columns.map(({ cell }) => cell(row, body)))]
        .map((cells) => `${cells.join(',')}\r\n`)
        .join(''),
  };
}

/** A column of text that somebody may have typed. */
export function text<Row, Body>(name: string, of: Of<Row, Body, Value>): Column<Row, Body> {
  return { name, cell: (row, body) => quoted(neutralizeFormula(written(of(row, body)))) };
}

/** A column of whole numbers and such, which may start with a minus. */
export function figure<Row, Body>(name: string, of: Of<Row, Body, Value>): Column<Row, Body> {
  const plain = /^-?\d+(\.\d+)?$/;
  return {
    name,
    cell: (row, body) => {
      const value = written(of(row, body));
      return plain.test(value) ? value : quoted(neutralizeFormula(value));
    },
  };
}

/**
 * An amount in two columns: `<name>Minor` in minor units, and `<name>` in main units with the currency's digits.
 * @param minorOf minor units as text
 * @param currencyOf ISO 4217
 */
export function money<Row, Body>(
  name: string,
  minorOf: Of<Row, Body, string | null>,
  currencyOf: Of<Row, Body, string>,
): readonly Column<Row, Body>[] {
  return [
    figure(`${name}Minor`, minorOf),
    figure(name, (row, body) => {
      const minor = minorOf(row, body);
      return minor === null ? null : mainUnits(BigInt(minor), currencyOf(row, body));
    }),
  ];
}

function written(value: Value): string {
  return value === null || value === undefined ? '' : value.toString();
}

/**
 * Spreadsheets run what starts like a formula (CWE-1236), also behind blanks and in full-width letters. Such a text gets
 * an apostrophe, and so does one that has an apostrophe already: whoever reads takes one off.
 */
function neutralizeFormula(value: string): string {
  return /^[\s\p{Cc}\p{Cf}]*['=+\-@＝＋－＠]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",;\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
