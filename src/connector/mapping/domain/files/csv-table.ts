// Pure: CSV by RFC 4180, with any line break, read into cells and written from them. What the cells mean is decided elsewhere.

export type Delimiter = ',' | ';' | '\t';

export interface CsvRow {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type CsvTable =
  | { readonly rows: readonly CsvRow[] }
  | { readonly line: number; readonly column: number; readonly code: CsvFault; readonly detail: string };

type CsvFault = 'unbalanced-quote' | 'misplaced-quote' | 'too-long' | 'too-many-columns' | 'too-many-rows';

export interface CsvLimits {
  /** Characters of a cell. */
  readonly cell: number;
  readonly columns: number;
  /** With the header line. */
  readonly rows: number;
}

// Also in full-width letters, and behind blanks, which spreadsheets pass over (CWE-1236).
const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r])/u;

class Fault extends Error {
  constructor(
    readonly code: CsvFault,
    readonly line: number,
    readonly column: number,
    detail: string,
  ) {
    super(detail);
  }
}

/** Whether a spreadsheet that opens the file would compute the cell; written with an apostrophe before it, it does not. */
export function beginsLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** Lines without any text are left out. */
export function readCsv(text: string, delimiter: Delimiter, limits: CsvLimits): CsvTable {
  try {
    return { rows: new CsvReader(text, delimiter, limits).rows() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { line, column, code, message } = error;
    return { line, column, code, detail: message };
  }
}

/** @returns a line of the file, with its line break */
export function writeCsvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",;\s]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Goes through the text once, by the ends of cells and lines, never back. */
class CsvReader {
  private at = 0;
  private line = 1;
  private readonly plainEnd: RegExp;

  constructor(
    private readonly text: string,
    private readonly delimiter: Delimiter,
    private readonly limits: CsvLimits,
  ) {
    this.plainEnd = new RegExp(`[${delimiter}"\\r\\n]|$`, 'g');
  }

  /**
   * Rows with at least one cell that is not blank, the header among them.
   * @throws Fault at the first place that is no CSV, or beyond a limit
   */
  rows(): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    while (this.at < this.text.length) {
      const row = this.row();
      if (row.cells.every((cell) => cell.trim() === '')) continue;
      rows.push(row);
      if (rows.length > this.limits.rows) {
        const most = (this.limits.rows - 1).toString();
        throw new Fault('too-many-rows', row.line, 1, `The file has more than ${most} rows: split it.`);
      }
    }
    return rows;
  }

  private row(): CsvRow {
    const { line } = this;
    const cells: string[] = [];
    for (;;) {
      const column = cells.length + 1;
      if (column > this.limits.columns) {
        const most = this.limits.columns.toString();
        throw new Fault(
          'too-many-columns',
          line,
          column,
          `Line ${line.toString()} has more than ${most} cells.`,
        );
      }
      cells.push(this.cell(column));
      if (this.text[this.at] !== this.delimiter) break;
      this.at += 1;
    }
    this.skipLineBreak();
    return { line, cells };
  }

  private cell(column: number): string {
    const { line } = this;
    const cell = this.text[this.at] === '"' ? this.quotedCell(column) : this.plainCell(column);
    if (cell.length > this.limits.cell) {
      const most = this.limits.cell.toString();
      throw new Fault('too-long', line, column, `The cell has more than ${most} characters.`);
    }
    return cell;
  }

  private plainCell(column: number): string {
    const end = this.endOfPlain();
    if (this.text[end] === '"') {
      throw new Fault(
        'misplaced-quote',
        this.line,
        column,
        'A quote stands in the middle of the cell: put the whole cell in quotes and write each quote in it twice.',
      );
    }
    const cell = this.text.slice(this.at, end);
    this.at = end;
    return cell;
  }

  private quotedCell(column: number): string {
    const opened = this.line;
    let cell = '';
    for (;;) {
      const close = this.text.indexOf('"', this.at + 1);
      if (close < 0) {
        throw new Fault('unbalanced-quote', opened, column, 'The quote that opens here is never closed.');
      }
      const part = this.text.slice(this.at + 1, close);
      this.line += part.match(/\r\n|\r|\n/g)?.length ?? 0;
      cell += part;
      this.at = close + 1;
      if (this.text[this.at] !== '"') break;
      cell += '"';
    }
    if (this.endOfPlain() !== this.at) {
      throw new Fault(
        'misplaced-quote',
        this.line,
        column,
        'Something stands behind the closing quote: write a quote within a cell twice.',
      );
    }
    return cell;
  }

  private endOfPlain(): number {
    this.plainEnd.lastIndex = this.at;
    return this.plainEnd.exec(this.text)?.index ?? this.text.length;
  }

  private skipLineBreak(): void {
    if (this.text[this.at] === undefined) return;
    this.at += this.text.startsWith('\r\n', this.at) ? 2 : 1;
    this.line += 1;
  }
}
