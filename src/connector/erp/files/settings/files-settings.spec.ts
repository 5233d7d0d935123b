import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ENTERED, filesSettings } from '../files.fixtures.js';
import { filesSettingsSchema } from './files-settings.schema.js';
import { InvalidFilesSettings, readFilesSettings } from './files-settings.js';

/** What a person reads when these settings are entered. */
function problemsOf(more: Readonly<Record<string, string | number>>): readonly string[] {
  try {
    filesSettings(more);
    return [];
  } catch (error) {
    if (error instanceof InvalidFilesSettings) return error.problems;
    throw error;
  }
}

const TEXT: unknown = expect.stringMatching(/./);

describe('the settings of a file connection', () => {
  it('are parsed into the master data of the ERP', () => {
    const { accounts, taxCodes, dimensions, vendors, ...others } = filesSettings();
    expect(others).toEqual({
      format: 'csv',
      companyName: 'Nordlys AB',
      registrationNumber: '556677-8899',
      books: 'main',
      functionalCurrency: 'EUR',
      timeZone: 'Europe/Stockholm',
      fiscalYearStart: '01-01',
      closedUntil: '2026-01-31',
      voucherSeries: '',
      datev: { consultant: 29098, client: 55003, accountLength: 4 },
    });
    expect([...accounts.values()].map(({ code, name, active, datevKey }) => [code, name, active, datevKey])).toEqual([
      ['1935', 'Wallet', true, undefined],
      ['2440', 'Accounts payable', true, undefined],
      ['2641', 'Input tax', true, undefined],
      ['5410', 'Förbrukning "små"', true, '0040'],
      ['9999', 'Old', false, undefined],
    ]);
    expect(taxCodes.get('I25')).toMatchObject({ rate: '0.25', inputAccount: '2641', deductible: '0.5' });
    expect(dimensions.get('PR')).toMatchObject({ name: 'Projekt', number: 6 });
    expect([...(dimensions.get('PR')?.values.values() ?? [])]).toEqual([{ code: 'P-1', name: 'Bygge', active: true }]);
    expect(
      [...vendors.values()].map(({ number, active, payablesAccount }) => [number, active, payablesAccount]),
    ).toEqual([
      ['V-7', true, '2440'],
      ['V-8', false, undefined],
      ['70007', true, undefined],
    ]);
  });

  it('accept the accounts of a SIE file and ignore its other records', () => {
    const accounts = [
      '#FLAGGA 0',
      '#KONTO 1510 "Kund \\"A\\""',
      '#KTYP 1510 T',
      '#KONTO\t3001  Sales',
      '#VER A 1 20260101',
      '{',
      '}',
    ];
    const read = filesSettings({ accounts: accounts.join('\r\n') }).accounts;
    expect([...read.values()].map(({ code, name, type }) => [code, name, type])).toEqual([
      ['1510', 'Kund "A"', 'asset'],
      ['3001', 'Sales', undefined],
    ]);
  });

  it.each([
    ['commas', 'Code,NAME\n1,"a, b"\n', 'a, b'],
    ['semicolons', 'code;name\n1;a, b', 'a, b'],
    ['tabs and a byte order mark', '\uFEFFname\tcode\r\na, b\t1\r\n', 'a, b'],
    ['a formula guard', "code;name\n1;'=x", '=x'],
  ])('accept lists with %s', (_, accounts, name) => {
    expect(filesSettings({ accounts }).accounts.get('1')?.name).toBe(name);
  });

  it.each([
    ['25', '0.25'],
    ['7,7 %', '0.077'],
    ['0', '0'],
    ['100%', '1'],
  ])('read %s percent as the share %s', (percent, share) => {
    expect(filesSettings({ taxCodes: `code;name;rate\nT;T;${percent}` }).taxCodes.get('T')?.rate).toBe(share);
  });

  it.each<[problem: string, more: Readonly<Record<string, string | number>>]>([
    ['Functional currency: EUX is no currency of ISO 4217.', { functionalCurrency: 'EUX' }],
    ['Functional currency: write three capital letters, for instance EUR.', { functionalCurrency: 'eur' }],
    ['Time zone: “Europe/Nowhere” is none; write for instance Europe/Stockholm.', { timeZone: 'Europe/Nowhere' }],
    ['Start of the fiscal year: there is no day 02-29 in every year.', { fiscalYearStart: '02-29' }],
    ['Closed until: there is no day 2026-02-30.', { closedUntil: '2026-02-30' }],
    ['The chart of accounts is empty: paste it.', { accounts: '' }],
    [
      'The chart of accounts, line 1: the heading “name” is missing. Headings are code, name, type, active, tax code, datev key.',
      { accounts: 'code\n1' },
    ],
    [
      'The chart of accounts, line 1: the heading “nam” is unknown or there twice. Headings are code, name, type, active, tax code, datev key.',
      { accounts: 'code;name;nam\n1;a;b' },
    ],
    ['The chart of accounts, line 3: the name is missing: write it.', { accounts: 'code;name\n1;a\n2;' }],
    [
      'The chart of accounts, line 3: code 1 is listed twice: remove one of the lines.',
      { accounts: 'code;name\n1;a\n1;b' },
    ],
    [
      'The chart of accounts, line 2: “maybe” under active: write yes or no.',
      { accounts: 'code;name;active\n1;a;maybe' },
    ],
    [
      'The chart of accounts, line 2: “40” is no DATEV key: write four digits, for instance 0040.',
      { accounts: 'code;name;datev key\n1;a;40' },
    ],
    ['The chart of accounts, line 2: The quote that opens here is never closed.', { accounts: 'code;name\n1;"a' }],
    [
      'The chart of accounts, line 2: account 1510 is listed twice: remove one of the lines.',
      { accounts: '#KONTO 1510 "a"\n#KONTO 1510 "b"' },
    ],
    ['The tax codes, line 2: “x” under rate: write a percentage from 0 to 100.', { taxCodes: 'code;name;rate\nT;T;x' }],
    [
      'The tax codes, line 2: “101” under rate: write a percentage from 0 to 100.',
      { taxCodes: 'code;name;rate\nT;T;101' },
    ],
    [
      'The dimensions, line 3: value 1 of CC is listed twice: remove one of the lines.',
      { dimensions: 'dimension;value\nCC;1\nCC;1' },
    ],
    [
      'The dimensions, line 2: “one” is no number of a dimension: write a whole number from 1 to 99999.',
      { dimensions: 'dimension;value;number\nCC;1;one' },
    ],
    [
      'The vendors, line 2: “DEU” is no country: write two capital letters, for instance DE.',
      { vendors: 'number;name;country\n1;a;DEU' },
    ],
    [
      'The vendors, line 2: “EUX” is no currency: write three capital letters, for instance EUR.',
      { vendors: 'number;name;currency\n1;a;EUX' },
    ],
    ['Accounts have 1 to 10 digits in this file format: correct A1.', { format: 'sie', accounts: 'code;name\nA1;a' }],
    [
      'Accounts have 1 to 4 digits in this file format: correct 54100.',
      { format: 'datev', accounts: 'code;name\n54100;a' },
    ],
    [
      'Dimension CC has no number, which SIE files need: 1 for cost centers, 6 for projects, from 20 for others.',
      { format: 'sie', dimensions: 'dimension;value\nCC;1' },
    ],
    [
      'Dimensions CC and PR have the same number 20, and a SIE file could not tell them apart: give each its own.',
      { format: 'sie', dimensions: 'dimension;value;number\nCC;1;20\nPR;1;20' },
    ],
    [
      'Dimension STAFF has the number 7, by which SIE files name the employee of a line: give it another, from 20.',
      { format: 'sie', dimensions: 'dimension;value;number\nCC;1;1\nSTAFF;1;7' },
    ],
    [
      'Dimension SUP has the number 9, by which SIE files name the vendor of a line: give it another, from 20.',
      { format: 'sie', dimensions: 'dimension;value;number\nSUP;1;9' },
    ],
    [
      `Value ${'1'.repeat(37)} of dimension CC is longer than the 36 characters of a cost center in DATEV files: shorten it.`,
      { format: 'datev', dimensions: `dimension;value;number\nCC;${'1'.repeat(36)};1\nCC;${'1'.repeat(37)};1` },
    ],
    [
      'Dimensions CC and PR have the same number 2, and a line of a DATEV file has room for one of them: give each its own.',
      { format: 'datev', dimensions: 'dimension;value;number\nCC;1;2\nPR;1;2' },
    ],
  ])('%s', (problem, more) => {
    expect(problemsOf(more)).toEqual([problem]);
  });

  it('take dimensions of one number where the file names each dimension', () => {
    const dimensions = 'dimension;value;number\nCC;1;3\nPR;1;3';
    expect(problemsOf({ format: 'csv', dimensions: dimensions.replaceAll('3', '1') })).toEqual([]);
    expect(problemsOf({ format: 'datev', dimensions })).toEqual([]);
  });

  it('name each missing or wrong field by its label in the form', () => {
    expect(problemsOf({ format: 'xls', datevClient: 0 }).map((problem) => problem.split(':')[0])).toEqual([
      'File format',
      'Client number (DATEV)',
    ]);
    expect(() => readFilesSettings({ format: 'csv' })).toThrow(
      /Company name: .*Registration number: .*Functional currency: .*Time zone: /,
    );
  });

  it('require the numbers of a DATEV client', () => {
    const without = Object.fromEntries(Object.entries(ENTERED).filter(([name]) => name !== 'datevClient'));
    expect(() => readFilesSettings({ ...without, format: 'datev' })).toThrow('DATEV files need the consultant number');
  });

  it('stop at twenty problems of a list, and at its maximum number of lines', () => {
    const bad = Array.from({ length: 100 }, (_, index) => `${index.toString()};`);
    expect(problemsOf({ accounts: ['code;name', ...bad].join('\n') })).toHaveLength(20);
    const many = Array.from({ length: 20_001 }, (_, index) => `${index.toString()};a`);
    expect(problemsOf({ accounts: ['code;name', ...many].join('\n') })).toEqual([
      'The chart of accounts, line 20002: The file has more than 20000 rows: split it.',
    ]);
  });

  it('are described by a JSON Schema with a title for each field', () => {
    expect(filesSettingsSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['format', 'companyName', 'registrationNumber', 'functionalCurrency', 'timeZone'],
    });
    const properties = Object.values(filesSettingsSchema['properties'] as object);
    expect(properties).toHaveLength(22);
    const ajv = new Ajv2020({ strict: true, allErrors: true, formats: { uri: true } }).addKeyword('translations');
    const admits = ajv.compile(filesSettingsSchema);
    expect(admits(ENTERED)).toBe(true);
    expect(admits({ ...ENTERED, format: 'xls' })).toBe(false);
    expect(admits({ ...ENTERED, datevclient: 1 })).toBe(false);
    expect(properties.every((property) => 'title' in property && 'description' in property)).toBe(true);
    expect(properties).toEqual(
      properties.map(() => expect.objectContaining({ translations: { de: { title: TEXT, description: TEXT } } })),
    );
  });
});

describe('the settings of a bucket', () => {
  const KEY = { bucketAccessKeyId: 'AKIA1', bucketSecretAccessKey: 'a/secret/of/it' };
  const PLACE = { bucketAddress: 'https://s3.example.com/', bucketName: 'books' };
  const problemsOf = (more: object) => {
    try {
      return filesSettings({ ...more }).bucket;
    } catch (error) {
      return (error as InvalidFilesSettings).problems;
    }
  };

  it('have its address, name and folder as they were entered', () => {
    expect(problemsOf({ ...PLACE, ...KEY, bucketPrefix: 'books/2026' })).toEqual({
      address: 'https://s3.example.com',
      bucket: 'books',
      prefix: 'books/2026/',
      region: 'us-east-1',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'a/secret/of/it',
    });
  });

  it('are absent when only its key is left', () => {
    expect(problemsOf(KEY)).toBeUndefined();
  });

  it.each([
    ['without a key', PLACE, /needs its address/],
    ['without a name', { ...KEY, bucketAddress: 'https://s3.example.com' }, /needs its address/],
    ['with a query', { ...PLACE, ...KEY, bucketAddress: 'https://s3.example.com/?a=b' }, /without user, query/],
    ['with a folder above', { ...PLACE, ...KEY, bucketPrefix: '../books' }, /^Folder in the bucket: write names/],
  ])('are reported when entered %s', (_, more, problem) => {
    expect(problemsOf(more)).toEqual([expect.stringMatching(problem)]);
  });
});
