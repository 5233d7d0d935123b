// What a person enters to connect an ERP without an interface, and what is made of it.
import { z } from 'zod';
import { parseCurrency, type CurrencyCode } from '../../../../kernel/currency.js';
import type { JsonValue } from '../../../../kernel/json.js';
import { isTimeZone, parseLocalDate, type LocalDate } from '../../../../kernel/local-date.js';
import type { ErpSettings } from '../../kit/define-erp.js';
import { bucketFields, readBucket, type BucketSettings } from './bucket-settings.js';
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
const DEFAULT_BOOKS = 'main';
const MAX_LIST = 2_000_000;
interface Texts {
  readonly title: string;
  readonly description: string;
}
const list = (english: Texts, german: Texts) =>
  z
    .string()
    .max(MAX_LIST)
    .default('')
    .meta({ ...english, translations: { de: german } });

const bookFields = z.object({
  format: z.enum(['sie', 'datev', 'csv']).meta({
    title: 'File format',
    description: 'sie: SIE 4 vouchers; datev: DATEV Buchungsstapel; csv: one line per posting.',
    translations: {
      de: {
        title: 'Dateiformat',
        description: 'sie: Belege nach SIE 4; datev: DATEV-Buchungsstapel; csv: eine Zeile für jede Buchungszeile.',
      },
    },
  }),
  companyName: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({
      title: 'Company name',
      description: 'As in the books.',
      translations: { de: { title: 'Name des Unternehmens', description: 'Wie in den Büchern.' } },
    }),
  registrationNumber: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .meta({
      title: 'Registration number',
      description: 'By which the company of the expense platform is found.',
      translations: {
        de: { title: 'Registernummer', description: 'An der das Unternehmen der Spesenplattform erkannt wird.' },
      },
    }),
  books: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .default(DEFAULT_BOOKS)
    .meta({
      title: 'Name of these books',
      description: 'Only needed when the same company is connected more than once.',
      translations: {
        de: {
          title: 'Name dieser Bücher',
          description: 'Nur nötig, wenn dasselbe Unternehmen mehr als einmal verbunden ist.',
        },
      },
    }),
  functionalCurrency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'write three capital letters, for instance EUR')
    .meta({
      title: 'Functional currency',
      description: 'In which the books are kept: three capital letters, for instance EUR.',
      translations: {
        de: {
          title: 'Buchwährung',
          description: 'In der die Bücher geführt werden: drei Großbuchstaben, zum Beispiel EUR.',
        },
      },
    }),
  timeZone: z
    .string()
    .max(100)
    .meta({
      title: 'Time zone',
      description: 'For instance Europe/Stockholm.',
      translations: { de: { title: 'Zeitzone', description: 'Zum Beispiel Europe/Stockholm.' } },
    }),
  fiscalYearStart: z
    .string()
    .regex(/^\d{2}-\d{2}$/, 'write month and day, for instance 07-01')
    .default('01-01')
    .meta({
      title: 'Start of the fiscal year',
      description: 'Month and day, for instance 07-01.',
      translations: { de: { title: 'Beginn des Geschäftsjahres', description: 'Monat und Tag, zum Beispiel 07-01.' } },
    }),
  closedUntil: z
    .string()
    .regex(/^(\d{4}-\d{2}-\d{2})?$/, 'write a day as YYYY-MM-DD, or leave it empty')
    .default('')
    .meta({
      title: 'Closed until',
      description: 'The last closed day, YYYY-MM-DD; entries on it or before are refused. Empty: nothing is closed.',
      translations: {
        de: {
          title: 'Abgeschlossen bis',
          description:
            'Der letzte abgeschlossene Tag, JJJJ-MM-TT; Buchungen bis zu diesem Tag werden abgelehnt. Leer: Nichts ist abgeschlossen.',
        },
      },
    }),
  voucherSeries: z
    .string()
    .trim()
    .max(10)
    .default('')
    .meta({
      title: 'Voucher series (SIE)',
      description: 'Empty: the importing program decides.',
      translations: { de: { title: 'Belegserie (SIE)', description: 'Leer: Das einlesende Programm entscheidet.' } },
    }),
  datevConsultant: z
    .int()
    .min(1001)
    .max(9_999_999)
    .optional()
    .meta({
      title: 'Consultant number (DATEV)',
      description: 'Beraternummer, from the tax consultant.',
      translations: { de: { title: 'Beraternummer (DATEV)', description: 'Die Steuerberatung kennt sie.' } },
    }),
  datevClient: z
    .int()
    .min(1)
    .max(99_999)
    .optional()
    .meta({
      title: 'Client number (DATEV)',
      description: 'Mandantennummer, from the tax consultant.',
      translations: { de: { title: 'Mandantennummer (DATEV)', description: 'Die Steuerberatung kennt sie.' } },
    }),
  datevAccountLength: z
    .int()
    .min(4)
    .max(8)
    .default(4)
    .meta({
      title: 'Account length (DATEV)',
      description: 'Sachkontenlänge: digits of an account; those of a vendor have one more.',
      translations: {
        de: {
          title: 'Sachkontenlänge (DATEV)',
          description: 'Stellen eines Sachkontos; Kreditorenkonten haben eine mehr.',
        },
      },
    }),
  accounts: list(
    {
      title: 'Chart of accounts',
      description: 'CSV with the headings code, name; optional type, active, tax code, datev key. Or a SIE file.',
    },
    {
      title: 'Kontenplan',
      description:
        'CSV mit den Überschriften code, name; freiwillig type, active, tax code, datev key. Oder eine SIE-Datei.',
    },
  ),
  taxCodes: list(
    {
      title: 'Tax codes',
      description:
        'CSV with the headings code, name, rate in percent; optional active, type, input account, output account, deductible.',
    },
    {
      title: 'Steuerschlüssel',
      description:
        'CSV mit den Überschriften code, name, rate in Prozent; freiwillig active, type, input account, output account, deductible.',
    },
  ),
  dimensions: list(
    {
      title: 'Dimensions',
      description: 'CSV with the headings dimension, value; optional dimension name, value name, number, active.',
    },
    {
      title: 'Dimensionen',
      description: 'CSV mit den Überschriften dimension, value; freiwillig dimension name, value name, number, active.',
    },
  ),
  vendors: list(
    {
      title: 'Vendors',
      description:
        'CSV with the headings number, name; optional country, tax number, registration number, payables account, currency, employee, active.',
    },
    {
      title: 'Kreditoren',
      description:
        'CSV mit den Überschriften number, name; freiwillig country, tax number, registration number, payables account, currency, employee, active.',
    },
  ),
});

const schema = bookFields.extend(bucketFields).strict().meta({ title: 'Files' });

/** JSON Schema of the settings. */
export const filesSettingsSchema = z.toJSONSchema(schema, { io: 'input' }) as unknown as Readonly<
  Record<string, JsonValue>
>;

/** The file format, also of settings whose lists have problems. */
export function formatOf({ format }: ErpSettings): FilesSettings['format'] {
  return format === 'sie' || format === 'datev' ? format : 'csv';
}

/** @throws InvalidFilesSettings with all problems of the fields, or with those of the lists (20 of each at most) */
export function readFilesSettings(settings: ErpSettings): FilesSettings {
  const parsed = schema.safeParse(settings);
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
    typeof name === 'string' && name in schema.shape ? schema.shape[name as keyof typeof schema.shape] : undefined;
  return `${field?.meta()?.title ?? 'Settings'}: ${message}.`;
}
