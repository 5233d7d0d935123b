import { styleText } from 'node:util';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import type { DemoBooks, DemoOutcome, FailedItem, TrialBalanceRow } from './demo-outcome.js';

type Align = 'left' | 'right';

/** Of a reason, as wide as a terminal is at least. */
const MAX_REASON = 96;

/**
 * The outcomes on one screen: the verdict, a line for each company, and what failed with its reason.
 * @param seconds since the start
 * @param stream where it will be written: a terminal gets colors
 */
export function showResult(
  outcomes: readonly DemoOutcome[],
  seconds: number,
  stream: NodeJS.WritableStream,
): readonly string[] {
  const paint = (format: 'green' | 'red' | 'yellow' | 'bold', text: string) => styleText(format, text, { stream });
  const jobs = outcomes.map(({ exportJob }) => exportJob);
  const sum = (field: 'numberOfItems' | 'successful' | 'failed') =>
    jobs.reduce((total, job) => total + job[field], 0).toString();
  const counts = `${sum('successful')} of ${sum('numberOfItems')} entries posted, ${sum('failed')} need attention`;
  const isAsIntended = outcomes.every(({ asIntended }) => asIntended);
  const verdict = isAsIntended
    ? paint('green', 'Everything ended as the demo intends')
    : paint('red', 'Not everything ended as the demo intends');
  const failed = outcomes.flatMap(({ items }) => items);
  return [
    `${verdict}: ${counts} (${seconds.toFixed(1)} s)`,
    '',
    ...table(outcomes.map(companyRow), ['left', 'left', 'right', 'right', 'left']),
    ...(failed.length === 0 ? [] : ['', paint('bold', 'Needs attention'), ...failed.flatMap(failureLines)]),
  ];

  function failureLines({ type, subject, failureType, reason }: FailedItem): readonly string[] {
    return [`  ${paint('yellow', failureType)}  ${inWords(type)}: ${subject}`, `    ${inOneLine(reason)}`];
  }
}

function companyRow({ company, exportJob, ledger }: DemoOutcome): readonly string[] {
  const { status, successful, failed } = exportJob;
  const books = ledger === undefined ? 'in another accounting system' : totalOf(ledger);
  return [company, inWords(status), `${successful.toString()} posted`, `${failed.toString()} failed`, books];
}

function totalOf({ functional: { currency, debitMinor, creditMinor } }: DemoBooks): string {
  const [debit, credit] = [amount(debitMinor, currency), amount(creditMinor, currency)];
  const equal = debitMinor === creditMinor ? '=' : '≠';
  return `debit ${debit} ${equal} credit ${credit} ${currency}`;
}

function inOneLine(reason: string): string {
  return reason.length <= MAX_REASON ? reason : `${reason.slice(0, MAX_REASON - 1).trimEnd()}…`;
}

/** What was posted of each type, every account of the company's books, and the totals by currency. */
export function showTrialBalance({ posted, ledger }: DemoOutcome): readonly string[] {
  const rows = posted.map(({ type, items }) => [inWords(type), items.toString()]);
  return [
    'Posted',
    ...table(rows, ['left', 'right']),
    '',
    ...(ledger === undefined
      ? ['The trial balance is in the accounting system that the company is connected to.']
      : [...trialBalanceLines(ledger), '', ...totalLines(ledger)]),
  ];
}

function trialBalanceLines(ledger: DemoBooks): readonly string[] {
  const { accounts, functional } = ledger;
  const header = ['Account', 'Name', '', 'Debit', 'Credit', 'Balance', `in ${functional.currency}`];
  const rows = accounts.map((row) => trialBalanceRow(row, functional.currency));
  return [
    `Trial balance over ${ledger.entries.toString()} journal entries`,
    ...table([header, ...rows], ['left', 'left', 'left', 'right', 'right', 'right', 'right']),
  ];
}

function trialBalanceRow(row: TrialBalanceRow, functionalCurrency: string): readonly string[] {
  const { accountCode, accountName, currency, debitMinor, creditMinor, balanceMinor } = row;
  return [
    accountCode,
    accountName,
    currency,
    ...[debitMinor, creditMinor, balanceMinor].map((minor) => amount(minor, currency)),
    amount(row.baseBalanceMinor, functionalCurrency),
  ];
}

function totalLines({ functional, trialBalance }: DemoBooks): readonly string[] {
  const totals = [
    ...Object.entries(trialBalance).map(([currency, total]) => ({ name: currency, currency, ...total })),
    { name: `all in ${functional.currency}`, ...functional },
  ];
  const rows = totals.map(({ name, currency, debitMinor, creditMinor }) => [
    name,
    amount(debitMinor, currency),
    debitMinor === creditMinor ? '=' : '≠',
    amount(creditMinor, currency),
  ]);
  return ['Debit and credit in total', ...table(rows, ['left', 'right', 'left', 'right'])];
}

/** Columns as wide as their widest cell, two blanks apart, indented. */
function table(rows: readonly (readonly string[])[], columns: readonly Align[]): readonly string[] {
  const widths = columns.map((_, index) => Math.max(0, ...rows.map((row) => (row[index] ?? '').length)));
  return rows.map((row) => {
    const cells = columns.map((align, index) => {
      const [cell = '', width = 0] = [row[index], widths[index]];
      return align === 'left' ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** Minor units as main units; unchanged for an unknown currency. */
function amount(minor: string, code: string): string {
  const currency = parseCurrency(code);
  return currency === undefined ? minor : formatMinor(BigInt(minor), currency);
}

function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}
