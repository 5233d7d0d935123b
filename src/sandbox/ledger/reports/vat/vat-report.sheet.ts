import { figure, money, sheet, text, type Column } from '../../http/sheet.js';
import type { VatAmountsDto, VatControlDto, VatLineDto, VatLinePage, VatReportDto } from './vat-report.dto.js';

interface Row {
  /** `total`: of the codes · `control`: of the accounts. */
  readonly kind: 'code' | 'total' | 'account' | 'control';
  readonly code?: string | null;
  readonly name?: string | null;
  readonly lines?: number;
  readonly amounts?: VatAmountsDto;
  readonly tied?: VatControlDto;
  readonly url?: string;
}

const functionalCurrency = (_: unknown, body: { readonly functionalCurrency: string }) => body.functionalCurrency;

/** The tax codes and their total, then the tax accounts and theirs. */
export const vatReportSheet = sheet<VatReportDto, Row>({
  fileName: ({ from, to }) => `vat-report-${from}-${to}`,
  rows: ({ codes, total, accounts, control }) => [
    ...codes.map((row) => ({
      kind: 'code' as const,
      code: row.taxCode,
      name: row.name,
      lines: row.lines,
      amounts: row,
      url: row.linesUrl,
    })),
    { kind: 'total', amounts: total },
    ...accounts.map((row) => ({
      kind: 'account' as const,
      code: row.accountCode,
      name: row.accountName,
      tied: row,
      url: row.ledgerUrl,
    })),
    { kind: 'control', tied: control },
  ],
  columns: [
    text('kind', (row) => row.kind),
    text('code', (row) => row.code),
    text('name', (row) => row.name),
    figure('lines', (row) => row.lines),
    text('functionalCurrency', functionalCurrency),
    ...amountColumns<Row, VatReportDto>((row) => row.amounts),
    ...(['movement', 'reported', 'difference'] as const).flatMap((name) =>
      money<Row, VatReportDto>(name, (row) => row.tied?.[`${name}Minor`] ?? null, functionalCurrency),
    ),
    text('url', (row) => row.url),
  ],
});

export const vatLinesSheet = sheet<VatLinePage, VatLineDto>({
  fileName: () => 'vat-lines',
  rows: ({ data }) => data,
  columns: [
    text('number', (line) => line.number),
    text('postingDate', (line) => line.postingDate),
    text('documentDate', (line) => line.documentDate),
    text('documentNumber', (line) => line.documentNumber),
    text('role', (line) => line.role),
    figure('lineNo', (line) => line.lineNo),
    text('accountCode', (line) => line.accountCode),
    text('taxCode', (line) => line.taxCode),
    text('place', (line) => line.place),
    text('reverseCharge', (line) => line.reverseCharge),
    figure('rate', (line) => line.rate),
    figure('deductibleShare', (line) => line.deductible),
    text('currency', (line) => line.currency),
    ...money<VatLineDto, VatLinePage>(
      'entryTaxable',
      (line) => line.entryTaxableMinor,
      (line) => line.currency,
    ),
    ...money<VatLineDto, VatLinePage>(
      'entryTax',
      (line) => line.entryTaxMinor,
      (line) => line.currency,
    ),
    text('functionalCurrency', functionalCurrency),
    ...amountColumns<VatLineDto, VatLinePage>((line) => line),
    text('entryId', (line) => line.entryId),
    text('entryUrl', (line) => line.entryUrl),
  ],
});

function amountColumns<Row, Body extends { readonly functionalCurrency: string }>(
  of: (row: Row) => VatAmountsDto | undefined,
): readonly Column<Row, Body>[] {
  const names = [
    ...(['base', 'tax', 'deductible', 'nonDeductible'] as const),
    ...(['reverseChargeBase', 'reverseChargeInput', 'outputBase', 'output'] as const),
  ];
  return names.flatMap((name) =>
    money<Row, Body>(name, (row) => of(row)?.[`${name}Minor`] ?? null, functionalCurrency),
  );
}
