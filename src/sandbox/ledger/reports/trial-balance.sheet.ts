import { money, sheet, text } from '../http/sheet.js';
import type { TrialBalanceDto, TrialBalanceRowDto } from './trial-balance.dto.js';

const currency = (row: TrialBalanceRowDto) => row.currency;
const functionalCurrency = (_: TrialBalanceRowDto, { baseTotal }: TrialBalanceDto) => baseTotal.currency;

export const trialBalanceSheet = sheet<TrialBalanceDto, TrialBalanceRowDto>({
  fileName: ({ date }) => (date === null ? 'trial-balance' : `trial-balance-${date}`),
  rows: ({ rows }) => rows,
  columns: [
    text('accountCode', (row) => row.accountCode),
    text('accountName', (row) => row.accountName),
    text('accountType', (row) => row.accountType),
    text('currency', currency),
    ...money('debit', (row) => row.debitMinor, currency),
    ...money('credit', (row) => row.creditMinor, currency),
    ...money('balance', (row) => row.balanceMinor, currency),
    text('functionalCurrency', functionalCurrency),
    ...money('baseDebit', (row) => row.baseDebitMinor, functionalCurrency),
    ...money('baseCredit', (row) => row.baseCreditMinor, functionalCurrency),
    ...money('baseBalance', (row) => row.baseBalanceMinor, functionalCurrency),
  ],
});
