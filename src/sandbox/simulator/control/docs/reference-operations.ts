import type { ControlOperation } from './control-operations.js';

const PAGED = 'page by page as the API’s lists; archived ones included';

/** Operations on reference data. */
export const REFERENCE_OPERATIONS: readonly ControlOperation[] = [
  {
    method: 'POST',
    path: '/control/companies/{id}/employees',
    does: 'Adds an employee, or a list of up to 25,000.',
    body: {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Example',
      code: 'E1',
      jobTitle: 'Engineer',
    },
  },
  { method: 'GET', path: '/control/companies/{id}/employees', does: `Shows employees ${PAGED}.` },
  {
    method: 'POST',
    path: '/control/companies/{id}/accounts',
    does: 'Adds 1 to 25,000 accounts. Only externalId is required.',
    body: [{ externalId: 'acc-4000', code: '4000', name: 'Travel', archived: false, taxCodeExternalId: 'V25' }],
  },
  { method: 'GET', path: '/control/companies/{id}/accounts', does: `Shows accounts ${PAGED}.` },
  {
    method: 'POST',
    path: '/control/companies/{id}/categories',
    does: 'Adds 1 to 25,000 categories. Only the name is required; accountId assigns an account of the company.',
    body: [{ name: 'Travel', accountId: '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0004' }],
  },
  { method: 'GET', path: '/control/companies/{id}/categories', does: 'Shows all categories.' },
  {
    method: 'POST',
    path: '/control/companies/{id}/tax-codes',
    does: 'Adds 1 to 25,000 tax codes. Name and rate are required.',
    body: [{ name: 'VAT 25 %', code: 'V25', rate: 0.25, type: 'inclusive' }],
  },
  { method: 'GET', path: '/control/companies/{id}/tax-codes', does: `Shows tax codes ${PAGED}.` },
  {
    method: 'POST',
    path: '/control/companies/{id}/vendors',
    does: 'Adds 1 to 25,000 vendors in any state, without a notification. Only the name is required.',
    body: [{ name: 'Example GmbH', state: 'ACTIVE', externalId: 'V-1', code: '70001', country: 'DE' }],
  },
  { method: 'GET', path: '/control/companies/{id}/vendors', does: `Shows vendors ${PAGED}.` },
  {
    method: 'POST',
    path: '/control/companies/{id}/draft-vendors',
    does: 'Creates a vendor as a bookkeeper does in the web app: a draft, with its notification v1.vendor.created.',
    body: { name: 'New supplier', defaultCurrency: 'EUR', country: 'DE' },
  },
  {
    method: 'POST',
    path: '/control/companies/{id}/tag-groups',
    does: 'Adds tag groups with up to 25,000 tags in all; limits do not count here.',
    body: [{ name: 'Project', code: 'PROJECT', tags: [{ code: 'P-1', name: 'Bridge' }] }],
  },
  {
    method: 'GET',
    path: '/control/companies/{id}/tag-groups',
    does: 'Shows all tag groups with the number of their tags, archived ones included.',
  },
  { method: 'GET', path: '/control/companies/{id}/tags?tag_group_id=', does: `Shows tags ${PAGED}.` },
];
