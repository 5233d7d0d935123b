// What the encoders of the three formats have in common: a batch goes in, the bytes of a file come out.
import { currencyDigits, type CurrencyCode } from '../../../../kernel/currency.js';
import { formatScaled } from '../../../../kernel/decimal.js';
import { addDays, parseLocalDate, type LocalDate } from '../../../../kernel/local-date.js';
import type { FileEntry } from '../file-entry.js';
import type { FilesSettings } from '../settings/files-settings.js';

/** What a file is made of. The same batch makes the same bytes. */
export interface PostedBatch {
  /** From 1, without gaps. */
  readonly number: number;
  readonly closedAt: Date;
  /** All entries are dated in it; both days included. */
  readonly fiscalYear: { readonly from: LocalDate; readonly to: LocalDate };
  /** By number; at least one, none discarded. */
  readonly entries: readonly FileEntry[];
  readonly settings: FilesSettings;
}

export interface JournalFormat {
  readonly mediaType: string;
  /** Characters of an entry's description that the file can carry. */
  readonly textLength: number;
  fileName(batchNumber: number): string;
  /**
   * Why the file could not carry the entry.
   * @returns a sentence for a bookkeeper; undefined when it can
   */
  problemOf(entry: FileEntry, settings: FilesSettings): string | undefined;
  /** @param batch with entries that have no problem */
  encode(batch: PostedBatch): Buffer;
}

export function paddedNumber(batchNumber: number): string {
  return batchNumber.toString().padStart(6, '0');
}

/** The fiscal year of a day; both days included. */
export function fiscalYearOf(
  day: LocalDate,
  { fiscalYearStart }: Pick<FilesSettings, 'fiscalYearStart'>,
): PostedBatch['fiscalYear'] {
  const year = Number(day.slice(0, 4));
  const startIn = (some: number) => dayOf(`${some.toString().padStart(4, '0')}-${fiscalYearStart}`);
  const from = startIn(day >= startIn(year) ? year : year - 1);
  return { from, to: addDays(startIn(Number(from.slice(0, 4)) + 1), -1) };
}

/** Why the entry is none of these books, whose files say their currency once; undefined when it is. */
export function currencyProblem(
  { functionalCurrency }: Pick<FileEntry, 'functionalCurrency'>,
  settings: Pick<FilesSettings, 'functionalCurrency'>,
): string | undefined {
  return functionalCurrency === settings.functionalCurrency
    ? undefined
    : `The entry is in ${functionalCurrency} books, the connection in ${settings.functionalCurrency}: correct the functional currency.`;
}

/** "USD 100.00", for a line in a foreign currency; undefined within the functional currency. */
export function foreignAmount(entry: FileEntry, amountMinor: bigint): string | undefined {
  const { currency, functionalCurrency } = entry;
  if (currency === functionalCurrency) return undefined;
  return `${currency} ${formatScaled(amountMinor, digitsOf(currency))}`;
}

export function digitsOf(currency: CurrencyCode): number {
  return currencyDigits(currency) ?? 2;
}

/** @throws RangeError when there is no such day */
function dayOf(text: string): LocalDate {
  const day = parseLocalDate(text);
  if (day === undefined) throw new RangeError(`no such day: ${text}`);
  return day;
}
