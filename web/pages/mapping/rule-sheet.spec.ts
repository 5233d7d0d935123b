import { expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import writeXlsxFile from 'write-excel-file/node';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { csvOf, csvOfRows, shownText } = await import('./rule-sheet.js');

it('writes each row of a sheet as one line, numbers as their digits', () => {
  const rows = [
    ['subject', 'source', 'target'],
    ['account', 6475, '6440'],
    ['tag', 'North\n"A", old', null],
  ];
  expect(csvOfRows(rows)).toBe('"subject","source","target"\r\n"account","6475","6440"\r\n"tag","North ""A"", old",""');
});

it('keeps texts that CSV would take for a formula, a number or a guard as they are written, and no mistakes of a spreadsheet', () => {
  const texts = ['-5', '=1', "'x", ' @a', '＋1', '1e5', '17,5', '60-71', 'Süd', '#REF!', ' '];
  expect(csvOfRows([[...texts, -5]])).toBe(
    `"'-5","'=1","''x","'@a","'＋1","'1e5","'17,5","60-71","Süd","#REF!","","-5"`,
  );
});

it('refuses a date or a truth value, naming its cell: the code that was typed is lost', () => {
  // The library reads instances of Date, though its types have the class itself.
  const typed = new Date('2026-03-04T00:00:00Z') as unknown as typeof Date;
  expect(() =>
    csvOfRows([
      ['subject', 'source'],
      ['account', typed],
    ]),
  ).toThrow(
    'The cell B2 holds a date, a truth value or a specially formatted number instead of a code. A spreadsheet makes a date of a code such as 3-4. Give',
  );
  const wide = [...Array.from({ length: 27 }, () => 'x'), true];
  expect(() => csvOfRows([wide, [typed]])).toThrow(
    '2 cells hold a date, a truth value or a specially formatted number instead of a code: AB1, A2.',
  );
  expect(() => csvOfRows(Array.from({ length: 12 }, () => [typed]))).toThrow('A9, A10, ….');
});

async function workbookOf(...cells: readonly (readonly [value: number, format?: string])[]): Promise<File> {
  const row = cells.map(([value, format]) => ({ value, type: Number, ...(format && { format }) }));
  const book = await writeXlsxFile([row]).toBuffer();
  return new File([Uint8Array.from(book)], 'rules.xlsx');
}

it('reads the zeros that the format of a cell puts before a number', async () => {
  const formats = [
    [400, '0000'],
    [7, '000'],
    [400],
    [12_345, '0000'],
    [9, '0000;@'],
    [1_200, '#,##0'],
    [3, '0.00'],
  ] as const;
  expect(await csvOf(await workbookOf(...formats))).toBe('"0400","007","400","12345","0009","1200","3"');
});

it.each(['00\\-00', '"K"0000', '00 00'])('refuses a number that the format %s completes to a code', async (format) => {
  await expect(csvOf(await workbookOf([1], [400, format]))).rejects.toThrow(
    'The cell B1 holds a date, a truth value or a specially formatted number instead of a code.',
  );
});

it('leaves the bytes of a CSV file as they are, so that another encoding is refused instead of losing letters', async () => {
  const windows = Uint8Array.of(...Buffer.from('tag,Gr'), 0xf6, 0xdf, ...Buffer.from('e,40'));
  expect(new Uint8Array((await csvOf(new File([windows], 'rules.csv'))) as ArrayBuffer)).toEqual(windows);
});

it('says of a workbook that is too large what to do with it, not that it is none', async () => {
  const large = new File([new Uint8Array(500_001)], 'rules.xlsx');
  await expect(csvOf(large)).rejects.toThrow('An XLSX file may have at most 500 KB: save it as CSV, or divide it.');
});

const packedOf = (sheet: Uint8Array) => {
  const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${main}.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="Rules" sheetId="1" r:id="r"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  };
  const texts = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  const zip = zipSync({ ...Object.fromEntries(texts), 'xl/worksheets/sheet1.xml': sheet });
  return new File([zip], 'rules.xlsx');
};

it('reads a workbook of many rows', async () => {
  const rows = Array.from({ length: 9_000 }, (_, index) => {
    const row = (index + 1).toString();
    return `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>account</t></is></c><c r="B${row}"><v>6475</v></c></row>`;
  }).join('');
  const csv = await csvOf(packedOf(strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)));
  expect(shownText(csv).split('\r\n')).toHaveLength(9_000);
});

it('refuses a workbook that would fill the memory before it is unpacked', async () => {
  await expect(csvOf(packedOf(new Uint8Array(20_000_001)))).rejects.toThrow('more cells than the rules of a company');
});

it('says of what is no workbook that it is none', async () => {
  await expect(csvOf(new File(['no workbook'], 'rules.xlsx'))).rejects.toThrow('This is no CSV or XLSX file.');
});
