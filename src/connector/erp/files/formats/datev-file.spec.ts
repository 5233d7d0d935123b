import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readCsv } from '../../../../foundation/csv/csv-reader.js';
import type { FileEntry, FileLine } from '../file-entry.js';
import { currency, day, fileLine, filesSettings, someBatch, someEntry } from '../files.fixtures.js';
import { datevFile, pairLines } from './datev-file.js';

const settings = filesSettings({ format: 'datev' });
const written = (...entries: readonly FileEntry[]) =>
  iconv.decode(datevFile.encode(someBatch(settings, entries)), 'win1252');
/** Each booking by heading, without the empty cells. */
const bookings = (...entries: readonly FileEntry[]) => {
  const lines = written(...entries)
    .split('\r\n')
    .slice(1)
    .join('\n');
  const table = readCsv(lines, ';', { cell: 300, columns: 125, rows: 1_000 });
  if (!('rows' in table)) throw new Error(table.detail);
  const [header, ...rows] = table.rows.map(({ cells }) => cells);
  return rows.map((cells) => {
    expect(cells).toHaveLength(125);
    return Object.fromEntries(cells.flatMap((cell, index) => (cell === '' ? [] : [[header?.[index] ?? '', cell]])));
  });
};

describe('a DATEV file', () => {
  it('has the documented header, 125 columns and typed cells', () => {
    const [header, columns, row, end] = written(
      someEntry(17, [fileLine('5410', 10_000n), fileLine('1935', -10_000n)], { description: 'Kühl "A"' }),
      someEntry(18, [fileLine('5410', 1n), fileLine('1935', -1n)], { postingDate: day('2026-02-28') }),
    ).split('\r\n');
    expect(header).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20260401003000123;;"";"";"";29098;55003;20260101;4;20260228;20260302;"Export 000004";"";1;0;0;"EUR";;"";;;"";;;"";""',
    );
    expect(columns?.split(';')).toHaveLength(125);
    expect(columns).toMatch(
      /^Umsatz \(ohne Soll\/Haben-Kz\);.*;Beleginfo - Inhalt 8;KOST1 - Kostenstelle;.*;Abw\. Skontokonto$/,
    );
    expect(row).toMatch(/^100,00;"S";"EUR";;;"";5410;1935;"0040";0203;"17";"17";;"Kühl ""A""";;"";/);
    expect(end).toMatch(/^0,01;/);
  });

  it('has a row for each line and its counterpart, with all their fields', () => {
    const lines = [
      fileLine('5410', 8_000n, { dimensions: { CC: '100', PR: 'P-1' }, taxCode: 'I25' }),
      fileLine('2641', 2_000n),
      fileLine('2440', -10_000n, { vendorCode: '70007' }),
    ];
    const more = { documentNumber: 'RE 12/2026 ä', dueDate: day('2026-04-01') };
    const common = {
      ...{ 'WKZ Umsatz': 'EUR', 'Gegenkonto (ohne BU-Schlüssel)': '70007', Belegdatum: '0203' },
      ...{ 'Belegfeld 1': 'RE-12/2026-a', 'Belegfeld 2': '17', Buchungstext: 'Café Olé · Ada', Festschreibung: '0' },
      ...{ Fälligkeit: '01042026', 'Soll/Haben-Kennzeichen': 'S' },
    };
    expect(bookings(someEntry(17, lines, more))).toEqual([
      {
        ...common,
        ...{ 'Umsatz (ohne Soll/Haben-Kz)': '80,00', Konto: '5410', 'BU-Schlüssel': '0040' },
        ...{ 'KOST1 - Kostenstelle': '100', 'Zusatzinformation - Art 1': 'PR', 'Zusatzinformation- Inhalt 1': 'P-1' },
        ...{ 'Beleginfo - Art 1': 'Steuercode', 'Beleginfo - Inhalt 1': 'I25' },
        ...{ 'Beleginfo - Art 2': 'Lieferant', 'Beleginfo - Inhalt 2': '70007' },
        ...{ 'Beleginfo - Art 3': 'Referenz', 'Beleginfo - Inhalt 3': 'rec-1' },
      },
      {
        ...common,
        ...{ 'Umsatz (ohne Soll/Haben-Kz)': '20,00', Konto: '2641' },
        ...{ 'Beleginfo - Art 1': 'Lieferant', 'Beleginfo - Inhalt 1': '70007' },
        ...{ 'Beleginfo - Art 2': 'Referenz', 'Beleginfo - Inhalt 2': 'rec-1' },
      },
    ]);
  });

  it('links each row of an entry to the receipts behind it, as DATEV finds them by their GUID', () => {
    const lines = [fileLine('5410', 80n), fileLine('2641', 20n), fileLine('1935', -100n)];
    const receipts = [{ documentId: 'd', fileName: 'taxi.pdf' }];
    const links = bookings(someEntry(17, lines, { receipts }), someEntry(18, lines)).map((row) => row['Beleglink']);
    const link = 'BEDI "EF6B253F-FFB0-8AA8-AFAE-2912DCB890DB"';
    expect(links).toEqual([link, link, undefined, undefined]);
  });

  it('books in the functional currency and names the foreign amount', () => {
    const foreign = { currency: currency('KWD') };
    const entry = someEntry(
      3,
      [
        fileLine('5410', 1_234n, { baseMinor: 371n }),
        fileLine('2641', 0n, { baseMinor: 1n }),
        fileLine('1935', -1_234n, { baseMinor: -372n }),
      ],
      { ...foreign, role: 'reversal', reverses: 2 },
    );
    expect(bookings(entry)).toMatchObject([
      {
        'Umsatz (ohne Soll/Haben-Kz)': '3,71',
        'WKZ Umsatz': 'EUR',
        'Beleginfo - Art 1': 'Fremdwährung',
        'Beleginfo - Inhalt 1': 'KWD 1.234',
        'Beleginfo - Art 2': 'Storno von',
        'Beleginfo - Inhalt 2': '2',
      },
      { 'Umsatz (ohne Soll/Haben-Kz)': '0,01', Konto: '2641' },
    ]);
  });

  it('names the day from which a closed period has moved an entry', () => {
    const entry = someEntry(1, [fileLine('5410', 1n), fileLine('1935', -1n)], { originalDate: day('2026-01-30') });
    expect(bookings(entry)).toMatchObject([
      { Belegdatum: '0203', 'Beleginfo - Art 1': 'Ursprüngliches Datum', 'Beleginfo - Inhalt 1': '30012026' },
    ]);
  });

  it('starts from the credits when there are more of them', () => {
    const entry = someEntry(1, [
      fileLine('5410', 300n),
      fileLine('1935', -100n),
      fileLine('2440', -200n, { vendorCode: 'V-7' }),
    ]);
    expect(bookings(entry)).toMatchObject([
      {
        'Umsatz (ohne Soll/Haben-Kz)': '1,00',
        'Soll/Haben-Kennzeichen': 'H',
        Konto: '1935',
        'Gegenkonto (ohne BU-Schlüssel)': '5410',
      },
      {
        'Umsatz (ohne Soll/Haben-Kz)': '2,00',
        'Soll/Haben-Kennzeichen': 'H',
        Konto: '2440',
        'Gegenkonto (ohne BU-Schlüssel)': '5410',
      },
    ]);
  });

  it('has no row of two lines with different cost centers, which share its fields', () => {
    const entry = someEntry(1, [
      fileLine('5410', 5_000n, { dimensions: { CC: '100' } }),
      fileLine('2641', -2_000n, { dimensions: { CC: '200' } }),
      fileLine('1935', -3_000n),
    ]);
    const rows = bookings(entry).map((row) => [
      row['Konto'],
      row['Gegenkonto (ohne BU-Schlüssel)'],
      row['Soll/Haben-Kennzeichen'],
      row['Umsatz (ohne Soll/Haben-Kz)'],
      row['KOST1 - Kostenstelle'],
    ]);
    expect(rows).toEqual([
      ['5410', '1935', 'S', '20,00', '100'],
      ['2641', '1935', 'H', '20,00', '200'],
      ['1935', '5410', 'H', '30,00', '100'],
    ]);
  });

  describe('of accounts with DATEV keys', () => {
    const keyed = filesSettings({
      format: 'datev',
      accounts: 'code,name,datev key\n1935,Wallet,\n5410,Supplies,0009\n5420,Discounts,0008\n5430,Other,0009',
    });
    const rowsOf = (...lines: readonly FileLine[]) =>
      pairLines(someEntry(1, lines), keyed).map(({ minor, line, contra }) => [
        line.accountCode,
        contra.accountCode,
        minor,
      ]);

    it('has no row of two accounts with different keys, of which it would have only one', () => {
      expect(rowsOf(fileLine('5410', 5_000n), fileLine('5420', -2_000n), fileLine('1935', -3_000n))).toEqual([
        ['5410', '1935', 2_000n],
        ['5420', '1935', 2_000n],
        ['1935', '5410', 3_000n],
      ]);
      expect(rowsOf(fileLine('5410', 5_000n), fileLine('5430', -5_000n))).toEqual([['5410', '5430', 5_000n]]);
    });

    it.each([
      ['accounts with different keys', [fileLine('5410', 5n), fileLine('5420', -5n)], /5410 and 5420 .* keys/],
      [
        'different cost centers',
        [fileLine('5410', 5n, { dimensions: { CC: '1' } }), fileLine('5410', -5n, { dimensions: { CC: '2' } })],
        /different values of a dimension.*by hand/,
      ],
    ])('rejects an entry of %s and no other line', (_, lines, problem) => {
      expect(datevFile.problemOf(someEntry(1, lines), keyed)).toMatch(problem);
      const others = [...lines, fileLine('1935', 7n), fileLine('1935', -7n)];
      expect(datevFile.problemOf(someEntry(1, others), keyed)).toBeUndefined();
    });
  });

  it('splits a line that is larger than its counterpart, and notes it for a foreign amount', () => {
    const entry = someEntry(
      1,
      [
        fileLine('5410', 600n, { baseMinor: 500n }),
        fileLine('2641', 400n, { baseMinor: 300n }),
        fileLine('1935', -200n, { baseMinor: -100n }),
        fileLine('2440', -800n, { baseMinor: -700n }),
      ],
      { currency: currency('USD') },
    );
    expect(
      bookings(entry).map((row) => [
        row['Konto'],
        row['Gegenkonto (ohne BU-Schlüssel)'],
        row['Umsatz (ohne Soll/Haben-Kz)'],
        row['Beleginfo - Inhalt 1'],
      ]),
    ).toEqual([
      ['5410', '1935', '1,00', 'Teil von USD 6.00'],
      ['5410', '2440', '4,00', 'Teil von USD 6.00'],
      ['2641', '2440', '3,00', 'USD 4.00'],
    ]);
  });

  it.each([
    ['x'.repeat(70), 'x'.repeat(60)],
    ['line\nbreak; semicolon', 'line break; semicolon'],
    ['=1+1', '=1+1'],
    [`${'x'.repeat(59)}₹`, `${'x'.repeat(59)}I`],
  ])('writes the text %j as %s', (description, text) => {
    const entry = someEntry(1, [fileLine('5410', 1n), fileLine('1935', -1n)], { description });
    expect(bookings(entry)[0]?.['Buchungstext']).toBe(text);
  });

  it.each([
    ['a currency of three digits', someEntry(1, [], { functionalCurrency: currency('KWD') }), /KWD/],
    ['an account that is too long', someEntry(1, [fileLine('54100', 0n)]), /Account 54100/],
    ['an account with letters', someEntry(1, [fileLine('54A', 0n)]), /Account 54A/],
    ['an amount that is too large', someEntry(1, [fileLine('5410', 10n ** 12n)]), /amount/],
    ['an entry of books in another currency', someEntry(1, [], { functionalCurrency: currency('SEK') }), /SEK books/],
  ])('rejects %s', (_, entry, message) => {
    expect(datevFile.problemOf(entry, settings)).toMatch(message);
    expect(datevFile.problemOf(someEntry(1, [fileLine('5410', 1n), fileLine('1935', -1n)]), settings)).toBeUndefined();
  });

  it('rejects an amount of more than ten digits before the comma in a currency without decimals', () => {
    const yen = filesSettings({ format: 'datev', functionalCurrency: 'JPY' });
    const entryOf = (minor: bigint) =>
      someEntry(1, [fileLine('5410', minor), fileLine('1935', -minor)], {
        currency: currency('JPY'),
        functionalCurrency: currency('JPY'),
      });
    expect(datevFile.problemOf(entryOf(10n ** 10n), yen)).toMatch(/amount/);
    expect(datevFile.problemOf(entryOf(10n ** 10n - 1n), yen)).toBeUndefined();
  });

  it('pairs each line in full with the other side', () => {
    const amounts = fc.array(fc.bigInt({ min: -1_000n, max: 1_000n }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(amounts, (minors) => {
        const rest = -minors.reduce((sum, minor) => sum + minor, 0n);
        const lines = [...minors, rest].map((minor) => fileLine('5410', minor));
        const pairs = pairLines(someEntry(1, lines), settings);
        for (const line of lines) {
          const parts = pairs.filter((pair) => pair.line === line || pair.contra === line);
          const sum = parts.reduce((total, { minor }) => total + minor, 0n);
          expect(sum).toBe(line.baseMinor < 0n ? -line.baseMinor : line.baseMinor);
        }
        expect(pairs.every(({ minor, line, contra }) => minor > 0n && line.baseMinor * contra.baseMinor < 0n)).toBe(
          true,
        );
        expect(pairs.length).toBeLessThan(lines.length);
      }),
    );
  });

  it('has 125 cells in each row for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const lines = [
          fileLine('5410', 1n, { employee: text, dimensions: { CC: text, [text]: text } }),
          fileLine('1935', -1n),
        ];
        expect(
          bookings(someEntry(1, lines, { description: text, documentNumber: text, reference: text })),
        ).toHaveLength(1);
      }),
    );
  });
});
