// DATEV-Format, Buchungsstapel (header 700, format version 13) in code page 1252:
// https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel
import { formatScaled } from '../../../../kernel/decimal.js';
import { localTimeIn, type LocalDate } from '../../../../kernel/local-date.js';
import { cutText } from '../../../../kernel/text.js';
import type { FileEntry, FileLine } from '../file-entry.js';
import { MAX_COST_CENTER, type FilesSettings } from '../settings/files-settings.js';
import { receiptsGuid } from '../receipts/receipt-name.js';
import { encodeIn, singleLine, textIn } from './code-page.js';
import {
  currencyProblem,
  digitsOf,
  foreignAmount,
  paddedNumber,
  type JournalFormat,
  type PostedBatch,
} from './journal-file.js';

/** Ten digits before the comma, two behind it. */
const MAX_HUNDREDTHS = 10n ** 12n;
const MAX_TEXT = 60;
const MAX_DOCUMENT_NUMBER = 36;
const MAX_KIND = 20;
const MAX_CONTENT = 210;
const MAX_FURTHER_DIMENSIONS = 20;

/** Text stands in quotes, also when it is empty; numbers, days and accounts do not. */
type ColumnType = 'text' | 'plain';

const pairs = (name: string, separator: string, count: number): readonly (readonly [string, ColumnType])[] =>
  Array.from({ length: count }, (_, index) => (index + 1).toString()).flatMap((number) => [
    [`${name} - Art ${number}`, 'text'],
    [`${name}${separator}Inhalt ${number}`, 'text'],
  ]);

/** In the documented order. */
const COLUMNS: readonly (readonly [name: string, type: ColumnType])[] = [
  ['Umsatz (ohne Soll/Haben-Kz)', 'plain'],
  ['Soll/Haben-Kennzeichen', 'text'],
  ['WKZ Umsatz', 'text'],
  ['Kurs', 'plain'],
  ['Basis-Umsatz', 'plain'],
  ['WKZ Basis-Umsatz', 'text'],
  ['Konto', 'plain'],
  ['Gegenkonto (ohne BU-Schlüssel)', 'plain'],
  ['BU-Schlüssel', 'text'],
  ['Belegdatum', 'plain'],
  ['Belegfeld 1', 'text'],
  ['Belegfeld 2', 'text'],
  ['Skonto', 'plain'],
  ['Buchungstext', 'text'],
  ['Postensperre', 'plain'],
  ['Diverse Adressnummer', 'text'],
  ['Geschäftspartnerbank', 'plain'],
  ['Sachverhalt', 'plain'],
  ['Zinssperre', 'plain'],
  ['Beleglink', 'text'],
  ...pairs('Beleginfo', ' - ', 8),
  ['KOST1 - Kostenstelle', 'text'],
  ['KOST2 - Kostenstelle', 'text'],
  ['Kost-Menge', 'plain'],
  ['EU-Land u. UStID (Bestimmung)', 'text'],
  ['EU-Steuersatz (Bestimmung)', 'plain'],
  ['Abw. Versteuerungsart', 'text'],
  ['Sachverhalt L+L', 'plain'],
  ['Funktionsergänzung L+L', 'plain'],
  ['BU 49 Hauptfunktionstyp', 'plain'],
  ['BU 49 Hauptfunktionsnummer', 'plain'],
  ['BU 49 Funktionsergänzung', 'plain'],
  ...pairs('Zusatzinformation', '- ', 20),
  ['Stück', 'plain'],
  ['Gewicht', 'plain'],
  ['Zahlweise', 'plain'],
  ['Forderungsart', 'text'],
  ['Veranlagungsjahr', 'plain'],
  ['Zugeordnete Fälligkeit', 'plain'],
  ['Skontotyp', 'plain'],
  ['Auftragsnummer', 'text'],
  ['Buchungstyp', 'text'],
  ['USt-Schlüssel (Anzahlungen)', 'plain'],
  ['EU-Land (Anzahlungen)', 'text'],
  ['Sachverhalt L+L (Anzahlungen)', 'plain'],
  ['EU-Steuersatz (Anzahlungen)', 'plain'],
  ['Erlöskonto (Anzahlungen)', 'plain'],
  ['Herkunft-Kz', 'text'],
  ['Buchungs GUID', 'text'],
  ['KOST-Datum', 'plain'],
  ['SEPA-Mandatsreferenz', 'text'],
  ['Skontosperre', 'plain'],
  ['Gesellschaftername', 'text'],
  ['Beteiligtennummer', 'plain'],
  ['Identifikationsnummer', 'text'],
  ['Zeichnernummer', 'text'],
  ['Postensperre bis', 'plain'],
  ['Bezeichnung SoBil-Sachverhalt', 'text'],
  ['Kennzeichen SoBil-Buchung', 'plain'],
  ['Festschreibung', 'plain'],
  ['Leistungsdatum', 'plain'],
  ['Datum Zuord. Steuerperiode', 'plain'],
  ['Fälligkeit', 'plain'],
  ['Generalumkehr (GU)', 'text'],
  ['Steuersatz', 'plain'],
  ['Land', 'text'],
  ['Abrechnungsreferenz', 'text'],
  ['BVV-Position', 'plain'],
  ['EU-Land u. UStID (Ursprung)', 'text'],
  ['EU-Steuersatz (Ursprung)', 'plain'],
  ['Abw. Skontokonto', 'plain'],
];

export const datevFile: JournalFormat = {
  mediaType: 'text/csv; charset=windows-1252',
  textLength: MAX_TEXT,
  fileName: (batchNumber) => `EXTF_Buchungsstapel_${paddedNumber(batchNumber)}.csv`,
  problemOf,
  encode,
};

function problemOf(entry: FileEntry, settings: FilesSettings): string | undefined {
  if (digitsOf(entry.functionalCurrency) > 2) {
    return `DATEV files have two decimals, and ${entry.functionalCurrency} has more: choose CSV in the connection’s settings.`;
  }
  const isAccount = new RegExp(`^\\d{1,${(settings.datev?.accountLength ?? 4).toString()}}$`);
  const badAccount = entry.lines.find(({ accountCode }) => !isAccount.test(accountCode));
  if (badAccount !== undefined) {
    return `Account ${badAccount.accountCode} has other characters or more digits than the account length in the connection’s settings: correct one of them.`;
  }
  if (entry.lines.some(({ baseMinor }) => isTooLarge(hundredths(baseMinor, digitsOf(entry.functionalCurrency))))) {
    return 'An amount has more digits than DATEV files carry: split the entry.';
  }
  return currencyProblem(entry, settings) ?? sharedRowProblem(entry, settings);
}

/** Two lines that need a row each, in an entry without a line that both could be booked against. */
function sharedRowProblem(entry: FileEntry, settings: FilesSettings): string | undefined {
  const shared = pairLines(entry, settings).find(({ line, contra }) => areApart(line, contra, settings));
  if (shared === undefined) return undefined;
  const [one, other] = [shared.line, shared.contra];
  return haveOtherKeys(one, other, settings)
    ? `Accounts ${one.accountCode} and ${other.accountCode} have different DATEV keys, and a row of a DATEV file has one key for both: correct the chart of accounts in the connection’s settings, or book the entry by hand.`
    : 'Two lines of the entry balance each other with different values of a dimension, and a row of a DATEV file has one value for both: book the entry by hand, or choose CSV in the connection’s settings.';
}

function encode(batch: PostedBatch): Buffer {
  const lines = [
    headerLine(batch),
    COLUMNS.map(([name]) => name).join(';'),
    ...batch.entries.flatMap((entry) =>
      pairLines(entry, batch.settings).map((pair) => rowLine(entry, pair, batch.settings)),
    ),
  ];
  return encodeIn('win1252', lines.join('\r\n') + '\r\n');
}

function headerLine({ number, closedAt, fiscalYear, entries, settings }: PostedBatch): string {
  const days = entries.map(({ postingDate }) => postingDate).toSorted();
  const { consultant, client, accountLength } = settings.datev ?? { consultant: 1001, client: 1, accountLength: 4 };
  return [
    ...[
      text('EXTF'),
      '700',
      '21',
      text('Buchungsstapel'),
      '13',
      localTimeIn(closedAt, settings.timeZone).replace(/\D/g, ''),
    ],
    ...['', text(''), text(''), text(''), consultant.toString(), client.toString()],
    ...[compact(fiscalYear.from), accountLength.toString(), compact(days[0]), compact(days.at(-1))],
    ...[text(`Export ${paddedNumber(number)}`), text(''), '1', '0', '0', text(settings.functionalCurrency)],
    ...['', text(''), '', '', text(''), '', '', text(''), text('')],
  ].join(';');
}

/** A part of a line, against the same part of a line on the other side. */
export interface DatevPair {
  /** Positive, in minor units of the functional currency. */
  readonly minor: bigint;
  readonly line: FileLine;
  readonly contra: FileLine;
}

/**
 * A row has one account and one contra account, so the debits of an entry are paired with its credits in their order, and a
 * line that is larger than its counterpart is split. An entry with one line on one side gets one row for each line of the
 * other. The line of the side with more lines is the row's account. A row has its cost centers and its key for both accounts:
 * two lines with others are not paired with each other, but each with the counter line, where there is one.
 *
 * @param entry balanced in the functional currency; lines without an amount in it get no row
 */
export function pairLines(entry: FileEntry, settings: FilesSettings): readonly DatevPair[] {
  const debits = entry.lines.filter(({ baseMinor }) => baseMinor > 0n);
  const credits = entry.lines.filter(({ baseMinor }) => baseMinor < 0n);
  const isDebitLed = debits.length >= credits.length;
  const counter = entry.lines.find((line) => isCounterLine(line) && keyOf(line, settings) === undefined);
  const pairs: DatevPair[] = [];
  const open = credits.map((line) => ({ line, left: -line.baseMinor }));
  for (const debit of debits) {
    let left = debit.baseMinor;
    while (left > 0n) {
      const credit = open[0];
      if (credit === undefined) throw new RangeError(`entry ${entry.number.toString()} is not balanced`);
      const minor = left < credit.left ? left : credit.left;
      const [line, contra] = isDebitLed ? [debit, credit.line] : [credit.line, debit];
      pairs.push(
        ...(counter === undefined || !areApart(line, contra, settings)
          ? [{ minor, line, contra }]
          : [debit, credit.line].map((own) => ({ minor, line: own, contra: counter }))),
      );
      left -= minor;
      credit.left -= minor;
      if (credit.left === 0n) open.shift();
    }
  }
  return pairs;
}

function isCounterLine({ amountMinor, dimensions, taxCode }: FileLine): boolean {
  return amountMinor !== 0n && taxCode === undefined && Object.keys(dimensions).length === 0;
}

function areApart(line: FileLine, contra: FileLine, settings: FilesSettings): boolean {
  const [one, other] = [line.dimensions, contra.dimensions];
  return (
    haveOtherKeys(line, contra, settings) ||
    Object.keys(one).some((code) => Object.hasOwn(other, code) && other[code] !== one[code])
  );
}

function haveOtherKeys(line: FileLine, contra: FileLine, settings: FilesSettings): boolean {
  const [one, other] = [keyOf(line, settings), keyOf(contra, settings)];
  return one !== undefined && other !== undefined && one !== other;
}

function rowLine(entry: FileEntry, { minor, line, contra }: DatevPair, settings: FilesSettings): string {
  const cells = new Map<string, string>([
    ['Umsatz (ohne Soll/Haben-Kz)', amountText(minor, digitsOf(entry.functionalCurrency))],
    ['Soll/Haben-Kennzeichen', line.baseMinor > 0n ? 'S' : 'H'],
    ['WKZ Umsatz', entry.functionalCurrency],
    ['Konto', accountOf(line, settings)],
    ['Gegenkonto (ohne BU-Schlüssel)', accountOf(contra, settings)],
    ['BU-Schlüssel', keyOf(line, settings) ?? keyOf(contra, settings) ?? ''],
    // Day and month; the year is the header's.
    ['Belegdatum', `${entry.postingDate.slice(8)}${entry.postingDate.slice(5, 7)}`],
    ['Belegfeld 1', documentNumber(entry)],
    ['Belegfeld 2', entry.number.toString()],
    ['Buchungstext', fitted(entry.description, MAX_TEXT)],
    ['Beleglink', entry.receipts.length === 0 ? '' : `BEDI "${receiptsGuid(entry)}"`],
    ['Festschreibung', '0'],
    ['Fälligkeit', entry.dueDate === undefined ? '' : germanDay(entry.dueDate)],
    ...dimensionCells(line, contra, settings),
    ...information(entry, { minor, line, contra }),
  ]);
  return COLUMNS.map(([name, type]) => {
    const cell = cells.get(name) ?? '';
    return type === 'text' ? text(cell) : cell;
  }).join(';');
}

/** The vendor's own account, when its number is one digit longer than those of the chart; else the account. */
function accountOf({ accountCode, vendorCode }: FileLine, { datev }: FilesSettings): string {
  const isPersonal = new RegExp(`^\\d{${((datev?.accountLength ?? 4) + 1).toString()}}$`);
  return vendorCode !== undefined && isPersonal.test(vendorCode) ? vendorCode : accountCode;
}

function keyOf({ accountCode }: FileLine, { accounts }: FilesSettings): string | undefined {
  return accounts.get(accountCode)?.datevKey;
}

/** Dimensions 1 and 2 are cost centers; the others are information of the booking. */
function dimensionCells(line: FileLine, contra: FileLine, { dimensions }: FilesSettings): [string, string][] {
  const values = Object.entries({ ...contra.dimensions, ...line.dimensions });
  const numberOf = (code: string) => dimensions.get(code)?.number;
  const isCostCenter = ([code]: readonly [string, string]) => numberOf(code) === 1 || numberOf(code) === 2;
  const further = values.filter((value) => !isCostCenter(value)).slice(0, MAX_FURTHER_DIMENSIONS);
  return [
    ...values
      .filter(isCostCenter)
      .map(([code, value]): [string, string] => [
        `KOST${numberOf(code)?.toString() ?? ''} - Kostenstelle`,
        fitted(value, MAX_COST_CENTER),
      ]),
    ...further.flatMap(([code, value], index): [string, string][] => [
      [`Zusatzinformation - Art ${(index + 1).toString()}`, fitted(code, MAX_KIND)],
      [`Zusatzinformation- Inhalt ${(index + 1).toString()}`, fitted(value, MAX_CONTENT)],
    ]),
  ];
}

/** What has no field of its own; DATEV shows it with the booking and computes nothing from it. */
function information(entry: FileEntry, { minor, line, contra }: DatevPair): [string, string][] {
  const foreign = foreignAmount(entry, line.amountMinor);
  const isWhole = minor === line.baseMinor || minor === -line.baseMinor;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Fremdwährung', foreign === undefined || isWhole ? foreign : `Teil von ${foreign}`],
    ['Steuercode', line.taxCode ?? contra.taxCode],
    ['Lieferant', line.vendorCode ?? contra.vendorCode],
    ['Mitarbeiter', line.employee ?? contra.employee],
    ['Storno von', entry.reverses?.toString()],
    ['Ursprüngliches Datum', entry.originalDate && germanDay(entry.originalDate)],
    ['Referenz', entry.reference],
  ];
  return facts
    .filter(([, fact]) => fact !== undefined && fact !== '')
    .flatMap(([name, fact], index): [string, string][] => [
      [`Beleginfo - Art ${(index + 1).toString()}`, name],
      [`Beleginfo - Inhalt ${(index + 1).toString()}`, fitted(fact ?? '', MAX_CONTENT)],
    ]);
}

/** The field takes letters, digits and a few signs; others become hyphens. Without a number it is the entry's. */
function documentNumber(entry: FileEntry): string {
  const allowed = textIn('win1252', entry.documentNumber ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  const cleaned = allowed.replace(/[^\w$%\-/]+/g, '-');
  return cleaned === '' ? entry.number.toString() : cleaned.slice(0, MAX_DOCUMENT_NUMBER);
}

function amountText(minor: bigint, digits: number): string {
  return formatScaled(hundredths(minor, digits), 2).replace('.', ',');
}

function hundredths(minor: bigint, digits: number): bigint {
  return minor * 10n ** BigInt(2 - digits);
}

function isTooLarge(amount: bigint): boolean {
  return amount >= MAX_HUNDREDTHS || -amount >= MAX_HUNDREDTHS;
}

function fitted(value: string, limit: number): string {
  return cutText(textIn('win1252', singleLine(value)), limit);
}

/** @param value in characters of the code page */
function text(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

function compact(day: LocalDate | undefined): string {
  return day?.replaceAll('-', '') ?? '';
}

function germanDay(day: LocalDate): string {
  return `${day.slice(8)}${day.slice(5, 7)}${day.slice(0, 4)}`;
}
