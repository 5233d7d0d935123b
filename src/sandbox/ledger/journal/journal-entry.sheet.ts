import { figure, money, sheet, text, type Column } from '../http/sheet.js';
import type { JournalEntryDetailDto, JournalEntryDto, JournalEntryPage, JournalLineDto } from './journal-entry.dto.js';

interface Row {
  readonly entry: JournalEntryDto;
  readonly line: JournalLineDto;
}

/** A row per line. */
export const journalSheet = sheet<JournalEntryPage, Row>({
  fileName: () => 'journal-entries',
  rows: ({ data }) => data.flatMap(rowsOf),
  columns: columns(),
});

export const journalEntrySheet = sheet<JournalEntryDetailDto, Row>({
  fileName: ({ number, id }) => `journal-entry-${number ?? id}`,
  rows: rowsOf,
  columns: columns(),
});

function rowsOf(entry: JournalEntryDto): readonly Row[] {
  return entry.lines.map((line) => ({ entry, line }));
}

function columns<Body>(): readonly Column<Row, Body>[] {
  return [
    text('number', ({ entry }) => entry.number),
    text('state', ({ entry }) => entry.state),
    text('role', ({ entry }) => entry.role),
    text('postingDate', ({ entry }) => entry.postingDate),
    text('documentDate', ({ entry }) => entry.documentDate),
    text('dueDate', ({ entry }) => entry.dueDate),
    text('documentNumber', ({ entry }) => entry.documentNumber),
    text('description', ({ entry }) => entry.description),
    text('reference', ({ entry }) => entry.reference),
    text('key', ({ entry }) => entry.key),
    figure('revision', ({ entry }) => entry.revision),
    figure('lineNo', ({ line }) => line.lineNo),
    text('accountCode', ({ line }) => line.accountCode),
    text('vendorNumber', ({ line }) => line.vendorNumber),
    text('employee', ({ line }) => line.employee),
    text('taxCode', ({ line }) => line.taxCode),
    text('dimensions', ({ line }) => dimensionsText(line.dimensions)),
    text('currency', ({ entry }) => entry.currency),
    ...money(
      'amount',
      ({ line }: Row) => line.amountMinor,
      ({ entry }) => entry.currency,
    ),
    text('functionalCurrency', ({ entry }) => entry.functionalCurrency),
    ...money(
      'base',
      ({ line }: Row) => line.baseMinor,
      ({ entry }) => entry.functionalCurrency,
    ),
    text('entryId', ({ entry }) => entry.id),
  ];
}

function dimensionsText(dimensions: Readonly<Record<string, string>>): string {
  return Object.entries(dimensions)
    .map(([dimension, value]) => `${dimension}=${value}`)
    .join(' ');
}
