// What a person enters to connect an ERP without an interface, with the words that the form shows.
import { z } from 'zod';
import type { JsonValue } from '../../../../kernel/json.js';
import { bucketFields } from './bucket-settings.js';

const DEFAULT_BOOKS = 'main';
/** Characters of one list. */
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

/** All but those of the bucket. */
export const bookFields = z.object({
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

export const settingsSchema = bookFields.extend(bucketFields).strict().meta({ title: 'Files' });

/** JSON Schema of the settings, by which the page shows their form. */
export const filesSettingsSchema = z.toJSONSchema(settingsSchema, { io: 'input' }) as unknown as Readonly<
  Record<string, JsonValue>
>;
