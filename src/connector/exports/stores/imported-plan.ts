import type { InspectedEntry } from '../../erp/erp-books.js';

/**
 * Entries that the connector had not planned, in the form of a stored plan, without base amounts.
 * @param entries as the ERP shows them; one that was reversed or discarded since counts with its state before
 */
export function importedPlan(entries: readonly InspectedEntry[]): string {
  return JSON.stringify(
    entries.map(({ role, part, state, postingDate, currency, lines }) => ({
      role,
      part,
      state: state === 'draft' || state === 'discarded' ? 'draft' : 'posted',
      postingDate,
      currency,
      lines: lines.map(({ accountCode, amountMinor, taxCode, tax, vendorCode, dimensions }) => ({
        account: { code: accountCode },
        amountMinor,
        ...(taxCode !== undefined && { taxCode: { code: taxCode } }),
        tax,
        ...(vendorCode !== undefined && { vendor: { code: vendorCode } }),
        dimensions: Object.entries(dimensions).map(([dimension, value]) => ({ dimension, value })),
      })),
    })),
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  );
}
