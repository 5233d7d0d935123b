import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { euros, item } from '../export-item.js';
import { at, type Platform } from '../platform.js';

/** Values of one field of an item, and what the two versions make of it. */
interface ItemValues {
  readonly fact: (value: string) => string;
  readonly values: readonly string[];
  /** An item with the value. */
  readonly item: (value: string) => object;
  /** What stands around the value where it is served. */
  readonly path: readonly (string | number)[];
  /** The part of the item at the path, as each version shows it. */
  readonly shown: (value: string, version: 'v2' | 'v3') => unknown;
}

const TAX_ID = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0010';
const VENDOR = { id: '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0012', name: 'Paper Ltd', defaultCurrency: 'EUR' };
const ACCOUNTS = { ingoingTaxAccount: '1400', outgoingTaxAccount: '1700' };
/** With which type each subtype goes. */
const TYPE_OF: Readonly<Record<string, string>> = {
  reimbursement_to_employee_refund: 'direct_reimbursement',
  reimbursement_to_company: 'direct_reimbursement',
  reimbursement_to_employee: 'direct_reimbursement',
  invoice_payment_returned: 'invoice_payment',
  invoice_payment_sent: 'invoice_payment',
  interest: 'fee',
};

const ITEM_VALUES: readonly ItemValues[] = [
  {
    fact: (value) => `an item may have the subtype ${value}`,
    values: Object.keys(TYPE_OF),
    item: (subType) => item(100, { type: TYPE_OF[subType], subType }),
    path: [],
    // All these types show the contra account in version 3, and in version 2 none does.
    shown: (subType, version) =>
      expect.objectContaining({
        type: TYPE_OF[subType],
        subType,
        ...(version === 'v3' ? { contraAccount: expect.objectContaining({ code: '1010' }) } : {}),
      }),
  },
  {
    fact: (value) => `the tax of a line may be ${value}`,
    values: ['inclusive', 'exclusive', 'reverse'],
    item: (type) => {
      const tax = { id: TAX_ID, code: 'V20', rate: 0.2, type, amount: euros(20), ...ACCOUNTS };
      return item(120, {
        accountingEntryLines: [{ lineAmount: euros(120), netAmount: euros(100), tax }],
      });
    },
    path: ['accountingEntryLines', 0, 'tax'],
    // Its two accounts are of version 3 only.
    shown: (type, version) => ({
      id: TAX_ID,
      code: 'V20',
      rate: 0.2,
      type,
      amount: euros(20),
      ...(version === 'v3' ? ACCOUNTS : {}),
    }),
  },
  {
    fact: (value) => `an item may be booked by ${value}`,
    values: ['none', 'journal', 'accounts_payable'],
    item: (method) => item(100, { bookkeeping: { method }, vendor: method === 'accounts_payable' ? VENDOR : null }),
    path: [],
    // Version 3 shows that there is no vendor, version 2 leaves it out.
    shown: (method, version) =>
      method === 'accounts_payable'
        ? expect.objectContaining({ bookkeeping: { method }, vendor: VENDOR })
        : version === 'v3'
          ? expect.objectContaining({ bookkeeping: { method }, vendor: null })
          : expect.not.objectContaining({ vendor: null }),
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
    path: ['additionalInformation', 'invoiceInformation'],
    shown: (status) => ({ invoiceNumber: 'A-1', invoiceDate: '2026-04-22', status }),
  },
];

export const ITEM_VALUE_ROWS: readonly ConformanceRow[] = ITEM_VALUES.flatMap(({ values, ...of }) =>
  values.map((value) => ({
    fact: of.fact(value),
    source: 'P1.8, P1.9, P13',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const options = { vendorBasedBookkeeping: true };
      // Taken as the platform could send it, which a misspelt one would not be.
      const customer = await sandbox.customer({ items: [of.item(value)] });
      const companyId = await customer.companyId();
      const misspelt = await sandbox.refusesItem(companyId, of.item(`${value}_`));
      const job = await sandbox.control('POST', `/companies/${companyId}/export`, options);
      const seen = async (version: string) => {
        const { body } = await customer.call('GET', `/${version}/export-items?job_id=${String(at(job, 'id'))}`);
        return at(body, 'data', 0, ...of.path);
      };
      return [await seen('v3'), await seen('v2'), misspelt];
    },
    expected: [of.shown(value, 'v3'), of.shown(value, 'v2'), true],
  })),
);
