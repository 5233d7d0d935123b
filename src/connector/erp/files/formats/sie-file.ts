// SIE 4, the import variant with vouchers (4I), in code page 437: https://sie.se/format/
import { formatScaled } from '../../../../kernel/decimal.js';
import { localDateIn, type LocalDate } from '../../../../kernel/local-date.js';
import type { FileEntry, FileLine } from '../file-entry.js';
import { EMPLOYEES, VENDORS, type FilesSettings } from '../settings/files-settings.js';
import { encodeIn, singleLine, textIn } from './code-page.js';
import {
  currencyProblem,
  digitsOf,
  foreignAmount,
  paddedNumber,
  type JournalFormat,
  type PostedBatch,
} from './journal-file.js';

const MAX_MINOR = 10n ** 15n;

export const sieFile: JournalFormat = {
  mediaType: 'text/plain; charset=ibm437',
  textLength: 100,
  fileName: (batchNumber) => `vouchers-${paddedNumber(batchNumber)}.si`,
  problemOf,
  encode: (batch) => encodeIn('cp437', linesOf(batch).join('\r\n') + '\r\n'),
};

function problemOf(entry: FileEntry, settings: FilesSettings): string | undefined {
  if (digitsOf(entry.functionalCurrency) > 2) {
    return `SIE files have two decimals, and ${entry.functionalCurrency} has more: choose CSV in the connection’s settings.`;
  }
  const badAccount = entry.lines.find(({ accountCode }) => !/^\d{1,10}$/.test(accountCode));
  if (badAccount !== undefined) {
    return `Account ${badAccount.accountCode} is no number, as SIE files need it: correct the chart of accounts.`;
  }
  const unnumbered = entry.lines
    .flatMap(({ dimensions }) => Object.keys(dimensions))
    .find((code) => settings.dimensions.get(code)?.number === undefined);
  if (unnumbered !== undefined) {
    return `Dimension ${unnumbered} is not in the connection’s settings, or has no number there: add it again.`;
  }
  return entry.lines.some(({ baseMinor }) => baseMinor >= MAX_MINOR || -baseMinor >= MAX_MINOR)
    ? 'An amount has more digits than SIE files carry: split the entry.'
    : currencyProblem(entry, settings);
}

function linesOf(batch: PostedBatch): readonly string[] {
  const { settings, entries, closedAt } = batch;
  const currency = settings.functionalCurrency;
  return [
    '#FLAGGA 0',
    '#PROGRAM "ERP export connector" "1"',
    '#FORMAT PC8',
    `#GEN ${compact(localDateIn(closedAt, settings.timeZone))}`,
    '#SIETYP 4',
    `#ORGNR ${quoted(hyphenated(settings.registrationNumber))}`,
    `#FNAMN ${quoted(settings.companyName)}`,
    ...(currency === 'SEK' ? [] : [`#VALUTA ${currency}`]),
    ...accountLines(batch),
    ...dimensionLines(batch),
    ...entries.flatMap((entry) => voucherLines(entry, settings)),
  ];
}

function accountLines({ entries, settings }: PostedBatch): readonly string[] {
  const used = new Set(entries.flatMap(({ lines }) => lines.map(({ accountCode }) => accountCode)));
  return [...used].toSorted().map((code) => `#KONTO ${code} ${quoted(settings.accounts.get(code)?.name ?? code)}`);
}

/** Declares each dimension and object that a line names, once. */
function dimensionLines({ entries, settings }: PostedBatch): readonly string[] {
  const used = entries.flatMap(({ lines }) => lines.flatMap((line) => objectsOf(line, settings)));
  const byDimension = Map.groupBy(used, ({ dimension }) => dimension);
  return [...byDimension.entries()]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([dimension, objects]) => {
      const values = new Map(objects.map(({ value, name }) => [value, name]));
      const name = objects[0]?.dimensionName ?? '';
      return [
        `#DIM ${dimension.toString()} ${quoted(name)}`,
        ...[...values.entries()]
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([value, valueName]) => `#OBJEKT ${dimension.toString()} ${quoted(value)} ${quoted(valueName)}`),
      ];
    });
}

interface SieObject {
  readonly dimension: number;
  readonly dimensionName: string;
  readonly value: string;
  readonly name: string;
}

function objectsOf(line: FileLine, settings: FilesSettings): readonly SieObject[] {
  const own = Object.entries(line.dimensions).flatMap(([code, value]) => {
    const dimension = settings.dimensions.get(code);
    if (dimension?.number === undefined) return [];
    const name = dimension.values.get(value)?.name ?? value;
    return [{ dimension: dimension.number, dimensionName: dimension.name, value, name }];
  });
  const { vendorCode, employee } = line;
  const vendor = settings.vendors.get(vendorCode ?? '');
  return [
    ...own,
    ...(employee === undefined
      ? []
      : [{ dimension: EMPLOYEES, dimensionName: 'Anställd', value: employee, name: employee }]),
    ...(vendorCode === undefined
      ? []
      : [{ dimension: VENDORS, dimensionName: 'Leverantör', value: vendorCode, name: vendor?.name ?? vendorCode }]),
  ];
}

/** Series and number of the voucher are left to the program that imports it, the number always. */
function voucherLines(entry: FileEntry, settings: FilesSettings): readonly string[] {
  const date = compact(entry.postingDate);
  const moved = entry.originalDate && `ursprungligt datum ${entry.originalDate}`;
  const parts = [entry.description, entry.documentNumber, moved].filter((part) => part !== undefined && part !== '');
  return [
    `#VER ${quoted(settings.voucherSeries)} "" ${date} ${quoted(`${parts.join(', ')} [${entry.number.toString()}]`)}`,
    '{',
    ...entry.lines.map((line) => {
      const objects = objectsOf(line, settings).map(
        ({ dimension, value }) => `${dimension.toString()} ${quoted(value)}`,
      );
      const amount = amountText(line.baseMinor, digitsOf(entry.functionalCurrency));
      const note = [line.taxCode, foreignAmount(entry, line.amountMinor)]
        .filter((part) => part !== undefined)
        .join(' ');
      const rest = note === '' ? '' : ` ${date} ${quoted(note)}`;
      return `#TRANS ${line.accountCode} {${objects.join(' ')}} ${amount}${rest}`;
    }),
    '}',
  ];
}

/** SIE wants a hyphen after the sixth digit of a Swedish number. */
function hyphenated(registrationNumber: string): string {
  return registrationNumber.replace(/^(\d{6})(\d{4})$/, '$1-$2');
}

/** Decimal point, two digits, a minus for credit. */
function amountText(minor: bigint, digits: number): string {
  return formatScaled(minor * 10n ** BigInt(2 - digits), 2);
}

/** A backslash escapes a quote and means nothing else, so others become slashes. */
function quoted(text: string): string {
  const escaped = textIn('cp437', singleLine(text)).replaceAll('\\', '/').replaceAll('"', '\\"');
  return `"${escaped}"`;
}

function compact(day: LocalDate): string {
  return day.replaceAll('-', '');
}
