// CSV by RFC 4180, with any line break, read into cells within bounds. What the cells mean is decided by the caller.
import { CsvError, parse } from 'csv-parse/sync';

export type CsvDelimiter = ',' | ';' | '\t';

export interface CsvRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  /** As they stand in the file, with the formula guard of cells that have one. */
  readonly cells: readonly string[];
}

export type CsvTable = { readonly rows: readonly CsvRow[] } | CsvProblem;

/** The first problem of a file. */
export interface CsvProblem {
  /** Line on which the row with the problem begins, from 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly code:
    | 'unbalanced-quote'
    | 'misplaced-quote'
    | 'too-long'
    | 'too-many-columns'
    | 'too-many-rows'
    | 'wrong-number-of-cells';
  /** What is wrong and what to do about it. */
  readonly detail: string;
  /** Of cells, characters, columns or rows: more of them are refused. */
  readonly limit?: number;
}

export interface CsvLimits {
  /** Characters of a cell. */
  readonly cell: number;
  readonly columns: number;
  /** With the header line, and with blank rows that are not empty lines. */
  readonly rows: number;
}

const CR = 13;
const LF = 10;

const QUOTE_PROBLEMS = new Map<string, Pick<CsvProblem, 'code' | 'detail'>>([
  ['CSV_QUOTE_NOT_CLOSED', { code: 'unbalanced-quote', detail: 'The quote that opens here is never closed.' }],
  [
    'INVALID_OPENING_QUOTE',
    {
      code: 'misplaced-quote',
      detail:
        'A quote stands in the middle of the cell: put the whole cell in quotes and write each quote in it twice.',
    },
  ],
  [
    'CSV_INVALID_CLOSING_QUOTE',
    {
      code: 'misplaced-quote',
      detail: 'Something stands behind the closing quote: write a quote within a cell twice.',
    },
  ],
]);

/** The parser builds an error for each uneven row, which costs far more than the row; see the spec on hostile files. */
const MAX_UNEVEN_ROWS = 1_000;

/**
 * @param text the whole file, decoded and bounded in size by the caller
 * @returns the rows with at least one cell that is not blank, the header among them; or the first problem
 */
export function readCsv(text: string, delimiter: CsvDelimiter, limits: CsvLimits): CsvTable {
  const bytes = Buffer.from(text);
  const collector = new RowCollector(bytes, limits);
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells, { bytes: end, error }: { readonly bytes: number; readonly error: CsvError | undefined }) =>
        collector.add(cells, end, error !== undefined),
    });
  } catch (error) {
    if (error instanceof LimitExceeded) return error.problem;
    const problem = error instanceof CsvError ? QUOTE_PROBLEMS.get(error.code) : undefined;
    if (!(error instanceof CsvError) || problem === undefined) throw error;
    return { line: collector.beginRow(), column: Number(error['column']) + 1, ...problem };
  }
  return { rows: collector.rows };
}

/** Carries a problem out of the parser and stops it. */
class LimitExceeded extends Error {
  constructor(readonly problem: CsvProblem) {
    super(problem.detail);
  }
}

/** Takes rows from the parser, with their lines: the parser's own count takes a CRLF within quotes for two. */
class RowCollector {
  readonly rows: CsvRow[] = [];
  private line = 1;
  private position = 0;
  private rowCount = 0;
  private unevenCount = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: CsvLimits,
  ) {}

  /** @returns the line of the next row, behind empty lines */
  beginRow(): number {
    let start = this.position;
    while (this.bytes[start] === CR || this.bytes[start] === LF) start += 1;
    this.advanceTo(start);
    return this.line;
  }

  /**
   * @param end first byte behind the row
   * @returns null: the parser need not keep the row
   * @throws LimitExceeded
   */
  add(cells: readonly string[], end: number, isUneven: boolean): null {
    const line = this.beginRow();
    this.advanceTo(end);
    this.rowCount += 1;
    this.unevenCount += isUneven ? 1 : 0;
    const problem = this.exceededLimit(cells);
    if (problem !== undefined) throw new LimitExceeded({ line, ...problem });
    if (cells.some((cell) => cell.trim() !== '')) this.rows.push({ line, cells });
    return null;
  }

  private advanceTo(end: number): void {
    for (; this.position < end; this.position += 1) {
      const byte = this.bytes[this.position];
      if (byte === LF || (byte === CR && this.bytes[this.position + 1] !== LF)) this.line += 1;
    }
  }

  private exceededLimit(cells: readonly string[]): Omit<CsvProblem, 'line'> | undefined {
    const { columns, rows, cell: length } = this.limits;
    if (this.rowCount > rows) {
      const detail = `The file has more than ${(rows - 1).toString()} rows: split it.`;
      return { column: 1, code: 'too-many-rows', detail, limit: rows - 1 };
    }
    if (cells.length > columns) {
      const detail = `The line has more than ${columns.toString()} cells.`;
      return { column: columns + 1, code: 'too-many-columns', detail, limit: columns };
    }
    const tooLong = cells.findIndex((cell) => cell.length > length);
    if (tooLong !== -1) {
      const detail = `The cell has more than ${length.toString()} characters.`;
      return { column: tooLong + 1, code: 'too-long', detail, limit: length };
    }
    if (this.unevenCount > MAX_UNEVEN_ROWS) {
      const detail = `More than ${MAX_UNEVEN_ROWS.toString()} lines have another number of cells than the first line: put cells that have a delimiter in them into quotes.`;
      return { column: 1, code: 'wrong-number-of-cells', detail, limit: MAX_UNEVEN_ROWS };
    }
    return undefined;
  }
}
