// What is made of the settings that a person enters to connect an ERP without an interface.
import type { z } from 'zod';
import { parseCurrency, type CurrencyCode } from '../../../../kernel/currency.js';
import { isTimeZone, parseLocalDate, type LocalDate } from '../../../../kernel/local-date.js';
import type { ErpSettings } from '../../kit/define-erp.js';
import { readBucket, type BucketSettings } from './bucket-settings.js';
import { bookFields, settingsSchema } from './files-settings.schema.js';
import {
  readAccounts,
  readDimensions,
  readTaxCodes,
  readVendors,
  type FileAccount,
  type FileDimension,
  type FileTaxCode,
  type FileVendor,
} from './master-data-texts.js';

export interface FilesSettings {
  readonly format: 'sie' | 'datev' | 'csv';
  readonly companyName: string;
  readonly registrationNumber: string;
  /** Distinguishes several connections of one company. */
  readonly books: string;
  readonly functionalCurrency: CurrencyCode;
  /** IANA name. */
  readonly timeZone: string;
  /** "MM-DD". */
  readonly fiscalYearStart: string;
  /** Entries dated on this day or before are refused. */
  readonly closedUntil: LocalDate | undefined;
  /** Series of vouchers in SIE files; empty for the importing program's own. */
  readonly voucherSeries: string;
  /** Where batches are put as well. */
  readonly bucket: BucketSettings | undefined;
  readonly datev: { readonly consultant: number; readonly client: number; readonly accountLength: number } | undefined;
  readonly accounts: ReadonlyMap<string, FileAccount>;
  readonly taxCodes: ReadonlyMap<string, FileTaxCode>;
  readonly dimensions: ReadonlyMap<string, FileDimension>;
  readonly vendors: ReadonlyMap<string, FileVendor>;
}

/** The settings are not usable; each problem is a sentence that names what to correct. */
export class InvalidFilesSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join(' '));
    this.name = 'InvalidFilesSettings';
  }
}

/** Dimension numbers that SIE reserves for these. */
export const EMPLOYEES = 7;
export const VENDORS = 9;
/** Characters of a cost center in DATEV files. */
export const MAX_COST_CENTER = 36;

/** The file format, also of settings whose lists have problems. */
export function formatOf({ format }: ErpSettings): FilesSettings['format'] {
  return format === 'sie' || format === 'datev' ? format : 'csv';
}

/** @throws InvalidFilesSettings with all problems of the fields, or with those of the lists (20 of each at most) */
export function readFilesSettings(settings: ErpSettings): FilesSettings {
  const parsed = settingsSchema.safeParse(settings);
  if (!parsed.success) throw new InvalidFilesSettings(parsed.error.issues.map(sentenceOf));
  const { datevConsultant, datevClient, datevAccountLength, ...entered } = bookFields.parse(parsed.data);
  const problems: string[] = [];
  const functionalCurrency = parseCurrency(entered.functionalCurrency);
  if (functionalCurrency === undefined)
    problems.push(`Functional currency: ${entered.functionalCurrency} is no currency of ISO 4217.`);
  if (!isTimeZone(entered.timeZone))
    problems.push(`Time zone: “${entered.timeZone}” is none; write for instance Europe/Stockholm.`);
  // Fiscal years start in every year: not on February 29.
  if (parseLocalDate(`2001-${entered.fiscalYearStart}`) === undefined)
    problems.push(`Start of the fiscal year: there is no day ${entered.fiscalYearStart} in every year.`);
  const closedUntil = parseLocalDate(entered.closedUntil);
  if (entered.closedUntil !== '' && closedUntil === undefined)
    problems.push(`Closed until: there is no day ${entered.closedUntil}.`);
  const lists = {
    accounts: readAccounts(entered.accounts, problems),
    taxCodes: readTaxCodes(entered.taxCodes, problems),
    dimensions: readDimensions(entered.dimensions, problems),
    vendors: readVendors(entered.vendors, problems),
  };
  if (lists.accounts.size === 0 && problems.length === 0) problems.push('The chart of accounts is empty: paste it.');
  const datev =
    datevConsultant === undefined || datevClient === undefined
      ? undefined
      : { consultant: datevConsultant, client: datevClient, accountLength: datevAccountLength };
  const bucket = readBucket(parsed.data, problems);
  problems.push(...formatProblems(entered.format, datev, lists));
  if (functionalCurrency === undefined || problems.length > 0) throw new InvalidFilesSettings(problems);
  return { ...entered, ...lists, functionalCurrency, closedUntil, datev, bucket };
}

function formatProblems(
  format: FilesSettings['format'],
  datev: FilesSettings['datev'],
  { accounts, dimensions }: Pick<FilesSettings, 'accounts' | 'dimensions'>,
): readonly string[] {
  if (format === 'csv') return [];
  if (format === 'datev' && datev === undefined) {
    return ['DATEV files need the consultant number and the client number: ask the tax consultant for them.'];
  }
  const digits = format === 'sie' ? 10 : (datev?.accountLength ?? 4);
  const isAccount = new RegExp(`^\\d{1,${digits.toString()}}$`);
  const wrong = [...accounts.keys()].filter((code) => !isAccount.test(code)).slice(0, 5);
  const unnumbered = [...dimensions.values()].find(({ number }) => number === undefined);
  return [
    ...(wrong.length === 0
      ? []
      : [`Accounts have 1 to ${digits.toString()} digits in this file format: correct ${wrong.join(', ')}.`]),
    ...(format === 'datev' || unnumbered === undefined
      ? []
      : [
          `Dimension ${unnumbered.code} has no number, which SIE files need: 1 for cost centers, 6 for projects, from 20 for others.`,
        ]),
    ...sharedNumbers(format, dimensions),
    ...(format === 'sie' ? takenNumbers(dimensions) : longCostCenters(dimensions)),
  ];
}

/** A line with an employee or a vendor would have two objects of one dimension. */
function takenNumbers(dimensions: FilesSettings['dimensions']): readonly string[] {
  return [...dimensions.values()].flatMap(({ code, number }) => {
    const taken = number === EMPLOYEES ? 'employee' : number === VENDORS ? 'vendor' : undefined;
    return taken === undefined
      ? []
      : [
          `Dimension ${code} has the number ${String(number)}, by which SIE files name the ${taken} of a line: give it another, from 20.`,
        ];
  });
}

/** Cut to the field's length, two cost centers could become one. */
function longCostCenters(dimensions: FilesSettings['dimensions']): readonly string[] {
  return [...dimensions.values()]
    .filter(({ number }) => number === 1 || number === 2)
    .flatMap(({ code, values }) => {
      const long = [...values.keys()].find((value) => value.length > MAX_COST_CENTER);
      return long === undefined
        ? []
        : [
            `Value ${long} of dimension ${code} is longer than the ${MAX_COST_CENTER.toString()} characters of a cost center in DATEV files: shorten it.`,
          ];
    });
}

/** One sentence for each number that two dimensions have; DATEV files know only cost centers by it. */
function sharedNumbers(format: 'sie' | 'datev', dimensions: FilesSettings['dimensions']): readonly string[] {
  const numbered = [...dimensions.values()].filter(
    ({ number }) => number !== undefined && (format === 'sie' || number <= 2),
  );
  const why =
    format === 'sie' ? 'a SIE file could not tell them apart' : 'a line of a DATEV file has room for one of them';
  return [...Map.groupBy(numbered, ({ number }) => number)].flatMap(([number = 0, [first, second]]) =>
    first === undefined || second === undefined
      ? []
      : [
          `Dimensions ${first.code} and ${second.code} have the same number ${number.toString()}, and ${why}: give each its own.`,
        ],
  );
}

function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const [name] = path;
  const field =
    typeof name === 'string' && name in settingsSchema.shape
      ? settingsSchema.shape[name as keyof typeof settingsSchema.shape]
      : undefined;
  return `${field?.meta()?.title ?? 'Settings'}: ${message}.`;
}
