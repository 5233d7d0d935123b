// Pure: the books in the syntax of Beancount 2 and 3 (https://beancount.github.io/docs/beancount_language_syntax.html).
import { currencyDigits } from '../../../../kernel/currency.js';
import { formatScaled } from '../../../../kernel/decimal.js';
import { Bug } from '../../../../kernel/faults.js';

/**
 * In which money an export is: `transaction` has each line in the currency of its entry and, where that is not the
 * functional one, what it is in base as its total price; `functional` has base amounts only.
 */
export type ExportedAmounts = 'transaction' | 'functional';

export interface ExportedAccount {
  /** See `beancountAccount`. */
  readonly account: string;
  readonly name: string;
}

/** What an account must come to, signed minor units, debit positive. */
export interface ExportedBalance {
  readonly account: string;
  readonly currency: string;
  readonly minor: bigint;
}

/** What stands before the entries. Days are `YYYY-MM-DD`. */
export interface ExportHead {
  readonly title: string;
  readonly functionalCurrency: string;
  readonly currencies: readonly string[];
  readonly accounts: readonly ExportedAccount[];
  readonly balances: readonly ExportedBalance[];
  /** Day of the first entry. */
  readonly opensOn: string;
  /** Day after the last entry. */
  readonly balancesOn: string;
}

export interface ExportedEntry {
  readonly id: string;
  readonly number: string;
  readonly key: string;
  readonly role: string;
  /** Number of the entry that this one cancels. */
  readonly reverses: string | null;
  /** `YYYY-MM-DD`. */
  readonly postingDate: string;
  readonly description: string;
  readonly currency: string;
  readonly lines: readonly ExportedLine[];
}

export interface ExportedLine {
  readonly account: string;
  /** Signed minor units of the entry's currency and of the functional one. */
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

/**
 * Options, accounts and what they must come to. The assertions come first in the file, though they hold on the day after
 * the last entry, so that a file that was cut short does not pass.
 */
export function headText(head: ExportHead): string {
  const { functionalCurrency, opensOn, balancesOn } = head;
  return [
    `option "title" ${quoted(head.title)}`,
    `option "operating_currency" "${functionalCurrency}"`,
    // A total price becomes a price per unit, which may have no end: half a minor unit is allowed for, never a whole one.
    `option "inferred_tolerance_default" "${functionalCurrency}:${formatScaled(5n, digitsOf(functionalCurrency) + 1)}"`,
    '',
    ...head.currencies.map((currency) => `${opensOn} commodity ${currency}`),
    '',
    ...head.accounts.flatMap(({ account, name }) => [`${opensOn} open ${account}`, `  name: ${quoted(name)}`]),
    '',
    ...head.balances.map(
      ({ account, currency, minor }) => `${balancesOn} balance ${account}  ${exact(minor, currency)} ${currency}`,
    ),
    '',
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** @param amounts which money the postings are in */
export function entryText(entry: ExportedEntry, functionalCurrency: string, amounts: ExportedAmounts): string {
  const { id, number, key, role, reverses } = entry;
  const metadata = { id, number, key, role, ...(reverses !== null && { reverses }) };
  return [
    `${entry.postingDate} * ${quoted(entry.description)}`,
    ...Object.entries(metadata).map(([name, value]) => `  ${name}: ${quoted(value)}`),
    ...entry.lines.map((line) => `  ${postingText(line, entry.currency, functionalCurrency, amounts)}`),
    '',
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function postingText(
  { account, amountMinor, baseMinor }: ExportedLine,
  currency: string,
  functionalCurrency: string,
  amounts: ExportedAmounts,
): string {
  const base = `${units(baseMinor, functionalCurrency)} ${functionalCurrency}`;
  // A line in base only (rounding, realized difference) has no amount in the currency of its entry.
  if (amounts === 'functional' || (currency !== functionalCurrency && amountMinor === 0n)) {
    return `${account}  ${base}`;
  }
  const amount = `${account}  ${units(amountMinor, currency)} ${currency}`;
  return currency === functionalCurrency ? amount : `${amount} @@ ${base.replace(/^-/, '')}`;
}

/** One digit more than the currency has: Beancount lets an assertion differ by one of its last digit. */
function exact(minor: bigint, currency: string): string {
  return formatScaled(minor * 10n, digitsOf(currency) + 1);
}

function units(minor: bigint, currency: string): string {
  return formatScaled(minor, digitsOf(currency));
}

function digitsOf(currency: string): number {
  const digits = currencyDigits(currency);
  if (digits === undefined) {
    throw new Bug(`the books hold an amount in ${currency}, which is no currency`);
  }
  return digits;
}

/** Line breaks are written as such; other control characters have no place in the syntax and become blanks. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
  return `"${escaped}"`;
}
