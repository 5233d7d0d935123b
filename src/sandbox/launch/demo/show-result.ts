import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import type { DemoBooks, DemoOutcome, FailedItem, TrialBalanceRow } from './demo-outcome.js';

type Align = 'left' | 'right';

/**
 * The outcomes as lines of text: of the first the job, the posted items, the items that need attention and the trial
 * balance, of the others the job and the totals.
 */
export function showResult(outcome: DemoOutcome, ...others: readonly DemoOutcome[]): readonly string[] {
  return [
    ...jobLines(outcome),
    '',
    ...postedLines(outcome),
    ...(outcome.items.length === 0 ? [] : ['', ...failureLines(outcome.items)]),
    ...(outcome.ledger === undefined
      ? ['', 'What was posted is in the accounting system that the company is connected to.']
      : ['', ...trialBalanceLines(outcome.ledger), '', ...totalLines(outcome.ledger)]),
    ...others.flatMap((other) => [
      '',
      ...jobLines(other),
      ...(other.ledger === undefined ? [] : totalLines(other.ledger)),
    ]),
  ];
}

function jobLines({ company, exportJob, asIntended }: DemoOutcome): readonly string[] {
  const { id, status, numberOfItems, successful, failed } = exportJob;
  return [
    `Export job ${id} of ${company}: ${inWords(status)}`,
    `${numberOfItems.toString()} entries: ${successful.toString()} posted, ${failed.toString()} to be mended${asIntended ? ', as the demo intends' : ''}`,
  ];
}

function postedLines({ posted }: DemoOutcome): readonly string[] {
  const rows = posted.map(({ type, items }) => [inWords(type), items.toString()]);
  return ['Posted', ...table(rows, ['left', 'right'])];
}

function failureLines(items: readonly FailedItem[]): readonly string[] {
  return [
    'To be mended',
    ...items.flatMap(({ type, subject, failureType, reason }) => [
      `  ${inWords(type)}: ${subject} (${failureType})`,
      `    ${reason}`,
    ]),
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
