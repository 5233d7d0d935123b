import { inflateRawSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { CloseReportResponse } from './close-report.dto.js';
import { closeReportCsv, closeReportXlsx } from './close-report.writers.js';

const REPORT: Omit<CloseReportResponse, 'accounts'> = {
  month: '2026-03',
  companyName: 'Example',
  timeZone: 'UTC',
  madeAt: new Date('2026-04-02T00:00:00Z'),
  reconciledAt: null,
  jobs: 0,
  items: { exported: 0, posted: 0, failed: 0, open: 0 },
  explained: [],
  discrepancies: [],
  withoutAmount: 0,
  discrepanciesTruncated: false,
};

const accountLine = (accountCode: string, debit: string) =>
  closeReportCsv({
    ...REPORT,
    accounts: [{ currency: 'EUR', accountCode, debit, credit: '0.00', debitMoney: null, creditMoney: null }],
  })
    .split('\r\n')
    .at(-2);

it.each([
  ['=1', "'=1"],
  ['@a', "'@a"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠a', "'＠a"],
  [' =1', `"' =1"`],
])('a cell of %j is written as a text', (code, cell) => {
  expect(accountLine(code, '1.00')).toBe(`account,,${cell},,EUR,1.00,0.00,,`);
});

it('a figure below zero stays a figure', () => {
  expect(accountLine('1935', '-12.50')).toBe('account,,1935,,EUR,-12.50,0.00,,');
});

it('is a workbook in which amounts are numbers and texts are no formulas', async () => {
  const accounts = [
    { currency: 'EUR', accountCode: '=1', debit: '-12.50', credit: '0.00', debitMoney: null, creditMoney: null },
  ];
  const sheet = fileIn(await closeReportXlsx({ ...REPORT, accounts }), 'xl/worksheets/sheet1.xml');
  expect(sheet).toContain('<v>-12.5</v>');
  expect(sheet).not.toContain('<f>');
});

/** One file of a zip archive, by its entry in the directory at the end. */
function fileIn(zip: Buffer, name: string): string {
  const entry = zip.lastIndexOf(name) - 46;
  const start = zip.readUInt32LE(entry + 42);
  const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const packed = zip.subarray(data, data + zip.readUInt32LE(entry + 20));
  return (zip.readUInt16LE(entry + 10) === 0 ? packed : inflateRawSync(packed)).toString();
}
