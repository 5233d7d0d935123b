/** One operation of the control, as its page describes it. */
export interface ControlOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly does: string;
  readonly body?: object;
}

const COMPANY = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0001';

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  {
    method: 'POST',
    path: '/control/companies',
    does: 'Creates a company, or a list of up to 1,000. Only the name is required.',
    body: {
      name: 'Demo ApS',
      registrationNumber: 'DK12345678',
      timeZone: 'Europe/Copenhagen',
      address: { addressLine1: 'Main street 1', locality: 'Copenhagen', postalCode: '1000', country: 'DK' },
      multiCurrency: true,
      contraAccounts: { EUR: { name: 'EUR wallet', code: '1010', identifier: 'acc-1010' }, DKK: {} },
    },
  },
  { method: 'GET', path: '/control/companies', does: 'Lists all companies.' },
  {
    method: 'PUT',
    path: '/control/companies/{id}/bookkeeping',
    does: 'Replaces multiCurrency and contraAccounts.',
    body: { multiCurrency: true, contraAccounts: { EUR: { code: '1010' } } },
  },
  {
    method: 'POST',
    path: '/control/companies/{id}/items',
    does:
      'Adds 1 to 1,000 export items (version 3). Missing ids, type, date and links are filled in; numbers keep every digit. With ' +
      '?documented_only=true items that the platform could never send are refused.',
    body: [
      {
        type: 'card_purchase',
        date: '2026-01-15T10:00:00Z',
        amount: {
          inSupplierCurrency: { currency: 'EUR', value: 12000 },
          inWalletCurrency: { currency: 'EUR', value: 12000 },
        },
        accountingEntryLines: [
          {
            lineAmount: {
              inSupplierCurrency: { currency: 'EUR', value: 12000 },
              inWalletCurrency: { currency: 'EUR', value: 12000 },
            },
            netAmount: {
              inSupplierCurrency: { currency: 'EUR', value: 12000 },
              inWalletCurrency: { currency: 'EUR', value: 12000 },
            },
            account: { id: COMPANY, name: 'Travel', code: '4000', identifier: null },
          },
        ],
      },
    ],
  },
  {
    method: 'PUT',
    path: '/control/items/{id}',
    does:
      'Replaces the content of an item, as an expense is edited. While it is in a running job it is locked: 409. ?documented_only=true ' +
      'as above.',
    body: {
      note: 'Lunch, not dinner',
      amount: {
        inSupplierCurrency: { currency: 'EUR', value: 12000 },
        inWalletCurrency: { currency: 'EUR', value: 12000 },
      },
      accountingEntryLines: [],
    },
  },
  { method: 'DELETE', path: '/control/items/{id}', does: 'Removes an item that was in no job yet.' },
  {
    method: 'POST',
    path: '/control/items/{id}/files',
    does:
      'Adds receipts to an item that has none of its own. Each fetch of the item gives them addresses that are valid for ' +
      '24 hours of the simulator’s clock. Without content (base64) `size` bytes are generated; announcedSize is the size in the ' +
      'item, breakAfter the number of bytes after which the connection breaks.',
    body: [{ name: 'taxi.pdf', type: 'application/pdf', size: 31_457_280, announcedSize: 2_084 }],
  },
  {
    method: 'POST',
    path: '/control/companies/{id}/export',
    does: 'Presses Export: creates a job of all items in the queue, or of the given ones, and its notification.',
    body: { accountingEntryIds: [COMPANY], vendorBasedBookkeeping: false },
  },
  {
    method: 'GET',
    path: '/control/export-jobs/{id}',
    does: 'Shows a job with the result of every item and every event.',
  },
  {
    method: 'POST',
    path: '/control/export-jobs/{id}/cancel',
    does: 'Cancels a running job as its user would.',
  },
  { method: 'GET', path: '/control/job-events?job_id=', does: 'Events of jobs in the order of acceptance.' },
  {
    method: 'POST',
    path: '/control/clients',
    does: 'Registers an OAuth client; id, secret and scopes may be left out.',
    body: {
      clientId: 'my-app',
      clientSecret: 'at-least-16-letters',
      name: 'My app',
      redirectUris: ['http://localhost:3000/oauth/callback'],
      scopes: ['export-jobs:read', 'export-jobs:write', 'export-items:read', 'companies:read'],
    },
  },
  {
    method: 'POST',
    path: '/control/api-keys',
    does: 'Creates an API key of a company or an organization and shows it once.',
    body: { companyId: COMPANY, name: 'Key', scopes: ['export-jobs:read'], expiresInSeconds: 86_400 },
  },
  {
    method: 'GET',
    path: '/control/requests?after=0&limit=100',
    does: 'Requests to the API and the authorization server, oldest first; the newest 10,000 are kept.',
  },
  {
    method: 'GET',
    path: '/control/deliveries?company_id=&limit=100',
    does: 'Notifications, newest first, each with its body, state and attempts.',
  },
  {
    method: 'POST',
    path: '/control/reset',
    does: 'Drops everything but the keys of the authorization server.',
  },
];
