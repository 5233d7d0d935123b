// Planned entries, and the reversal of posted ones, as the values that Tryton creates a move from.
import type { JsonValue } from '../../../kernel/json.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { PlannedEntry, PlannedLine } from '../../bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../erp-ledger.js';
import { moveDescription, reversalDescription } from './move-description.js';
import { reversedLine, type TrytonLine } from './tryton-lines.js';
import { referenceTo, type TrytonMove } from './tryton-moves.js';
import { amountValue, dayValue, namedRecord, type NamedModel } from './tryton-values.js';

export type MoveValues = Readonly<Record<string, JsonValue>>;

/** What of Tryton's records the values refer to. */
export interface MoveReferences {
  readonly journal: number;
  readonly currencies: ReadonlyMap<string, number>;
  /** @returns undefined when no period is open on the day */
  openPeriod(date: LocalDate): number | undefined;
  /** Vendors that may be posted to. */
  readonly activeParties: ReadonlySet<number>;
  /** By `dimensionKey`; empty where analytic accounts are not in use. */
  readonly analyticAccounts: ReadonlyMap<string, number>;
}

/** The entries cannot be posted; the message is for a bookkeeper. */
export class Refusal extends Error {}

export function dimensionKey(dimension: string, value: string): string {
  return JSON.stringify([dimension, value]);
}

/** @throws Refusal */
export function groupValues(
  company: ErpCompanyId,
  group: PostingGroup,
  references: MoveReferences,
): readonly MoveValues[] {
  if (group.entries.some(({ state }) => state === 'draft')) {
    throw new Refusal('Entries are posted in Tryton, not left as drafts.');
  }
  return group.entries.map((entry, index) => ({
    company: Number(company),
    journal: references.journal,
    period: periodOn(entry.postingDate, references),
    date: dayValue(entry.postingDate),
    description: moveDescription(group, entry, index + 1),
    lines: [['create', checkedLines(entry).map((line) => lineValues(entry, line, references))]],
  }));
}

/** Debit and credit change sides, on the day of the reversed move where its period is still open, else on `today`. */
export function reversalValues(
  company: ErpCompanyId,
  move: TrytonMove,
  lines: readonly TrytonLine[],
  references: MoveReferences,
  today: LocalDate,
): MoveValues {
  const date = references.openPeriod(move.date) === undefined ? today : move.date;
  return {
    company: Number(company),
    journal: references.journal,
    period: periodOn(date, references),
    date: dayValue(date),
    origin: referenceTo(move.moveId),
    description: reversalDescription(move.description),
    lines: [['create', lines.map((line) => reversedLine(line, dayValue(date)))]],
  };
}

function periodOn(date: LocalDate, references: MoveReferences): number {
  const period = references.openPeriod(date);
  if (period === undefined) {
    throw new Refusal(`No period of the company is open on ${date}.`);
  }
  return period;
}

/** Tryton checks the balance in its own currency when it posts; what it would find is said before anything is created. */
function checkedLines({ lines }: PlannedEntry): readonly PlannedLine[] {
  const sum = (of: (line: PlannedLine) => bigint) => lines.reduce((total, line) => total + of(line), 0n);
  if (lines.length === 0 || sum((line) => line.amountMinor) !== 0n || sum((line) => line.baseMinor) !== 0n) {
    throw new Refusal('The entry does not balance.');
  }
  return lines;
}

function lineValues(entry: PlannedEntry, line: PlannedLine, references: MoveReferences): MoveValues {
  const { baseMinor, vendor, taxCode, employee } = line;
  const base = amountValue(baseMinor < 0n ? -baseMinor : baseMinor, entry.functionalCurrency);
  const zero = amountValue(0n, entry.functionalCurrency);
  const sides = baseMinor < 0n ? { debit: zero, credit: base } : { debit: base, credit: zero };
  const party = vendor && usableParty(vendor.id, vendor.code, references);
  const type = ['tax-code', 'tax-account'].includes(line.account.decision.by) ? 'tax' : 'base';
  return {
    account: requiredId('account.account', line.account.id, `account ${line.account.code}`),
    ...sides,
    ...(entry.currency !== entry.functionalCurrency && {
      second_currency: currencyId(entry.currency, references),
      amount_second_currency: amountValue(line.amountMinor, entry.currency),
    }),
    description: employee === undefined ? entry.description : `${entry.description} [${employee}]`,
    ...(party !== undefined && { party }),
    ...(party !== undefined && entry.dueDate !== undefined && { maturity_date: dayValue(entry.dueDate) }),
    ...(taxCode && {
      tax_lines: [
        [
          'create',
          [
            {
              tax: requiredId('account.tax', taxCode.id, `tax code ${taxCode.code}`),
              type,
              amount: amountValue(baseMinor, entry.functionalCurrency),
            },
          ],
        ],
      ],
    }),
    ...(line.dimensions.length > 0 && {
      analytic_lines: [
        [
          'create',
          line.dimensions.map(({ dimension, value }) => ({
            account: analyticAccount(dimension, value, references),
            date: dayValue(entry.postingDate),
            ...sides,
          })),
        ],
      ],
    }),
  };
}

function requiredId(model: NamedModel, name: string, what: string): number {
  const found = namedRecord(model, name);
  if (found === undefined) {
    throw new Refusal(`Tryton has no ${what}.`);
  }
  return found;
}

function usableParty(id: string, code: string, { activeParties }: MoveReferences): number {
  const party = requiredId('party.party', id, `party ${code}`);
  if (!activeParties.has(party)) {
    throw new Refusal(`The party ${code} is not active in Tryton.`);
  }
  return party;
}

function currencyId(code: string, { currencies }: MoveReferences): number {
  const currency = currencies.get(code);
  if (currency === undefined) {
    throw new Refusal(`Tryton has no active currency ${code}.`);
  }
  return currency;
}

function analyticAccount(dimension: string, value: string, { analyticAccounts }: MoveReferences): number {
  const account = analyticAccounts.get(dimensionKey(dimension, value));
  if (account === undefined) {
    throw new Refusal(`Tryton has no open analytic account ${value} of ${dimension}.`);
  }
  return account;
}
