// A month end as the API writes it.
import { message } from '../../../kernel/message.js';
import type { EntryFactsReader } from '../../exports/lists/entry-facts.reader.js';
import { discrepancyText } from '../reconciliation/discrepancy-text.js';
import { localize } from '../../messages/texts.js';
import {
  closingOf,
  differenceOf,
  type AccountFigures,
  type MissingEntry,
  type MonthAccount,
  type MonthEnd,
  type SignOff,
} from '../../reconciliation/domain/month-end.js';
import { whoActs } from '../../reconciliation/domain/who-acts.js';
import { adviceOn, problemOf } from '../../review/domain/issue-resolution.js';
import { toNamedEntry } from '../entries/named-entry.dto.js';
import { moneyOf } from '../http/money.dto.js';
import type {
  MissingEntryResponse,
  MonthAccountResponse,
  MonthEndResponse,
  MonthFiguresResponse,
  MonthSignOffResponse,
  MonthTotalResponse,
} from './month-ends.dto.js';

/**
 * @param facts of entries with discrepancies, by their ids
 * @param language of the reader
 */
export function monthEndResponse(
  report: MonthEnd,
  facts: Awaited<ReturnType<EntryFactsReader['read']>>,
  language: string,
): MonthEndResponse {
  const { month, erpCompanyId, companyName, madeAt, state, entries, accounts } = report;
  const names = new Map(accounts.map(({ accountCode, accountName }) => [accountCode, accountName]));
  return {
    ...{ month, erpCompanyId, companyName, madeAt, state, entries },
    signOff: signOffResponse(report.signOff),
    changedSinceSignOff: report.changed.map(({ accountCode, currency, side, signedMinor, nowMinor }) => ({
      accountCode,
      accountName: names.get(accountCode) ?? null,
      side,
      signed: moneyOf(signedMinor, currency),
      now: moneyOf(nowMinor, currency),
    })),
    reconciledAt: report.reconciledAt ?? null,
    accounts: accounts.map(accountResponse),
    totals: totalsOf(accounts),
    missing: report.missing.map((entry) => missingResponse(entry, language)),
    missingTotals: report.missingTotals.map(({ why, entries: count, currency, amountMinor }) => ({
      why,
      entries: count,
      money: moneyOf(amountMinor, currency),
    })),
    discrepancies: report.discrepancies.map(({ currency, amountMinor, note, evidence, ...discrepancy }) => ({
      ...discrepancy,
      entry: toNamedEntry(facts.get(discrepancy.accountingEntryId ?? '')),
      money: moneyOf(amountMinor, currency),
      note: note ?? null,
      message: localize(language, discrepancyText(discrepancy.class, evidence)),
    })),
    truncated: report.isTruncated,
    begun: report.hasBegun,
  };
}

export function signOffResponse(signOff: SignOff | undefined): MonthSignOffResponse | null {
  if (signOff === undefined) return null;
  const { signedBy, signedAt, reason, missingEntries, hash, reopenedBy, reopenedAt, reopeningReason } = signOff;
  return {
    ...{ signedBy, signedAt, missingEntries, hash },
    reason: reason ?? null,
    reopenedBy: reopenedBy ?? null,
    reopenedAt: reopenedAt ?? null,
    reopeningReason: reopeningReason ?? null,
  };
}

function accountResponse(account: MonthAccount): MonthAccountResponse {
  const { accountCode, accountName, currency, role, ours, ledger } = account;
  const isSilent = typeof ledger === 'string';
  return {
    ...{ accountCode, currency },
    accountName: accountName ?? null,
    role: role ?? null,
    ours: figuresResponse(ours, currency),
    ledger: isSilent ? null : figuresResponse(ledger, currency),
    ledgerMissing: isSilent ? ledger : null,
    difference: moneyOf(differenceOf(account), currency),
  };
}

function figuresResponse(figures: AccountFigures, currency: string): MonthFiguresResponse {
  return {
    opening: moneyOf(figures.openingMinor, currency),
    debit: moneyOf(figures.debitMinor, currency),
    credit: moneyOf(figures.creditMinor, currency),
    closing: moneyOf(closingOf(figures), currency),
  };
}

function totalsOf(accounts: readonly MonthAccount[]): readonly MonthTotalResponse[] {
  const byCurrency = Map.groupBy(accounts, ({ currency }) => currency);
  return [...byCurrency].toSorted().map(([currency, of]) => ({
    currency,
    debit: moneyOf(
      of.reduce((sum, { ours }) => sum + ours.debitMinor, 0n),
      currency,
    ),
    credit: moneyOf(
      of.reduce((sum, { ours }) => sum + ours.creditMinor, 0n),
      currency,
    ),
  }));
}

function missingResponse(entry: MissingEntry, language: string): MissingEntryResponse {
  const { accountingEntryId, exportJobId, why, date, supplier, issue, issueKey, amountMinor, currency } = entry;
  const [reason, advice] =
    issue === undefined
      ? [message(`month-end.${why}`), message(`month-end.${why}.advice`)]
      : [problemOf(issue), adviceOn(issue)];
  return {
    ...{ accountingEntryId, exportJobId, why, date },
    who: whoActs(entry),
    supplier: supplier ?? null,
    money: moneyOf(amountMinor, currency),
    issueKey: issueKey ?? null,
    reason: localize(language, reason),
    advice: localize(language, advice),
  };
}
