// The lists that an ERP would provide, as a person pastes them: CSV with headings, or the accounts of a SIE file.
import { readCsv, type CsvDelimiter } from '../../../../foundation/csv/csv-reader.js';
import { removeFormulaGuard } from '../../../../foundation/csv/formula-guard.js';
import { parseCurrency, type CurrencyCode } from '../../../../kernel/currency.js';
import { addDecimals, formatDecimal, parseDecimal, type Decimal } from '../../../../kernel/decimal.js';

export interface FileAccount {
  readonly code: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly active: boolean;
  readonly taxCode: string | undefined;
  /** Four digits: DATEV's key for bookings on this account, for instance 0040 against computing tax twice. */
  readonly datevKey: string | undefined;
}

export interface FileTaxCode {
  readonly code: string;
  readonly name: string;
  /** Decimal text of a share. */
  readonly rate: string;
  readonly active: boolean;
  readonly type: 'inclusive' | 'reverse' | undefined;
  readonly inputAccount: string | undefined;
  readonly outputAccount: string | undefined;
  /** Decimal text of a share. */
  readonly deductible: string | undefined;
}

export interface FileDimension {
  readonly code: string;
  readonly name: string;
  /** As the file format knows the dimension: SIE 1 cost center, 6 project, from 20 own; DATEV 1 KOST1, 2 KOST2. */
  readonly number: number | undefined;
  readonly values: ReadonlyMap<string, FileValue>;
}

export interface FileValue {
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
}

export interface FileVendor {
  readonly number: string;
  readonly name: string;
  readonly country: string | undefined;
  readonly taxNumber: string | undefined;
  readonly registrationNumber: string | undefined;
  readonly payablesAccount: string | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly isEmployee: boolean;
  readonly active: boolean;
}

/** Sentences that name the list, the line and what to do. */
export type Problems = string[];

const MAX_CELL = 200;
const MAX_ROWS = 20_000;
/** After so many the rest of a list is not read. */
const MAX_PROBLEMS = 20;

export function readAccounts(text: string, problems: Problems): ReadonlyMap<string, FileAccount> {
  if (/^\s*#KONTO\s/m.test(text)) return readSieAccounts(text, problems);
  const table = new Table('The chart of accounts', text, problems, {
    required: ['code', 'name'],
    optional: ['type', 'active', 'tax code', 'datev key'],
  });
  return table.read('code', (row) => {
    const datevKey = row.optional('datev key');
    if (datevKey !== undefined && !/^\d{4}$/.test(datevKey))
      row.report(`“${datevKey}” is no DATEV key: write four digits, for instance 0040.`);
    return {
      code: row.text('code'),
      name: row.text('name'),
      type: row.optional('type'),
      active: row.flag('active', true),
      taxCode: row.optional('tax code'),
      datevKey,
    };
  });
}

export function readTaxCodes(text: string, problems: Problems): ReadonlyMap<string, FileTaxCode> {
  const table = new Table('The tax codes', text, problems, {
    required: ['code', 'name', 'rate'],
    optional: ['active', 'type', 'input account', 'output account', 'deductible'],
  });
  return table.read('code', (row) => {
    const type = row.optional('type');
    if (type !== undefined && type !== 'inclusive' && type !== 'reverse')
      row.report(`“${type}” is no type: write inclusive or reverse, or leave it empty.`);
    return {
      code: row.text('code'),
      name: row.text('name'),
      rate: row.share('rate') ?? '0',
      active: row.flag('active', true),
      type: type === 'inclusive' || type === 'reverse' ? type : undefined,
      inputAccount: row.optional('input account'),
      outputAccount: row.optional('output account'),
      deductible: row.share('deductible'),
    };
  });
}

/** One line per value; the name and number of a dimension are those of its first line. */
export function readDimensions(text: string, problems: Problems): ReadonlyMap<string, FileDimension> {
  const table = new Table('The dimensions', text, problems, {
    required: ['dimension', 'value'],
    optional: ['dimension name', 'value name', 'number', 'active'],
  });
  const dimensions = new Map<string, FileDimension & { readonly values: Map<string, FileValue> }>();
  table.readRows((row) => {
    const code = row.text('dimension');
    const value = row.text('value');
    const number = row.optional('number');
    if (number !== undefined && !/^[1-9]\d{0,4}$/.test(number))
      row.report(`“${number}” is no number of a dimension: write a whole number from 1 to 99999.`);
    const name = row.optional('dimension name') ?? code;
    const dimension = dimensions.get(code) ?? {
      code,
      name,
      number: number === undefined ? undefined : Number(number),
      values: new Map<string, FileValue>(),
    };
    dimensions.set(code, dimension);
    if (dimension.values.has(value)) row.report(`value ${value} of ${code} is listed twice: remove one of the lines.`);
    dimension.values.set(value, {
      code: value,
      name: row.optional('value name') ?? value,
      active: row.flag('active', true),
    });
  });
  return dimensions;
}

export function readVendors(text: string, problems: Problems): ReadonlyMap<string, FileVendor> {
  const table = new Table('The vendors', text, problems, {
    required: ['number', 'name'],
    optional: ['country', 'tax number', 'registration number', 'payables account', 'currency', 'employee', 'active'],
  });
  return table.read('number', (row) => {
    const country = row.optional('country');
    if (country !== undefined && !/^[A-Z]{2}$/.test(country))
      row.report(`“${country}” is no country: write two capital letters, for instance DE.`);
    const code = row.optional('currency');
    const currency = code === undefined ? undefined : parseCurrency(code);
    if (code !== undefined && currency === undefined)
      row.report(`“${code}” is no currency: write three capital letters, for instance EUR.`);
    return {
      number: row.text('number'),
      name: row.text('name'),
      country,
      taxNumber: row.optional('tax number'),
      registrationNumber: row.optional('registration number'),
      payablesAccount: row.optional('payables account'),
      currency,
      isEmployee: row.flag('employee', false),
      active: row.flag('active', true),
    };
  });
}

interface Headings {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** A list with headings in any order and letter case. */
class Table {
  private readonly rows: readonly Row[];

  constructor(
    private readonly name: string,
    text: string,
    private readonly problems: Problems,
    headings: Headings,
  ) {
    this.rows = this.rowsOf(text, headings);
  }

  read<T>(key: string, build: (row: Row) => T): ReadonlyMap<string, T> {
    const found = new Map<string, T>();
    this.readRows((row) => {
      const code = row.text(key);
      if (found.has(code)) row.report(`${key} ${code} is listed twice: remove one of the lines.`);
      found.set(code, build(row));
    });
    return found;
  }

  readRows(use: (row: Row) => void): void {
    const before = this.problems.length;
    for (const row of this.rows) {
      if (this.problems.length - before >= MAX_PROBLEMS) return;
      use(row);
    }
  }

  private rowsOf(text: string, { required, optional }: Headings): readonly Row[] {
    if (text.trim() === '') return [];
    const known = [...required, ...optional];
    const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const limits = { cell: MAX_CELL, columns: known.length, rows: MAX_ROWS + 1 };
    const table = readCsv(plain, delimiterOf(plain), limits);
    if ('code' in table) {
      this.problems.push(`${this.name}, line ${table.line.toString()}: ${table.detail}`);
      return [];
    }
    const [header, ...body] = table.rows;
    const headings = header?.cells.map((cell) => cell.trim().toLowerCase().replaceAll('_', ' ')) ?? [];
    const unknown = headings.find((heading, index) => !known.includes(heading) || headings.indexOf(heading) !== index);
    const missing = required.find((heading) => !headings.includes(heading));
    if (unknown !== undefined || missing !== undefined) {
      const what = missing === undefined ? `“${unknown ?? ''}” is unknown or there twice` : `“${missing}” is missing`;
      this.problems.push(`${this.name}, line 1: the heading ${what}. Headings are ${known.join(', ')}.`);
      return [];
    }
    return body.map(({ line, cells }) => {
      const values = new Map(
        headings.map((heading, index) => [heading, removeFormulaGuard((cells[index] ?? '').trim())]),
      );
      return new Row(values, (problem) => this.problems.push(`${this.name}, line ${line.toString()}: ${problem}`));
    });
  }
}

class Row {
  constructor(
    private readonly values: ReadonlyMap<string, string>,
    readonly report: (problem: string) => void,
  ) {}

  text(heading: string): string {
    const value = this.optional(heading);
    if (value === undefined) this.report(`the ${heading} is missing: write it.`);
    return value ?? '';
  }

  optional(heading: string): string | undefined {
    const value = this.values.get(heading);
    return value === '' ? undefined : value;
  }

  flag(heading: string, absent: boolean): boolean {
    const value = this.optional(heading)?.toLowerCase();
    if (value !== undefined && value !== 'yes' && value !== 'no')
      this.report(`“${value}” under ${heading}: write yes or no.`);
    return value === undefined ? absent : value === 'yes';
  }

  /** @returns decimal text of a share, from percent: "25" or "25 %" is "0.25" */
  share(heading: string): string | undefined {
    const value = this.optional(heading);
    if (value === undefined) return undefined;
    const percent = parseDecimal(value.replace(/\s*%$/, '').replace(',', '.'));
    if (percent === undefined || percent.coefficient < 0n || isOver100(percent)) {
      this.report(`“${value}” under ${heading}: write a percentage from 0 to 100.`);
      return undefined;
    }
    return formatDecimal(addDecimals({ ...percent, scale: percent.scale + 2 }, { coefficient: 0n, scale: 0 }));
  }
}

function isOver100({ coefficient, scale }: Decimal): boolean {
  return coefficient > 100n * 10n ** BigInt(scale);
}

/** The one that the first line has most of. */
function delimiterOf(text: string): CsvDelimiter {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  const count = (delimiter: CsvDelimiter) => first.split(delimiter).length;
  const delimiters: readonly CsvDelimiter[] = [';', '\t', ','];
  return delimiters.toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

const SIE_TYPES = new Map(Object.entries({ T: 'asset', S: 'liability', K: 'expense', I: 'income' }));

/** `#KONTO code "name"` and `#KTYP code type`; all other lines of the file are skipped. */
function readSieAccounts(text: string, problems: Problems): ReadonlyMap<string, FileAccount> {
  const found = new Map<string, FileAccount>();
  const types = new Map<string, string>();
  const before = problems.length;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const [label, code = '', value = ''] = sieFields(line);
    if (label === '#KTYP') types.set(code, SIE_TYPES.get(value) ?? value);
    if (label !== '#KONTO') continue;
    const report = (problem: string) =>
      problems.push(`The chart of accounts, line ${(index + 1).toString()}: ${problem}`);
    if (code === '' || value === '' || code.length > MAX_CELL || value.length > MAX_CELL)
      report('an account has a number and a name of at most 200 characters: correct the line.');
    if (found.has(code)) report(`account ${code} is listed twice: remove one of the lines.`);
    if (found.size >= MAX_ROWS) report(`the list has more than ${MAX_ROWS.toString()} accounts: shorten it.`);
    if (problems.length - before >= MAX_PROBLEMS || found.size >= MAX_ROWS) break;
    found.set(code, { code, name: value, type: undefined, active: true, taxCode: undefined, datevKey: undefined });
  }
  return new Map([...found].map(([code, account]) => [code, { ...account, type: types.get(code) }]));
}

/** Fields are parted by blanks or tabs; a quoted one may hold them, and quotes behind a backslash. */
function sieFields(line: string): readonly string[] {
  return Array.from(line.matchAll(/"((?:\\"|[^"])*)"|([^\s"]+)/g), ([, quoted, plain]) =>
    (quoted?.replaceAll('\\"', '"') ?? plain ?? '').trim(),
  );
}
