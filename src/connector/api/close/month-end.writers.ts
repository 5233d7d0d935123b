// A month end as a file for spreadsheets and as a page for paper.
import { writeCsv, type CsvCell } from '../../../foundation/csv/csv-writer.js';
import { message, type Message } from '../../../kernel/message.js';
import { localize } from '../../messages/texts.js';
import { textOfMoney, type MoneyResponse } from '../http/money.dto.js';
import type { MonthAccountResponse, MonthEndResponse, MonthSignOffResponse } from './month-ends.dto.js';
import { escaped, figure, reportPage, reportXlsx, table, type ReportRow } from './report-files.js';

const HEADING = [
  'section',
  'role',
  'code',
  'name',
  'currency',
  'opening',
  'debit',
  'credit',
  'closing',
  'ledger_opening',
  'ledger_debit',
  'ledger_credit',
  'ledger_closing',
  'difference',
  'date',
  'why',
  'who',
  'text',
] as const;
type Cells = Readonly<Partial<Record<(typeof HEADING)[number], CsvCell>>>;

export function monthEndCsv(report: MonthEndResponse): string {
  return writeCsv(rowsOf(report));
}

export async function monthEndXlsx(report: MonthEndResponse): Promise<Buffer> {
  return reportXlsx(report.month, rowsOf(report));
}

/** One row for each account, missing entry, discrepancy and changed figure. */
function rowsOf(report: MonthEndResponse): readonly (readonly CsvCell[])[] {
  const rows: Cells[] = [
    ...report.accounts.map((account) => ({
      section: 'account',
      role: account.role ?? '',
      code: account.accountCode,
      name: account.accountName ?? '',
      currency: account.currency,
      opening: figure(mainUnits(account.ours.opening)),
      debit: figure(mainUnits(account.ours.debit)),
      credit: figure(mainUnits(account.ours.credit)),
      closing: figure(mainUnits(account.ours.closing)),
      ledger_opening: figure(mainUnits(account.ledger?.opening)),
      ledger_debit: figure(mainUnits(account.ledger?.debit)),
      ledger_credit: figure(mainUnits(account.ledger?.credit)),
      ledger_closing: figure(mainUnits(account.ledger?.closing)),
      difference: figure(mainUnits(account.difference)),
      text: account.ledgerMissing ?? '',
    })),
    ...report.missing.map(({ accountingEntryId, supplier, money, date, why, who, reason }) => ({
      section: 'missing',
      code: accountingEntryId,
      name: supplier ?? '',
      currency: money?.currency ?? '',
      difference: figure(mainUnits(money)),
      ...{ date, why, who, text: reason.text },
    })),
    ...report.discrepancies.map(({ class: kind, subject, entry, state, date, money, message: { text }, note }) => ({
      section: 'discrepancy',
      role: kind,
      code: subject,
      name: state,
      currency: money?.currency ?? '',
      difference: figure(mainUnits(money)),
      date: entry?.date ?? date,
      text: [entry?.supplier, text, note].filter(Boolean).join(' · '),
    })),
    ...report.changedSinceSignOff.map(({ accountCode, accountName, side, signed, now }) => ({
      section: 'changed',
      role: side,
      code: accountCode,
      name: accountName ?? '',
      currency: now?.currency ?? '',
      opening: figure(mainUnits(signed)),
      closing: figure(mainUnits(now)),
    })),
  ];
  return [HEADING, ...rows.map((cells) => HEADING.map((name) => cells[name] ?? ''))];
}

type Say = (code: string, parameters?: Message['parameters']) => string;

/** A table of the page for paper. */
interface Section {
  readonly code: string;
  readonly columns: readonly string[];
  /** Index of the first column of figures. */
  readonly figuresFrom: number;
  readonly rows: readonly ReportRow[];
}

/** @param language of the reader */
export function monthEndPage(report: MonthEndResponse, language: string): string {
  const say: Say = (code, parameters = {}) => localize(language, message(`month-end.${code}`, parameters)).text;
  const { signOff, state, entries } = report;
  const about = [
    say('made', { at: minuteOf(report.madeAt) }),
    say(`state.${state}`, { by: signOff?.signedBy ?? '', at: signOff === null ? '' : minuteOf(signOff.signedAt) }),
    ...(signOff === null ? [] : reservations(signOff, say)),
    say('entries', { posted: entries.posted, reversed: entries.reversed }),
    ...(report.truncated ? [say('more')] : []),
  ];
  const sections = [...accountSections(report, say), missingSection(report, say), ...differenceSections(report, say)];
  const body = sections.map(({ code, columns, figuresFrom, rows }) => {
    const header = columns.map((column) => say(`column.${column}`));
    const content = rows.length === 0 ? `<p>${escaped(say('none'))}</p>` : table(header, rows, figuresFrom);
    return `<h2>${escaped(say(code))}</h2>\n${content}`;
  });
  const title = `${report.companyName}: ${say('title', { month: report.month })}`;
  return reportPage(title, [`<p>${escaped(about.join(' '))}</p>`, ...body].join('\n'), language);
}

/** What a signature alone does not say: who reads the paper has to know it as well. */
function reservations(signOff: MonthSignOffResponse, say: Say): readonly string[] {
  const { hash, missingEntries: count, reason, reopeningReason } = signOff;
  return [
    say('signed.hash', { hash }),
    ...(count > 0 ? [say('signed.missing', { count })] : []),
    ...(reason === null ? [] : [say('signed.reason', { reason })]),
    ...(reopeningReason === null ? [] : [say('reopened.reason', { reason: reopeningReason })]),
  ];
}

/** The same in each language, and in every time zone that the paper is read in. */
function minuteOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function accountSections({ accounts }: MonthEndResponse, say: Say): readonly Section[] {
  const ledgerOf = ({ ledger, ledgerMissing }: MonthAccountResponse) =>
    ledger === null ? say(`silence.${ledgerMissing ?? 'not-offered'}`) : mainUnits(ledger.closing);
  const control = accounts.filter(({ role }) => role !== null);
  return [
    {
      code: 'control',
      columns: ['account', 'currency', 'closing', 'ledger', 'difference'],
      figuresFrom: 2,
      rows: control.map((account) => {
        const { currency, ours, difference } = account;
        return [named(account), currency, mainUnits(ours.closing), ledgerOf(account), mainUnits(difference)];
      }),
    },
    {
      code: 'accounts',
      columns: ['account', 'currency', 'opening', 'debit', 'credit', 'closing', 'ledger'],
      figuresFrom: 2,
      rows: accounts.map((account) => {
        const { opening, debit, credit, closing } = account.ours;
        const figures = [opening, debit, credit, closing].map(mainUnits);
        return [named(account), account.currency, ...figures, ledgerOf(account)];
      }),
    },
  ];
}

function missingSection({ missing }: MonthEndResponse, say: Say): Section {
  return {
    code: 'missing',
    columns: ['date', 'supplier', 'reason', 'who', 'currency', 'amount'],
    figuresFrom: 5,
    rows: missing.map(({ date, supplier, reason, who, money }) => {
      const what = [date, supplier ?? '', reason.text, say(`who.${who}`)];
      return [...what, money?.currency ?? '', mainUnits(money)];
    }),
  };
}

function differenceSections({ discrepancies, changedSinceSignOff }: MonthEndResponse, say: Say): readonly Section[] {
  const open = {
    code: 'discrepancies',
    columns: ['date', 'supplier', 'reason', 'note', 'currency', 'amount'],
    figuresFrom: 5,
    rows: discrepancies.map(({ date, entry, message: { text }, note, money }) => {
      const what = [entry?.date ?? date, entry?.supplier ?? '', text, note ?? ''];
      return [...what, money?.currency ?? '', mainUnits(money)];
    }),
  };
  const changed = {
    code: 'changed',
    columns: ['account', 'side', 'currency', 'signed', 'now'],
    figuresFrom: 3,
    rows: changedSinceSignOff.map(({ side, signed, now, ...account }) => {
      return [named(account), say(`side.${side}`), now?.currency ?? '', mainUnits(signed), mainUnits(now)];
    }),
  };
  return changed.rows.length === 0 ? [open] : [open, changed];
}

function named({ accountCode, accountName }: { readonly accountCode: string; readonly accountName: string | null }) {
  return accountName === null ? accountCode : `${accountCode} ${accountName}`;
}

/** Empty where there is no amount. */
function mainUnits(money: MoneyResponse | null | undefined): string {
  return money == null ? '' : textOfMoney(money);
}
