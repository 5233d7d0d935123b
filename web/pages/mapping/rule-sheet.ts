// A file of rules as the API takes it: CSV, whatever it was made with.
import type { SheetData } from 'read-excel-file/universal';
import { t } from '../../messages/text.js';

/** Larger ones would be unpacked by a worker of the library, which the page's policy does not let run. */
const MAX_WORKBOOK_BYTES = 500_000;

/**
 * @returns the text of a CSV file; of a workbook its first sheet, line by line
 * @throws Error in words, when it is neither
 */
export async function csvOf(file: File): Promise<string> {
  if (!/\.xlsx$/i.test(file.name)) {
    return file.text();
  }
  if (file.size > MAX_WORKBOOK_BYTES) {
    throw new Error(t('files.unreadable'));
  }
  const { readSheet } = await import('read-excel-file/universal');
  const rows = await readSheet(await file.arrayBuffer()).catch(() => {
    throw new Error(t('files.unreadable'));
  });
  return csvOfRows(rows);
}

/** Each row is one line, so that the line of a mistake is the row of the sheet. */
export function csvOfRows(rows: SheetData): string {
  return rows.map((row) => row.map(quoted).join(',')).join('\r\n');
}

function quoted(value: SheetData[number][number]): string {
  const text = value === null ? '' : String(value);
  return `"${text.replace(/\s*[\r\n]+\s*/g, ' ').replaceAll('"', '""')}"`;
}
