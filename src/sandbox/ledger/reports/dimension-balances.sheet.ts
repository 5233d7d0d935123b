import { money, sheet, text } from '../http/sheet.js';
import type { DimensionBalanceDto, DimensionBalancesDto } from './dimension-balances.dto.js';

const currency = (row: DimensionBalanceDto) => row.currency;
const functionalCurrency = (_: DimensionBalanceDto, balances: DimensionBalancesDto) => balances.functionalCurrency;

export const dimensionBalancesSheet = sheet<DimensionBalancesDto, DimensionBalanceDto>({
  fileName: ({ dimension }) => `dimension-balances-${dimension.replaceAll(/[^0-9A-Za-z-]+/g, '-')}`,
  rows: ({ data }) => data,
  columns: [
    text('dimension', (_, balances) => balances.dimension),
    text('value', (row) => row.value),
    text('valueName', (row) => row.valueName),
    text('accountCode', (row) => row.accountCode),
    text('accountName', (row) => row.accountName),
    text('accountType', (row) => row.accountType),
    text('currency', currency),
    ...money('debit', (row: DimensionBalanceDto) => row.debitMinor, currency),
    ...money('credit', (row: DimensionBalanceDto) => row.creditMinor, currency),
    ...money('balance', (row: DimensionBalanceDto) => row.balanceMinor, currency),
    text('functionalCurrency', functionalCurrency),
    ...money('baseBalance', (row: DimensionBalanceDto) => row.baseBalanceMinor, functionalCurrency),
  ],
});
