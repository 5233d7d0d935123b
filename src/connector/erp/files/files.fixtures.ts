import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import type { FileEntry, FileLine } from './file-entry.js';
import { readFilesSettings, type FilesSettings } from './settings/files-settings.js';
import type { PostedBatch } from './formats/journal-file.js';

/** As a person enters them. */
export const ENTERED = {
  format: 'csv',
  companyName: 'Nordlys AB',
  registrationNumber: '556677-8899',
  functionalCurrency: 'EUR',
  timeZone: 'Europe/Stockholm',
  closedUntil: '2026-01-31',
  datevConsultant: 29098,
  datevClient: 55003,
  accounts: [
    'code;name;type;active;datev key',
    '1935;Wallet;asset;;',
    '2440;Accounts payable;liability;;',
    '2641;Input tax;asset;;',
    '5410;"Förbrukning ""små""";expense;;0040',
    '9999;Old;expense;no;',
  ].join('\n'),
  taxCodes: 'code;name;rate;input account;deductible\nI25;25 %;25;2641;50',
  dimensions: [
    'dimension;dimension name;number;value;value name',
    'CC;Kostnadsställe;1;100;Försäljning',
    'PR;Projekt;6;P-1;Bygge',
  ].join('\n'),
  vendors:
    'number;name;country;tax number;payables account;active\nV-7;Papier GmbH;DE;DE 1;2440;\nV-8;Gone Ltd;;;;no\n70007;Müller;;;;',
} as const;

export function filesSettings(more: Readonly<Record<string, string | number>> = {}): FilesSettings {
  return readFilesSettings({ ...ENTERED, ...more });
}

export function day(text: string): LocalDate {
  const found = parseLocalDate(text);
  if (found === undefined) throw new Error(`no day: ${text}`);
  return found;
}

export function currency(code: string): CurrencyCode {
  const found = parseCurrency(code);
  if (found === undefined) throw new Error(`no currency: ${code}`);
  return found;
}

/** Of the same amount in both currencies by default. */
export function fileLine(accountCode: string, minor: bigint, more: Partial<FileLine> = {}): FileLine {
  return { accountCode, amountMinor: minor, baseMinor: minor, dimensions: {}, ...more };
}

export function someEntry(number: number, lines: readonly FileLine[], more: Partial<FileEntry> = {}): FileEntry {
  return {
    number,
    key: `key-${number.toString()}`,
    revision: 1,
    role: 'entry',
    postingDate: day('2026-03-02'),
    currency: currency('EUR'),
    functionalCurrency: currency('EUR'),
    description: 'Café Olé · Ada',
    reference: 'rec-1',
    lines,
    receipts: [],
    discarded: false,
    ...more,
  };
}

export function someBatch(settings: FilesSettings, entries: readonly FileEntry[]): PostedBatch {
  return {
    number: 4,
    closedAt: new Date('2026-03-31T22:30:00.123Z'),
    fiscalYear: { from: day('2026-01-01'), to: day('2026-12-31') },
    entries,
    settings,
  };
}
