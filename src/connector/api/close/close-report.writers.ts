// A close report as a file for spreadsheets and as a page for paper.
import { createHash } from 'node:crypto';
import { writeCsv, type CsvCell } from '../../../foundation/csv/csv-writer.js';
import type { CloseReportResponse } from './close-report.dto.js';

type Row = readonly string[];

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
/** Of the page: nothing but what is in it, its style known by its digest. */
export const CLOSE_REPORT_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Negative amounts stay numbers in a spreadsheet. */
const figure = (amount: string): CsvCell => ({ figure: amount });

/** One row per figure: its subject and its amount. */
export function closeReportCsv(report: CloseReportResponse): string {
  const { items } = report;
  const rows: readonly (readonly CsvCell[])[] = [
    ['section', 'class', 'subject', 'state', 'currency', 'amount', 'second_amount', 'age_days', 'note'],
    ['items', 'exported', '', '', '', items.exported.toString(), '', '', ''],
    ['items', 'posted', '', '', '', items.posted.toString(), '', '', ''],
    ['items', 'failed', '', '', '', items.failed.toString(), '', '', ''],
    ['items', 'open', '', '', '', items.open.toString(), '', '', ''],
    ['discrepancies', 'without_amount', '', 'open', '', report.withoutAmount.toString(), '', '', ''],
    ...report.explained.map((each) => [
      'explained',
      each.fraction,
      '',
      '',
      each.currency,
      figure(each.explained),
      figure(each.total),
      '',
      '',
    ]),
    ...report.accounts.map((each) => [
      'account',
      '',
      each.accountCode,
      '',
      each.currency,
      figure(each.debit),
      figure(each.credit),
      '',
      '',
    ]),
    ...report.discrepancies.map((each) => [
      'discrepancy',
      each.class,
      each.subject,
      each.state,
      each.currency ?? '',
      figure(each.amount ?? ''),
      '',
      each.ageDays.toString(),
      each.note ?? '',
    ]),
  ];
  return writeCsv(rows);
}

export function closeReportPage(report: CloseReportResponse): string {
  const { month, companyName, items } = report;
  const reconciled = report.reconciledAt?.toISOString() ?? 'not as a whole yet';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(`Close ${month}, ${companyName}`)}</title>
<style>${STYLE}</style></head><body>
<h1>${escaped(companyName)}: ${escaped(month)}</h1>
<p>Made ${report.madeAt.toISOString()}; months as in ${escaped(report.timeZone)}; compared as a whole: ${escaped(reconciled)}.</p>
<h2>Exported</h2>
${table(['Jobs', 'Entries', 'Posted', 'Failed', 'Open'], [[report.jobs, items.exported, items.posted, items.failed, items.open].map(String)], 0)}
<h2>Explained</h2>
${table(
  ['Currency', 'Total', 'Explained', 'Fraction'],
  report.explained.map((each) => [each.currency, each.total, each.explained, each.fraction]),
  1,
)}
<p>Open discrepancies without an amount: ${report.withoutAmount.toString()}.</p>
<h2>Accounts</h2>
${table(
  ['Currency', 'Account', 'Debit', 'Credit'],
  report.accounts.map((each) => [each.currency, each.accountCode, each.debit, each.credit]),
  2,
)}
<h2>Discrepancies</h2>
${table(
  ['Class', 'About', 'State', 'Note', 'Currency', 'Amount', 'Age in days'],
  report.discrepancies.map((each) => [
    each.class,
    each.subject,
    each.state,
    each.note ?? '',
    each.currency ?? '',
    each.amount ?? '',
    each.ageDays.toString(),
  ]),
  5,
)}
${report.discrepanciesTruncated ? '<p>There are more discrepancies than are listed.</p>' : ''}
</body></html>
`;
}

/** @param figuresFrom index of the first column of figures */
function table(header: Row, rows: readonly Row[], figuresFrom: number): string {
  if (rows.length === 0) {
    return '<p>None.</p>';
  }
  const cells = (row: Row, tag: string) =>
    row
      .map((cell, index) => `<${tag}${index >= figuresFrom ? ' class="figure"' : ''}>${escaped(cell)}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
  return `<table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
