import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { currency, day, fileLine, filesSettings, someBatch, someEntry } from '../files.fixtures.js';
import { sieFile } from './sie-file.js';

const settings = filesSettings({ format: 'sie' });
const written = (...entries: readonly ReturnType<typeof someEntry>[]) =>
  iconv.decode(sieFile.encode(someBatch(settings, entries)), 'cp437').split('\r\n');
const vouchers = (lines: readonly string[]) => lines.filter((line) => /^(#VER|#TRANS|[{}]$)/.test(line));

describe('a SIE 4 file', () => {
  it('has the company, the list entries in use, and a voucher for each entry', () => {
    const invoice = someEntry(
      17,
      [
        fileLine('5410', 8_000n, { dimensions: { CC: '100', PR: 'P-1' }, taxCode: 'I25' }),
        fileLine('2641', 2_000n),
        fileLine('2440', -10_000n, { vendorCode: 'V-7' }),
      ],
      { role: 'invoice', documentNumber: 'A-1', description: 'Möbler "Ek"' },
    );
    const wallet = someEntry(
      18,
      [
        fileLine('5410', 10_000n, { baseMinor: 9_123n, employee: 'E-3' }),
        fileLine('1935', -10_000n, { baseMinor: -9_123n }),
      ],
      { currency: currency('USD'), postingDate: day('2026-03-05') },
    );
    expect(written(invoice, wallet)).toEqual([
      '#FLAGGA 0',
      '#PROGRAM "ERP export connector" "1"',
      '#FORMAT PC8',
      '#GEN 20260401',
      '#SIETYP 4',
      '#ORGNR "556677-8899"',
      '#FNAMN "Nordlys AB"',
      '#VALUTA EUR',
      '#KONTO 1935 "Wallet"',
      '#KONTO 2440 "Accounts payable"',
      '#KONTO 2641 "Input tax"',
      '#KONTO 5410 "Förbrukning \\"små\\""',
      '#DIM 1 "Kostnadsställe"',
      '#OBJEKT 1 "100" "Försäljning"',
      '#DIM 6 "Projekt"',
      '#OBJEKT 6 "P-1" "Bygge"',
      '#DIM 7 "Anställd"',
      '#OBJEKT 7 "E-3" "E-3"',
      '#DIM 9 "Leverantör"',
      '#OBJEKT 9 "V-7" "Papier GmbH"',
      '#VER "" "" 20260302 "Möbler \\"Ek\\", A-1 [17]"',
      '{',
      '#TRANS 5410 {1 "100" 6 "P-1"} 80.00 20260302 "I25"',
      '#TRANS 2641 {} 20.00',
      '#TRANS 2440 {9 "V-7"} -100.00',
      '}',
      '#VER "" "" 20260305 "Café Olé · Ada [18]"',
      '{',
      '#TRANS 5410 {7 "E-3"} 91.23 20260305 "USD 100.00"',
      '#TRANS 1935 {} -91.23 20260305 "USD -100.00"',
      '}',
      '',
    ]);
  });

  it.each([
    ['JPY', 1_500n, '1500.00'],
    ['SEK', 5n, '0.05'],
    ['SEK', 123_456_789_012_345n, '1234567890123.45'],
  ])('writes %s %s as %s', (code, minor, text) => {
    const more = { currency: currency(code), functionalCurrency: currency(code) };
    const lines = [fileLine('5410', minor), fileLine('1935', -minor)];
    expect(vouchers(written(someEntry(1, lines, more))).slice(2, 4)).toEqual([
      `#TRANS 5410 {} ${text}`,
      `#TRANS 1935 {} -${text}`,
    ]);
  });

  it.each([
    ['line\r\nbreak', 'line break'],
    ['say "hi"', 'say \\"hi\\"'],
    ['C:\\temp\\', 'C:/temp/'],
    ['{#VER}', '{#VER}'],
    ['10 €', '10 EUR'],
  ])('writes the text %j as %s', (description, text) => {
    const lines = vouchers(written(someEntry(1, [fileLine('5410', 1n), fileLine('1935', -1n)], { description })));
    expect(lines[0]).toBe(`#VER "" "" 20260302 "${text} [1]"`);
  });

  it('says of an entry that a closed period has moved from which day', () => {
    const moved = { description: 'Taxi', documentNumber: 'A-17', originalDate: day('2026-01-30') };
    const lines = vouchers(written(someEntry(1, [fileLine('5410', 1n), fileLine('1935', -1n)], moved)));
    expect(lines[0]).toBe('#VER "" "" 20260302 "Taxi, A-17, ursprungligt datum 2026-01-30 [1]"');
  });

  it.each([
    ['a currency of three digits', someEntry(1, [], { functionalCurrency: currency('KWD') }), /KWD/],
    ['an account with letters', someEntry(1, [fileLine('54A', 0n)]), /Account 54A/],
    ['an amount that is too large', someEntry(1, [fileLine('5410', -(10n ** 15n))]), /amount/],
    ['an entry of books in another currency', someEntry(1, [], { functionalCurrency: currency('SEK') }), /SEK books/],
    [
      'a dimension that the settings do not have any more',
      someEntry(1, [fileLine('5410', 1n, { dimensions: { OLD: '1' } })]),
      /Dimension OLD/,
    ],
  ])('rejects %s', (_, entry, message) => {
    expect(sieFile.problemOf(entry, settings)).toMatch(message);
    expect(sieFile.problemOf(someEntry(1, [fileLine('5410', 1n)]), settings)).toBeUndefined();
  });

  it.each([
    ['5566778899', '556677-8899'],
    ['556677-8899', '556677-8899'],
    ['DE 123', 'DE 123'],
  ])('has the registration number %s as %s', (registrationNumber, expected) => {
    const batch = someBatch(filesSettings({ format: 'sie', registrationNumber }), [
      someEntry(1, [fileLine('5410', 100n), fileLine('1935', -100n)]),
    ]);
    expect(iconv.decode(sieFile.encode(batch), 'cp437')).toContain(`#ORGNR "${expected}"`);
  });

  it('has one line for each posting and balanced vouchers, for any text and amount', () => {
    const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const entry = fc.record({
      amounts: fc.array(amount, { minLength: 1, maxLength: 6 }),
      text: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (some) => {
        const entries = some.map(({ amounts, text }, index) => {
          const rest = -amounts.reduce((sum, minor) => sum + minor, 0n);
          const lines = [...amounts, rest].map((minor) => fileLine('5410', minor, { employee: text }));
          return someEntry(index + 1, lines, { description: text, documentNumber: text });
        });
        const lines = vouchers(written(...entries));
        const sums =
          Map.groupBy(
            lines.filter((line) => line.startsWith('#TRANS')),
            () => 'all',
          ).get('all') ?? [];
        expect(sums).toHaveLength(entries.flatMap((some) => some.lines).length);
        const minors = sums.map((line) => BigInt((/ (-?\d+)\.(\d\d)$/.exec(line) ?? []).slice(1).join('')));
        expect(minors).toEqual(entries.flatMap((some) => some.lines.map(({ baseMinor }) => baseMinor)));
        expect(lines.filter((line) => line === '{')).toHaveLength(entries.length);
      }),
    );
  });
});
