import { euros, item } from './export-item.js';

const ID = (number: number) => `7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a00${number.toString().padStart(2, '0')}`;

/** Everything that an item of an invoice may carry (P1.8). */
export const RICH_ITEM = item(12_000, {
  type: 'card_invoice',
  note: 'Paper',
  bookkeeping: { method: 'accounts_payable' },
  vendor: {
    id: ID(20),
    name: 'Paper Ltd',
    defaultCurrency: 'EUR',
    code: '70001',
    externalId: 'V-1',
    country: 'DK',
  },
  supplier: {
    name: 'PAPER*LTD',
    code: null,
    account: null,
    categoryCode: '5999',
    country: 'DK',
    taxIdentifier: null,
  },
  user: { id: ID(21), name: 'Ida Berg', code: null },
  team: { id: ID(22), name: 'Marketing', code: null },
  files: [{ url: 'https://files.example/1.pdf', type: 'application/pdf', size: 2_084 }],
  servicePeriod: { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' },
  accountingEntryLines: [
    {
      lineAmount: euros(12_000),
      netAmount: euros(10_000),
      account: { id: ID(23), name: 'Office', code: '4000', identifier: null },
      tags: [{ id: ID(24), code: 'P-1', groupCode: 'PROJECT' }],
      tax: { id: ID(25), code: 'V20', rate: 0.2, type: 'inclusive', amount: euros(2_000) },
    },
  ],
  additionalInformation: {
    reconciliationId: 'book-1',
    attendees: ['Ida Berg'],
    invoiceInformation: {
      invoiceNumber: 'A-1',
      invoiceDate: '2026-04-22',
      dueDate: '2026-05-22',
      paymentDate: null,
      status: 'paid',
      supplierBankAccount: { bankName: 'Example Bank', country: 'DK', iban: null },
    },
  },
});
