import { figure, money, sheet, text } from '../http/sheet.js';
import type { OpenItemDto, OpenItemsDto } from './open-items.dto.js';

const currency = (item: OpenItemDto) => item.currency;
const functionalCurrency = (_: OpenItemDto, items: OpenItemsDto) => items.functionalCurrency;

export const openItemsSheet = sheet<OpenItemsDto, OpenItemDto>({
  fileName: ({ date }) => `open-items-${date}`,
  rows: ({ data }) => data,
  columns: [
    text('vendorNumber', (item) => item.vendorNumber),
    text('vendorName', (item) => item.vendorName),
    text('accountCode', (item) => item.accountCode),
    text('number', (item) => item.number),
    figure('lineNo', (item) => item.lineNo),
    text('role', (item) => item.role),
    text('documentNumber', (item) => item.documentNumber),
    text('documentDate', (item) => item.documentDate),
    text('postedOn', (item) => item.postedOn),
    text('dueOn', (item) => item.dueOn),
    figure('daysOverdue', (item) => item.daysOverdue),
    text('currency', currency),
    ...money('amount', (item: OpenItemDto) => item.amountMinor, currency),
    ...money('settled', (item: OpenItemDto) => item.settledMinor, currency),
    ...money('open', (item: OpenItemDto) => item.openMinor, currency),
    text('functionalCurrency', functionalCurrency),
    ...money('base', (item: OpenItemDto) => item.baseMinor, functionalCurrency),
    ...money('settledBase', (item: OpenItemDto) => item.settledBaseMinor, functionalCurrency),
    ...money('openBase', (item: OpenItemDto) => item.openBaseMinor, functionalCurrency),
    text('entryId', (item) => item.entryId),
  ],
});
