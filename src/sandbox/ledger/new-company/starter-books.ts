// What a new company begins with, so that a connector can be set up against it at once. Names are those by which people, and the
// connector's proposals, recognize such accounts.
import type { AccountDto } from '../chart/account.dto.js';
import type { PeriodDto } from '../periods/period.dto.js';

type Row = readonly [code: string, name: string, type: AccountDto['type']];

const CHART: readonly Row[] = [
  ['1010', 'Expense wallet', 'asset'],
  ['1020', 'Bank, current account', 'asset'],
  ['2000', 'Accounts payable', 'liability'],
  ['2100', 'Owed to employees', 'liability'],
  ['3000', 'Equity', 'equity'],
  ['4000', 'Travel', 'expense'],
  ['4100', 'Meals and entertainment', 'expense'],
  ['4200', 'Office supplies', 'expense'],
  ['4300', 'Software and subscriptions', 'expense'],
  ['4900', 'Bank and card fees', 'expense'],
  ['4910', 'Rounding', 'expense'],
  ['4920', 'Exchange differences, realized', 'expense'],
  ['8000', 'Cashback and other income', 'income'],
];

export const starterAccounts: readonly AccountDto[] = CHART.map(([code, name, type]) => ({
  code,
  externalId: code,
  name,
  type,
  active: true,
}));

/**
 * The year before, this and the next one, each a fiscal year with one open period a month.
 * @param year of the calendar
 */
export function starterPeriods(year: number): readonly PeriodDto[] {
  return [year - 1, year, year + 1].flatMap((fiscalYear) =>
    Array.from({ length: 12 }, (_, month) => ({
      fiscalYear,
      from: dayOf(fiscalYear, month, 1),
      // The day before the first of the next month.
      to: dayOf(fiscalYear, month + 1, 0),
      state: 'open' as const,
    })),
  );
}

function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
