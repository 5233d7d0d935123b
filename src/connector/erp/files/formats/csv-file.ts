// One line per posting, in UTF-8, for everything that reads tables (docs/erp-files.md).
import { writeCsv, type CsvCell } from '../../../../foundation/csv/csv-writer.js';
import { formatMinor } from '../../../../kernel/money.js';
import type { FileEntry, FileLine } from '../file-entry.js';
import { receiptNames } from '../receipts/receipt-name.js';
import { paddedNumber, type JournalFormat, type PostedBatch } from './journal-file.js';

const TAX_COLUMNS = [
  ...['tax_place', 'reverse_charge', 'tax_rate', 'deductible_share'],
  ...['taxable', 'tax', 'base_taxable', 'base_tax'],
];

const COLUMNS = [
  ...['batch', 'entry', 'reverses', 'role', 'key', 'revision', 'posting_date', 'document_date', 'due_date'],
  ...['document_number', 'description', 'reference', 'line', 'account', 'account_name', 'currency', 'amount'],
  ...['functional_currency', 'base_amount', 'tax_code', 'vendor', 'vendor_name', 'employee'],
  ...TAX_COLUMNS,
  ...['receipts', 'original_date'],
];

export const csvFile: JournalFormat = {
  mediaType: 'text/csv; charset=utf-8',
  textLength: 200,
  fileName: (batchNumber) => `postings-${paddedNumber(batchNumber)}.csv`,
  problemOf: () => undefined,
  encode,
};

function encode(batch: PostedBatch): Buffer {
  const { entries, settings } = batch;
  const dimensions = [
    ...new Set([
      ...settings.dimensions.keys(),
      ...entries.flatMap(({ lines }) => lines.flatMap((line) => Object.keys(line.dimensions))),
    ]),
  ];
  const cellsOf = (entry: FileEntry, line: FileLine, index: number): readonly CsvCell[] => [
    figure(batch.number),
    figure(entry.number),
    entry.reverses === undefined ? '' : figure(entry.reverses),
    entry.role,
    entry.key,
    figure(entry.revision),
    entry.postingDate,
    entry.documentDate ?? '',
    entry.dueDate ?? '',
    entry.documentNumber ?? '',
    entry.description,
    entry.reference,
    figure(index + 1),
    line.accountCode,
    settings.accounts.get(line.accountCode)?.name ?? '',
    entry.currency,
    { figure: formatMinor(line.amountMinor, entry.currency) },
    entry.functionalCurrency,
    { figure: formatMinor(line.baseMinor, entry.functionalCurrency) },
    line.taxCode ?? '',
    line.vendorCode ?? '',
    settings.vendors.get(line.vendorCode ?? '')?.name ?? '',
    line.employee ?? '',
    ...taxCells(entry, line.tax),
    receiptNames(entry),
    entry.originalDate ?? '',
    ...dimensions.map((code) => line.dimensions[code] ?? ''),
  ];
  const header = [...COLUMNS, ...dimensions.map((code) => `dimension_${code}`)];
  const rows = entries.flatMap((entry) => entry.lines.map((line, index) => cellsOf(entry, line, index)));
  return Buffer.from(writeCsv([header, ...rows]), 'utf8');
}

function figure(number: number): CsvCell {
  return { figure: number.toString() };
}

// The share and the full amounts: a tax return cannot be made from what is on the tax account alone.
function taxCells({ currency, functionalCurrency }: FileEntry, tax: FileLine['tax']): readonly CsvCell[] {
  if (tax === undefined) return Array<CsvCell>(TAX_COLUMNS.length).fill('');
  return [
    tax.place,
    tax.reverseCharge ? 'yes' : 'no',
    { figure: tax.rate ?? '' },
    { figure: tax.deductible },
    { figure: formatMinor(tax.taxableMinor, currency) },
    { figure: formatMinor(tax.taxMinor, currency) },
    { figure: formatMinor(tax.taxableBaseMinor, functionalCurrency) },
    { figure: formatMinor(tax.taxBaseMinor, functionalCurrency) },
  ];
}
