// A file of rules as the API takes it: CSV, whatever it was made with.
import type { SheetData } from 'read-excel-file/universal';
import { t } from '../../messages/text.js';
import { zeroFormatsOf } from './zero-formats.js';

const MAX_NAMED_CELLS = 10;
const MAX_WORKBOOK_KB = 500;
/** Ten thousand rules have a megabyte; more than this only fills the memory of the browser. */
const MAX_UNPACKED_BYTES = 20_000_000;
/** Of what a workbook consists of: pictures are not looked at. */
const IS_SHEET_PART = /\.(?:xml|rels)$/i;
const STYLES = 'xl/styles.xml';

/**
 * @returns a CSV file byte by byte, since only the API knows what is wrong with them; of a workbook its first sheet, line by line
 * @throws Error in words, when a workbook cannot be read
 */
export async function csvOf(file: File): Promise<string | ArrayBuffer> {
  if (!/\.xlsx$/i.test(file.name)) {
    return file.arrayBuffer();
  }
  if (file.size > MAX_WORKBOOK_KB * 1_000) {
    throw new Error(t('files.tooLarge', { most: MAX_WORKBOOK_KB }));
  }
  return csvOfRows(await rowsOf(new Uint8Array(await file.arrayBuffer())));
}

/**
 * The library unpacks parts of more than half a megabyte in a worker, which the page's policy does not let run: it would wait for it
 * without end. So it gets them unpacked.
 */
async function rowsOf(workbook: Uint8Array): Promise<SheetData> {
  const { strFromU8, unzipSync, zipSync } = await import('fflate');
  let unpackedBytes = 0;
  const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
    const isPart = IS_SHEET_PART.test(name);
    unpackedBytes += isPart ? originalSize : 0;
    return isPart && unpackedBytes <= MAX_UNPACKED_BYTES;
  };
  try {
    const parts = unzipSync(workbook, { filter });
    if (unpackedBytes <= MAX_UNPACKED_BYTES) {
      const { [STYLES]: styles } = parts;
      return await readRows(zipSync(parts, { level: 0 }).buffer, styles === undefined ? '' : strFromU8(styles));
    }
  } catch {
    throw new Error(t('files.unreadable'));
  }
  throw new Error(t('files.tooManyCells'));
}

/** A number is the code that its cell shows, where the format of the cell puts zeros before it. */
async function readRows(workbook: ArrayBuffer, styles: string): Promise<SheetData> {
  const { readSheet } = await import('read-excel-file/universal');
  const rows = await readSheet(workbook);
  if (!rows.some((row) => row.some((value) => typeof value === 'number'))) {
    return rows;
  }
  for (const { template, digits } of zeroFormatsOf(styles)) {
    // The library says the format of no cell, and reads a date from each cell of the one format that it is given.
    const marked = await readSheet(workbook, { dateFormat: template });
    for (const [line, row] of rows.entries()) {
      for (const [column, value] of row.entries()) {
        const mark = marked[line]?.[column];
        if (typeof value === 'number' && mark instanceof Date) {
          row[column] = digits === undefined ? mark : withZeros(value, digits);
        }
      }
    }
  }
  return rows;
}

/** What no code is stays as it is, and is refused or not as without a format. */
function withZeros(value: number, digits: number): string | number {
  return Number.isSafeInteger(value) && value >= 0 ? value.toString().padStart(digits, '0') : value;
}

/** @returns what a person reads of it, also of bytes that are no text in UTF-8 */
export function shownText(csv: string | ArrayBuffer): string {
  return typeof csv === 'string' ? csv : new TextDecoder().decode(csv);
}

/**
 * Each row is one line, so that the line of a mistake is the row of the sheet.
 * @throws Error in words, when cells hold what no rule says: a code that was typed as 3-4 is lost once it is a date,
 * and one that only a format completes is not in the cell
 */
export function csvOfRows(rows: SheetData): string {
  const changed = rows.flatMap((row, line) =>
    row.flatMap((value, column) =>
      value instanceof Date || typeof value === 'boolean' ? [`${columnName(column)}${(line + 1).toString()}`] : [],
    ),
  );
  if (changed.length > 0) {
    const named = changed.slice(0, MAX_NAMED_CELLS).join(', ');
    throw new Error(
      t('files.changedCodes', {
        count: changed.length,
        cells: changed.length > MAX_NAMED_CELLS ? `${named}, …` : named,
      }),
    );
  }
  return rows.map((row) => row.map(quoted).join(',')).join('\r\n');
}

/**
 * Texts that the API refuses in CSV without an apostrophe before them, or takes one from. In a workbook a text is no formula and
 * no number; what begins with # may be a spreadsheet's own mistake, and stays refused.
 */
const AS_WRITTEN = /^(?:[^\p{L}\p{N}#]|\d+(?:[.,]\d+)?e[+-]?\d+$|\d+,\d+$)/iu;

/** @returns as a spreadsheet names it: A for 0, AA for 26 */
function columnName(index: number): string {
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

function quoted(value: SheetData[number][number]): string {
  const text = value === null ? '' : String(value).trim();
  const guard = typeof value === 'string' && AS_WRITTEN.test(text) ? "'" : '';
  return `"${guard}${text.replace(/\s*[\r\n]+\s*/g, ' ').replaceAll('"', '""')}"`;
}
