// Pure: a month as it is closed, by posting date: what our record has posted on each account beside what the ledger has.
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { addDays, localDateIn, parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { DiscrepancyClass } from './discrepancy-class.js';

/** What an account is to the exports; undefined: the other side of them. */
export type AccountRole = 'wallet' | 'payables';

/** Minor units. Debit and credit are positive and of the month; the opening balance is debit positive. */
export interface AccountFigures {
  readonly openingMinor: bigint;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

export interface ReportedDiscrepancy {
  readonly id: string;
  readonly class: DiscrepancyClass;
  readonly subject: string;
  readonly accountingEntryId: string | null;
  readonly state: 'open' | 'accepted';
  /** Posting date of what it is about; of a job the day on which it was made, in the company's time zone. */
  readonly date: LocalDate;
  readonly ageDays: number;
  readonly currency: CurrencyCode | undefined;
  readonly amountMinor: bigint | undefined;
  readonly note: string | undefined;
  readonly evidence: unknown;
}

/** Why there is no figure of the ledger. */
export type LedgerSilence = 'not-offered' | 'unavailable' | 'unknown-account';

export interface MonthAccount {
  readonly accountCode: string;
  /** As the ERP calls it; undefined where it is not known. */
  readonly accountName: string | undefined;
  readonly currency: CurrencyCode;
  readonly role: AccountRole | undefined;
  /** Entries once, by their state now: what was reversed is in none of it. */
  readonly ours: AccountFigures;
  /** Of the postings of all clients; or why it is not known. */
  readonly ledger: AccountFigures | LedgerSilence;
}

/** `failed`: an issue keeps it out · `waiting`: its export is under way · `uncertain`: it is not known whether it is in the books. */
export type MissingReason = 'failed' | 'waiting' | 'uncertain';

/** An entry of the month that is not in the books yet. */
export interface MissingEntry {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  readonly why: MissingReason;
  /** Of its item; the day of its export where that is not known. */
  readonly date: string;
  readonly currency: CurrencyCode | undefined;
  /** Decimal text in minor units, exactly as stated; undefined where it could not be read, or is not planned yet. */
  readonly amountMinor: string | undefined;
  readonly supplier: string | undefined;
  /** Of what has failed: the first of its issues. */
  readonly issueKey: string | undefined;
  readonly issue: Issue | undefined;
}

/** A month that a person has signed, and may have reopened since. */
export interface SignOff {
  readonly sequence: number;
  readonly signedBy: string;
  readonly signedAt: Date;
  /** Why it was signed though entries were missing or discrepancies open. */
  readonly reason: string | undefined;
  /** Entries that were not in the books then. */
  readonly missingEntries: number;
  /** SHA-256 of the figures, hex. */
  readonly hash: string;
  readonly figures: readonly SignedFigure[];
  readonly reopenedBy: string | undefined;
  readonly reopenedAt: Date | undefined;
  readonly reopeningReason: string | undefined;
}

/** An account as it was signed: minor units as text. */
export interface SignedFigure {
  readonly accountCode: string;
  readonly currency: string;
  readonly ours: SignedBalance;
  /** Null where the ledger did not tell. */
  readonly ledger: SignedBalance | null;
}

export interface SignedBalance {
  readonly opening: string;
  readonly debit: string;
  readonly credit: string;
}

/** A figure that is another one now than when the month was signed: closing balances, minor units. */
export interface ChangedFigure {
  readonly accountCode: string;
  readonly currency: string;
  readonly side: 'ours' | 'ledger';
  readonly signedMinor: bigint;
  readonly nowMinor: bigint;
}

export type MonthState = 'open' | 'signed' | 'reopened';

export interface MonthEnd {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly erpCompanyId: ErpCompanyId;
  readonly companyName: string;
  readonly madeAt: Date;
  /** When a comparison of the whole month has ended last. */
  readonly reconciledAt: Date | undefined;
  /** By the posting date of their first journal entry; `drafts` of the posted ones were handed over as drafts. */
  readonly entries: { readonly posted: number; readonly reversed: number; readonly drafts: number };
  /** By role, currency and code. */
  readonly accounts: readonly MonthAccount[];
  /** It did not respond: accounts that only it has something on are missing, too. */
  readonly isLedgerAway: boolean;
  /** The oldest 1,000. */
  readonly missing: readonly MissingEntry[];
  readonly missingTotals: readonly MissingTotal[];
  /** Open ones first, each the oldest first; at most 1,000. */
  readonly discrepancies: readonly ReportedDiscrepancy[];
  readonly isTruncated: boolean;
  readonly hasBegun: boolean;
  readonly state: MonthState;
  /** The newest one, also when it was reopened since. */
  readonly signOff: SignOff | undefined;
  /** Since it was signed last; empty when it never was. */
  readonly changed: readonly ChangedFigure[];
}

export interface MissingTotal {
  readonly why: MissingReason;
  readonly currency: CurrencyCode | undefined;
  readonly entries: number;
  /** Decimal text in minor units, exactly as stated. */
  readonly amountMinor: string;
}

/** @returns the first and the last day; undefined for text that is no month `YYYY-MM` */
export function daysOfMonth(month: string): { readonly from: LocalDate; readonly to: LocalDate } | undefined {
  // No day follows the last one that can be written.
  const isWritten = /^\d{4}-\d{2}$/.test(month) && month !== '9999-12';
  const from = isWritten ? parseLocalDate(`${month}-01`) : undefined;
  const next = from && parseLocalDate(`${addDays(from, 31).slice(0, 7)}-01`);
  return from && next && { from, to: addDays(next, -1) };
}

/** UTC+14: no calendar on earth is ahead of it. */
const FIRST_TIME_ZONE = 'Pacific/Kiritimati';

/** Whether the first day of the month has come anywhere on earth. @param month `YYYY-MM` */
export function hasBegun(month: string, now: Date): boolean {
  return month <= localDateIn(now, FIRST_TIME_ZONE).slice(0, 7);
}

export function closingOf({ openingMinor, debitMinor, creditMinor }: AccountFigures): bigint {
  return openingMinor + debitMinor - creditMinor;
}

/** Ours less the ledger's, at the end of the month. @returns undefined where the ledger does not tell */
export function differenceOf({ ours, ledger }: Pick<MonthAccount, 'ours' | 'ledger'>): bigint | undefined {
  return typeof ledger === 'string' ? undefined : closingOf(ours) - closingOf(ledger);
}

export function stateOf(signOff: Pick<SignOff, 'reopenedAt'> | undefined): MonthState {
  return signOff === undefined ? 'open' : signOff.reopenedAt === undefined ? 'signed' : 'reopened';
}

/** What is kept of a month that is signed, in a fixed order, so that the same figures have the same hash. */
export function figuresOf(accounts: readonly MonthAccount[]): readonly SignedFigure[] {
  return accounts
    .map(({ accountCode, currency, ours, ledger }) => ({
      accountCode,
      currency,
      ours: signedBalance(ours),
      ledger: typeof ledger === 'string' ? null : signedBalance(ledger),
    }))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Of figures that both have, or one has not: an account that is new, or gone, counts as zero on the other side. */
export function changesSince(signed: readonly SignedFigure[], now: readonly SignedFigure[]): readonly ChangedFigure[] {
  const before = new Map(signed.map((figure) => [keyOf(figure), figure]));
  const after = new Map(now.map((figure) => [keyOf(figure), figure]));
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    const of = one ?? other;
    if (of === undefined) return [];
    const { accountCode, currency } = of;
    // A ledger that does not tell now, or did not then, says nothing about a change.
    const isReportedTwice = one?.ledger !== null && other?.ledger !== null;
    return (['ours', 'ledger'] as const).flatMap((side) => {
      const [signedMinor, nowMinor] = [balance(one?.[side]), balance(other?.[side])];
      const isChanged = signedMinor !== nowMinor && (side === 'ours' || isReportedTwice);
      return isChanged ? [{ accountCode, currency, side, signedMinor, nowMinor }] : [];
    });
  });
}

function signedBalance({ openingMinor, debitMinor, creditMinor }: AccountFigures): SignedBalance {
  return { opening: openingMinor.toString(), debit: debitMinor.toString(), credit: creditMinor.toString() };
}

function balance(figure: SignedBalance | null | undefined): bigint {
  return figure == null ? 0n : BigInt(figure.opening) + BigInt(figure.debit) - BigInt(figure.credit);
}

const keyOf = ({ accountCode, currency }: Pick<SignedFigure, 'accountCode' | 'currency'>) =>
  JSON.stringify([currency, accountCode]);

/** What the hash of a sign-off is over: the month, then a line for each account, as JSON. */
export function signedText(month: string, erpCompanyId: string, figures: readonly SignedFigure[]): string {
  const cells = (side: SignedBalance | null) => (side === null ? null : [side.opening, side.debit, side.credit]);
  return [
    JSON.stringify([erpCompanyId, month]),
    ...figures.map(({ currency, accountCode, ours, ledger }) =>
      JSON.stringify([currency, accountCode, cells(ours), cells(ledger)]),
    ),
  ].join('\n');
}
