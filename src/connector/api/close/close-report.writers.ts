// A close report as a file for spreadsheets and as a page for paper.
import { writeCsv, type CsvCell } from '../../../foundation/csv/csv-writer.js';
import type { CloseReportResponse } from './close-report.dto.js';
import { escaped, figure, reportPage, reportXlsx, table } from './report-files.js';

export function closeReportCsv(report: CloseReportResponse): string {
  return writeCsv(rowsOf(report));
}

export async function closeReportXlsx(report: CloseReportResponse): Promise<Buffer> {
  return reportXlsx(report.month, rowsOf(report));
}

/** One row per figure: its subject and its amount. */
function rowsOf(report: CloseReportResponse): readonly (readonly CsvCell[])[] {
  const { items } = report;
  return [
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
}

export function closeReportPage(report: CloseReportResponse): string {
  const { month, companyName, items } = report;
  const reconciled = report.reconciledAt?.toISOString() ?? 'not as a whole yet';
  return reportPage(
    `${companyName}: ${month}`,
    `<p>Made ${report.madeAt.toISOString()}; months as in ${escaped(report.timeZone)}; compared as a whole: ${escaped(reconciled)}.</p>
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
${report.discrepanciesTruncated ? '<p>There are more discrepancies than are listed.</p>' : ''}`,
  );
}
