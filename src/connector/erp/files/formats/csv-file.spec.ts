import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCsv } from '../../../../foundation/csv/csv-reader.js';
import { removeFormulaGuard } from '../../../../foundation/csv/formula-guard.js';
import type { FileEntry } from '../file-entry.js';
import { currency, day, fileLine, filesSettings, someBatch, someEntry } from '../files.fixtures.js';
import { csvFile } from './csv-file.js';

const settings = filesSettings();
const written = (...entries: readonly FileEntry[]) => csvFile.encode(someBatch(settings, entries)).toString('utf8');

describe('a CSV file', () => {
  it('has one line for each posting', () => {
    const tax = {
      ...{ place: 'input' as const, reverseCharge: false, rate: '0.25', deductible: '0.5' },
      ...{ taxableMinor: 80_000n, taxableBaseMinor: 72_984n, taxMinor: 20_000n, taxBaseMinor: 18_246n },
    } as const;
    const receipts = ['Taxi Malmö.pdf', '../scan.jpg'].map((fileName) => ({ documentId: 'd', fileName }));
    const entry = someEntry(
      17,
      [
        fileLine('5410', 10_000n, { baseMinor: 9_123n, taxCode: 'I25', tax, dimensions: { CC: '100' } }),
        fileLine('1935', -10_000n, { baseMinor: -9_123n, employee: 'E-3', vendorCode: 'V-7' }),
      ],
      {
        currency: currency('USD'),
        documentNumber: 'A-1',
        documentDate: day('2026-03-01'),
        dueDate: day('2026-04-01'),
        originalDate: day('2026-01-30'),
        receipts,
      },
    );
    const reversal = someEntry(18, [fileLine('5410', 0n)], { role: 'reversal', reverses: 17, revision: 2 });
    expect(written(entry, reversal).split('\r\n')).toEqual([
      'batch,entry,reverses,role,key,revision,posting_date,document_date,due_date,document_number,description,reference,line,account,account_name,currency,amount,functional_currency,base_amount,tax_code,vendor,vendor_name,employee,tax_place,reverse_charge,tax_rate,deductible_share,taxable,tax,base_taxable,base_tax,receipts,original_date,dimension_CC,dimension_PR',
      '4,17,,entry,key-17,1,2026-03-02,2026-03-01,2026-04-01,A-1,"Café Olé · Ada",rec-1,1,5410,"Förbrukning ""små""",USD,100.00,EUR,91.23,I25,,,,input,no,0.25,0.5,800.00,200.00,729.84,182.46,"17-1-Taxi-Malmo.pdf 17-2-scan.jpg",2026-01-30,100,',
      '4,17,,entry,key-17,1,2026-03-02,2026-03-01,2026-04-01,A-1,"Café Olé · Ada",rec-1,2,1935,Wallet,USD,-100.00,EUR,-91.23,,V-7,"Papier GmbH",E-3,,,,,,,,,"17-1-Taxi-Malmo.pdf 17-2-scan.jpg",2026-01-30,,',
      '4,18,17,reversal,key-18,2,2026-03-02,,,,"Café Olé · Ada",rec-1,1,5410,"Förbrukning ""små""",EUR,0.00,EUR,0.00,,,,,,,,,,,,,,,,',
      '',
    ]);
  });

  it.each([
    ['JPY', 1_500n, '1500'],
    ['KWD', 1_234n, '1.234'],
    ['EUR', -5n, '-0.05'],
  ])('writes %s %s as %s', (code, minor, text) => {
    const lines = [fileLine('5410', minor)];
    expect(written(someEntry(1, lines, { currency: currency(code), functionalCurrency: currency(code) }))).toContain(
      `,${code},${text},${code},${text},`,
    );
  });

  it.each([
    ['=cmd()', "'=cmd()"],
    ['a\r\nb', '"a\r\nb"'],
    ['say "hi", please', '"say ""hi"", please"'],
  ])('writes the text %j as %s', (description, text) => {
    expect(written(someEntry(1, [fileLine('5410', 0n)], { description }))).toContain(`,${text},rec-1,`);
  });

  it('round-trips, with the same bytes each time', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((some) => some.trim() !== '');
    fc.assert(
      fc.property(text, fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (some, minor) => {
        const entry = someEntry(1, [fileLine('5410', minor)], { description: some, documentNumber: some });
        const table = readCsv(written(entry), ',', { cell: 10_000, columns: 40, rows: 10 });
        const cells = 'rows' in table ? (table.rows[1]?.cells ?? []).map(removeFormulaGuard) : [];
        expect(cells.slice(9, 11)).toEqual([some, some]);
        expect(cells[16]?.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1')).toBe(minor.toString());
        expect(written(entry)).toBe(written(entry));
      }),
    );
  });
});
