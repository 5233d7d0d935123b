import type { ConformanceRow } from './conformance-row.js';
import { euros, item } from './export-item.js';
import { at, type Platform } from './platform.js';

/** Values of one field of an item: `item` gives an item that has one, `path` where it is served. */
interface ItemValues {
  readonly fact: (value: string) => string;
  readonly values: readonly string[];
  readonly item: (value: string) => object;
  readonly path: readonly (string | number)[];
}

const TAX_ID = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0010';

const ITEM_VALUES: readonly ItemValues[] = [
  {
    fact: (value) => `an item may have the subtype ${value}`,
    values: [
      ...['reimbursement_to_employee_refund', 'reimbursement_to_company', 'reimbursement_to_employee'],
      ...['invoice_payment_returned', 'invoice_payment_sent', 'interest'],
    ],
    item: (subType) => item(100, { subType }),
    path: ['subType'],
  },
  {
    fact: (value) => `the tax of a line may be ${value}`,
    values: ['inclusive', 'exclusive', 'reverse'],
    item: (type) => {
      const tax = { id: TAX_ID, code: 'V20', rate: 0.2, type, amount: euros(20) };
      return item(120, {
        accountingEntryLines: [{ lineAmount: euros(120), netAmount: euros(100), tax }],
      });
    },
    path: ['accountingEntryLines', 0, 'tax', 'type'],
  },
  {
    fact: (value) => `an item may be booked by ${value}`,
    values: ['none', 'journal', 'accounts_payable'],
    item: (method) => item(100, { bookkeeping: { method } }),
    path: ['bookkeeping', 'method'],
  },
  {
    fact: (value) => `an invoice may be ${value}`,
    values: [
      ...['pending_approval', 'parsed', 'preparing', 'prepared', 'ready', 'rejected_by_approver'],
      ...['marked_as_paid', 'scheduled', 'payment_in_progress', 'paid', 'voided_by_user'],
      ...['rejected_by_user', 'failed_payment'],
    ],
    item: (status) => {
      const invoiceInformation = { invoiceNumber: 'A-1', invoiceDate: '2026-04-22', status };
      const additionalInformation = { reconciliationId: 'book-1', invoiceInformation };
      return item(100, { type: 'invoice', additionalInformation });
    },
    path: ['additionalInformation', 'invoiceInformation', 'status'],
  },
];

export const ITEM_VALUE_ROWS: readonly ConformanceRow[] = ITEM_VALUES.flatMap(({ values, ...of }) =>
  values.map((value) => ({
    fact: of.fact(value),
    source: 'wire-facts §1.8',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const options = { vendorBasedBookkeeping: true };
      const customer = await sandbox.customer({ items: [of.item(value)] });
      const path = `/companies/${await customer.companyId()}/export`;
      const jobId = String(at(await sandbox.control('POST', path, options), 'id'));
      const { body } = await customer.call('GET', `/v3/export-items?job_id=${jobId}`);
      return at(body, 'data', 0, ...of.path);
    },
    expected: value,
  })),
);
