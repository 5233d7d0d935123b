// What our record imports from an ERP in place of a plan.
import type { InspectedEntry } from '../../erp/erp-books.js';

/**
 * Entries that the connector had not planned, in the form of a plan, as far as an ERP shows them: without base amounts.
 * @param entries as the ERP has them; one that was reversed or discarded since counts as it was before
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
