// Responses as tables: the columns of a report, and its file.
import { writeCsv, type CsvCell } from '../../../foundation/csv/csv-writer.js';
import { mainUnits } from './main-units.js';

export interface Column<Row, Body> {
  /** In the header line. */
  readonly name: string;
  readonly cell: (row: Row, body: Body) => CsvCell;
}

/** How a response becomes a CSV file. */
export interface Sheet<Body> {
  /** Without extension; letters, digits and hyphens. */
  readonly fileName: (body: Body) => string;
  /** The whole file. */
  readonly write: (body: Body) => string;
}

type Of<Row, Body, Value> = (row: Row, body: Body) => Value;
type Value = string | number | bigint | boolean | null | undefined;

/** @param parts.rows the rows of a response; each becomes a line after the header line */
export function sheet<Body, Row>(parts: {
  readonly fileName: (body: Body) => string;
  readonly rows: (body: Body) => readonly Row[];
  readonly columns: readonly Column<Row, Body>[];
}): Sheet<Body> {
  const { columns, fileName, rows } = parts;
  const header = columns.map(({ name }) => name);
  const cellsOf = (row: Row, body: Body) => columns.map(({ cell }) => cell(row, body));
  return { fileName, write: (body) => writeCsv([header, ...rows(body).map((row) => cellsOf(row, body))]) };
}

/** A column of text. */
export function text<Row, Body>(name: string, of: Of<Row, Body, Value>): Column<Row, Body> {
  return { name, cell: (row, body) => of(row, body)?.toString() ?? '' };
}

/** A column of plain decimal numbers; a minus sign does not count as a formula. */
export function figure<Row, Body>(name: string, of: Of<Row, Body, Value>): Column<Row, Body> {
  return { name, cell: (row, body) => ({ figure: of(row, body)?.toString() ?? '' }) };
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
