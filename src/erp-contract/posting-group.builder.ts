import type { PlannedEntry, PlannedLine } from '../connector/bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../connector/erp/erp-ledger.js';
import { parseCurrency, type CurrencyCode } from '../kernel/currency.js';
import { toErpAccountId, toExportJobId, toInstallationId } from '../kernel/ids.js';
import { parseLocalDate, type LocalDate } from '../kernel/local-date.js';

export const INSTALLATION = toInstallationId('0198c5a0-0000-7000-8000-000000000001');
export const EXPORT_JOB = toExportJobId('0198c5a0-0000-7000-8000-000000000002');

export function currency(code: string): CurrencyCode {
  const found = parseCurrency(code);
  if (found === undefined) {
    throw new Error(`no currency: ${code}`);
  }
  return found;
}

export function day(text: string): LocalDate {
  const found = parseLocalDate(text);
  if (found === undefined) {
    throw new Error(`no day: ${text}`);
  }
  return found;
}

export function plannedLine(code: string, minor: bigint, more: Partial<PlannedLine> = {}): PlannedLine {
  return {
    account: { id: toErpAccountId(code), code, decision: { by: 'code' } },
    amountMinor: minor,
    baseMinor: minor,
    dimensions: [],
    ...more,
  };
}

export function plannedEntry(lines: readonly PlannedLine[], more: Partial<PlannedEntry> = {}): PlannedEntry {
  return {
    role: 'entry',
    state: 'posted',
    postingDate: day('2026-03-02'),
    currency: currency('EUR'),
    functionalCurrency: currency('EUR'),
    lines,
    description: 'Café Olé · Ada',
    reference: 'rec-1',
    information: { supplierAmount: { currency: 'EUR', value: '10000' } },
    mappingVersion: 3,
    ...more,
  };
}

/** A balanced entry of 100.00 EUR under a key. */
export function postingGroup(key: string, more: Partial<PostingGroup> = {}): PostingGroup {
  return {
    key,
    revision: 1,
    contentDigest: `digest of ${key}`,
    entries: [plannedEntry([plannedLine('5410', 10_000n), plannedLine('1935', -10_000n)])],
    documents: [],
    trail: { installationId: INSTALLATION, exportJobId: EXPORT_JOB, mappingVersion: 3, fence: 7n },
    ...more,
  };
}
