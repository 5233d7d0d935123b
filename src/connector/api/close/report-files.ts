// Reports as files for spreadsheets and as pages for paper.
import { createHash } from 'node:crypto';
import writeXlsxFile from 'write-excel-file/node';
import type { CsvCell } from '../../../foundation/csv/csv-writer.js';

export type ReportRow = readonly string[];

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const STYLE = `
body { font: 11pt/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; color: #111; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1.5rem; }
th, td { border-bottom: 1px solid #999; padding: .2rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
tr, h2 { break-inside: avoid; }
h2 { break-after: avoid; }
@media print { body { margin: 0; max-width: none; font-size: 9pt; } @page { margin: 15mm; } }
`;
/** Of the pages: nothing but what is in them, their style known by its digest. */
export const REPORT_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Negative amounts stay numbers in a spreadsheet. */
export const figure = (amount: string): CsvCell => ({ figure: amount });

/** A workbook of one sheet, its first row the heading: texts are texts, so that none is a formula, and amounts are numbers. */
export async function reportXlsx(sheet: string, rows: readonly (readonly CsvCell[])[]): Promise<Buffer> {
  const cells = rows.map((row) => row.map(toXlsxCell));
  return writeXlsxFile(cells, { sheet, stickyRowsCount: 1 }).toBuffer();
}

/** A number that a spreadsheet would round stays a text. */
function toXlsxCell(cell: CsvCell) {
  const text = typeof cell === 'string' ? cell : cell.figure;
  return typeof cell !== 'string' && /^-?[\d.]{1,15}$/.test(text)
    ? { value: Number(text), type: Number, format: '#,##0.00##' }
    : { value: text, type: String };
}

/**
 * @param title plain text
 * @param body HTML below the heading
 */
export function reportPage(title: string, body: string, language = 'en'): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
${body}
</body></html>
`;
}

/** @param figuresFrom index of the first column of figures */
export function table(header: ReportRow, rows: readonly ReportRow[], figuresFrom: number): string {
  if (rows.length === 0) {
    return '<p>None.</p>';
  }
  const cells = (row: ReportRow, tag: string) =>
    row
      .map((cell, index) => `<${tag}${index >= figuresFrom ? ' class="figure"' : ''}>${escaped(cell)}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
  return `<table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
