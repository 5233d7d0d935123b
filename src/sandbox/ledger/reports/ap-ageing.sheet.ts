import { money, sheet, text } from '../http/sheet.js';
import type { ApAgeingDto, ApAgeingRowDto } from './ap-ageing.dto.js';
import { AGES } from './domain/aged-amounts.js';

const currency = (row: ApAgeingRowDto) => row.currency;
const functionalCurrency = (_: ApAgeingRowDto, ageing: ApAgeingDto) => ageing.functionalCurrency;

export const apAgeingSheet = sheet<ApAgeingDto, ApAgeingRowDto>({
  fileName: ({ date }) => `ap-ageing-${date}`,
  rows: ({ data }) => data,
  columns: [
    text('vendorNumber', (row) => row.vendorNumber),
    text('vendorName', (row) => row.vendorName),
    text('currency', currency),
    text('functionalCurrency', functionalCurrency),
    ...[...AGES, 'total' as const].flatMap((age) => [
      ...money(age, (row: ApAgeingRowDto) => row[age].amountMinor, currency),
      ...money(`${age}Base`, (row: ApAgeingRowDto) => row[age].baseMinor, functionalCurrency),
    ]),
  ],
});
