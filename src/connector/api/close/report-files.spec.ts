import { inflateRawSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { figure, reportXlsx } from './report-files.js';

it('writes a workbook in which amounts are numbers and no text is a formula', async () => {
  const workbook = await reportXlsx('2026-03', [
    ['account', 'debit'],
    ['=1', figure('-12.50')],
  ]);
  const sheet = fileIn(workbook, 'xl/worksheets/sheet1.xml');
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
