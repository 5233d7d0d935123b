// What items are found and counted by, written beside each hundred of them: a search over all exports reads this little text, and
// decompresses only the items that it shows.
import { addDecimals, formatDecimal, parseDecimal, type Decimal } from '../../../../kernel/decimal.js';
import { parseLocalDate } from '../../../../kernel/local-date.js';
import { foldedText } from '../../../../kernel/text.js';
import { textOf, type ExportItem } from '../../../bookkeeping/item/export-item.js';
import { listedFactsOf } from './listed-facts.js';

/** An item with its result. */
export interface EndedItem {
  readonly item: ExportItem;
  readonly state: 'successful' | 'failed';
  /** Number in the ERP. */
  readonly externalId?: string | undefined;
}

/** Characters of a text that lists are sorted by: they stand in the cursor of a page. */
export const MAX_TEXT_KEY = 200;
/** Between the fields of a line, and around each code of a field that has several. */
export const FIELD = '\u001f';
export const CODE = '\u001e';

/** What of the platform's reference data an item names. */
export const USE_KINDS = ['categories', 'tax-codes', 'tags', 'vendors'] as const;
export type UseKind = (typeof USE_KINDS)[number];
/** Id on the platform, currency, sum in hundredths as on the wire, entries, last day. */
export type CodeUse = readonly [id: string, currency: string, hundredths: string, entries: number, lastDay: string];
export type CodeUses = Readonly<Partial<Record<UseKind, readonly CodeUse[]>>>;

export interface SearchColumns {
  /**
   * A line for each entry: id, state, date, type, amount, codes of accounts, words (the supplier first), and what they are ordered and
   * added up by: currency with the sign before it, how many characters of the words are the supplier, and the person.
   */
  readonly words: string;
  readonly uses: CodeUses;
  /** Days of the items; null where none is readable. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** @param ended by accounting entry */
export function searchColumnsOf(ended: readonly (readonly [string, EndedItem])[]): SearchColumns {
  const days = ended.flatMap(([, { item }]) => parseLocalDate(item.date.slice(0, 10)) ?? []).sort();
  return {
    words: ended.map(([id, each]) => lineOf(id, each)).join('\n'),
    uses: usesOf(ended.map(([, { item }]) => item)),
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
  };
}

function lineOf(id: string, { item, state, externalId = '' }: EndedItem): string {
  const { date, type, supplier, person, documentNumber, accounts } = listedFactsOf(item);
  const words = [supplier, documentNumber, person, externalId, ...accounts.flatMap(({ code, name }) => [code, name])];
  const { value, currency } = item.amount.inWalletCurrency;
  const codes = accounts.map(({ code }) => plainText(code)).join(CODE);
  return [
    ...[id, state === 'successful' ? 's' : 'f', plainText(date ?? ''), plainText(type ?? '')],
    amountKey(hundredthsAsMain(value)) ?? '',
    `${CODE}${codes}${CODE}`,
    plainText(foldedText(words.filter((word) => word !== null).join(' '))),
    `${value.startsWith('-') ? '-' : ''}${plainText(currency)}`,
    Array.from(foldedText(supplier ?? '')).length.toString(),
    plainText(foldedText(person ?? '')),
  ].join(FIELD);
}

/** Nothing in it separates lines or fields. */
function plainText(text: string): string {
  // As nearly all are.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/\p{Cc}/gu, ' ');
}

function hundredthsAsMain(value: string): string {
  const [, sign = '', digits = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const padded = digits.padStart(3, '0');
  return digits === '' ? '' : `${sign}${padded.slice(0, -2)}.${padded.slice(-2)}${rest}`;
}

/**
 * An amount in main units as all its spellings have it, without its sign: "-0125.50" and "125,5" are "125.5".
 * @returns undefined for text that is no amount
 */
export function amountKey(text: string): string | undefined {
  const [, whole, rest = ''] = /^-?(\d{1,20})(?:[.,](\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const fraction = rest.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`;
}

interface Counted {
  sum: Decimal;
  entries: number;
  lastDay: string;
  last?: ExportItem;
  readonly id: string;
  readonly currency: string;
}

const NOTHING: Decimal = { coefficient: 0n, scale: 0 };

/** Each entry counts once for each thing that it names, with the sum of the lines that do. */
function usesOf(items: readonly ExportItem[]): CodeUses {
  const found = new Map<UseKind, Map<string, Counted>>();
  const add = (
    kind: UseKind,
    id: string | undefined,
    amount: { currency: string; value: string },
    item: ExportItem,
  ) => {
    if (textOf(id) === undefined || id === undefined) return;
    const ofKind = found.get(kind) ?? new Map<string, Counted>();
    found.set(kind, ofKind);
    const key = `${id} ${amount.currency}`;
    const use = ofKind.get(key) ?? { id, currency: amount.currency, sum: NOTHING, entries: 0, lastDay: '' };
    ofKind.set(key, use);
    use.sum = addDecimals(use.sum, parseDecimal(amount.value) ?? NOTHING);
    use.entries += use.last === item ? 0 : 1;
    use.last = item;
    const day = item.date.slice(0, 10);
    if (day > use.lastDay) use.lastDay = day;
  };
  for (const item of items) {
    add('vendors', item.vendor?.id, item.amount.inWalletCurrency, item);
    for (const { account, tax, tags, lineAmount } of item.accountingEntryLines) {
      const amount = lineAmount.inWalletCurrency;
      add('categories', account?.id, amount, item);
      add('tax-codes', tax?.id, amount, item);
      for (const tag of tags ?? []) add('tags', tag?.id, amount, item);
    }
  }
  return Object.fromEntries(
    [...found].map(([kind, uses]) => [
      kind,
      [...uses.values()].map(({ id, currency, sum, entries, lastDay }): CodeUse => [
        id,
        currency,
        formatDecimal(sum),
        entries,
        lastDay,
      ]),
    ]),
  );
}
