import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, unknownId, type Platform } from '../platform.js';
import { euros, item } from '../export-item.js';

const ACCOUNTS = '/v1/chart-of-accounts';
const TAX_CODES = '/v0/tax-codes';
const accountBody = async (platform: Platform) => ({
  companyId: await platform.companyId(),
  externalId: fresh('account'),
  name: 'Travel',
  code: '4000',
  archived: false,
});
const taxCodeBody = async (platform: Platform) => ({
  companyId: await platform.companyId(),
  name: 'Standard (25 %)',
  rate: 0.25,
  type: 'inclusive',
  archived: false,
});
const vendorBody = async (platform: Platform) => ({
  companyId: await platform.companyId(),
  name: 'Example Ltd',
  defaultCurrency: 'EUR',
  externalId: fresh('vendor'),
});
const newVendor = async (platform: Platform, extra: object = {}) =>
  platform.create('/v1/vendors', { ...(await vendorBody(platform)), ...extra });

const ACCOUNT_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'an account is created with 201, again with 200, and differently not at all',
    source: 'P4',
    needs: 'write',
    observe: async (platform) => {
      const body = await accountBody(platform);
      const first = await platform.call('POST', ACCOUNTS, { body });
      const again = await platform.call('POST', ACCOUNTS, { body });
      const other = await platform.call('POST', ACCOUNTS, { body: { ...body, name: 'Meals' } });
      await platform.call('DELETE', `${ACCOUNTS}/${String(at(first.body, 'data', 'id'))}`);
      return [first.status, again.status, other.status];
    },
    expected: [201, 200, 409],
  },
  {
    fact: 'a batch tells what was created and why the rest failed',
    source: 'P4',
    needs: 'write',
    observe: async (platform) => {
      const { companyId, ...good } = await accountBody(platform);
      const items = [good, { ...good, externalId: '' }];
      const answer = await platform.call('POST', `${ACCOUNTS}/batch`, { body: { companyId, items } });
      await platform.call('DELETE', `${ACCOUNTS}/${String(at(answer.body, 'data', 'created', 0, 'id'))}`);
      return [
        answer.status,
        at(answer.body, 'data', 'created', 'length'),
        at(answer.body, 'data', 'failed', 0, 'reasons'),
      ];
    },
    expected: [201, 1, ['EXTERNAL_ID_EMPTY']],
  },
  {
    fact: 'an account is read, updated without its externalId, found by it, and deleted with 204',
    source: 'P4',
    needs: 'write',
    observe: async (platform) => {
      const body = await accountBody(platform);
      const path = `${ACCOUNTS}/${await platform.create(ACCOUNTS, body, ACCOUNTS)}`;
      await platform.call('PUT', path, { body: { name: 'Meals', archived: true, externalId: 'other' } });
      const read = at((await platform.call('GET', path)).body, 'data');
      const search = { companyId: body.companyId, externalId: body.externalId };
      const found = await platform.call('POST', `${ACCOUNTS}:search`, { body: search });
      const { status } = await platform.call('DELETE', path);
      return [
        at(read, 'name'),
        at(read, 'externalId') === body.externalId,
        at(found.body, 'data', 0, 'archived'),
        status,
      ];
    },
    expected: ['Meals', true, true, 204],
  },
  {
    fact: 'an account that accounting entries name is not deleted',
    source: 'P4',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer();
      const id = await customer.create(ACCOUNTS, await accountBody(customer));
      const account = { id, name: 'Travel', code: '4000', identifier: null };
      await sandbox.addItems(await customer.companyId(), [
        item(1, { accountingEntryLines: [{ lineAmount: euros(1), netAmount: euros(1), account }] }),
      ]);
      return (await customer.call('DELETE', `${ACCOUNTS}/${id}`)).status;
    },
    expected: 409,
  },
  {
    fact: 'an account is not updated to a tax code that does not exist',
    source: 'P4',
    needs: 'write',
    observe: async (platform) => {
      const path = `${ACCOUNTS}/${await platform.create(ACCOUNTS, await accountBody(platform), ACCOUNTS)}`;
      const body = { name: 'Travel', archived: false, taxCodeExternalId: fresh('tax') };
      return (await platform.call('PUT', path, { body })).status;
    },
    expected: 400,
  },
  ...(
    [
      ['a name of 256 characters', { name: 'x'.repeat(256) }, 'NAME_TOO_LONG'],
      ['no name', { name: '' }, 'NAME_EMPTY'],
      ['a code of 256 characters', { code: 'x'.repeat(256) }, 'CODE_TOO_LONG'],
      ['an externalId of 256 characters', { externalId: 'x'.repeat(256) }, 'EXTERNAL_ID_TOO_LONG'],
      ['an empty externalId', { externalId: '' }, 'EXTERNAL_ID_EMPTY'],
    ] as const
  ).map(([what, change, reason]) => ({
    fact: `a batch names ${reason} for an account with ${what}`,
    source: 'P4 (reasons)',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const { companyId, ...good } = await accountBody(platform);
      const body = { companyId, items: [{ ...good, ...change }] };
      const answer = await platform.call('POST', `${ACCOUNTS}/batch`, { body });
      return at(answer.body, 'data', 'failed', 0, 'reasons');
    },
    expected: [reason],
  })),
  {
    fact: 'a batch names EXTERNAL_ID_ALREADY_EXISTS for an account that is there',
    source: 'P4 (reasons)',
    needs: 'write',
    observe: async (platform) => {
      const { companyId, ...good } = await accountBody(platform);
      await platform.create(ACCOUNTS, { companyId, ...good }, ACCOUNTS);
      const body = { companyId, items: [good] };
      const answer = await platform.call('POST', `${ACCOUNTS}/batch`, { body });
      return at(answer.body, 'data', 'failed', 0, 'reasons');
    },
    expected: ['EXTERNAL_ID_ALREADY_EXISTS'],
  },
  ...[0, 1_001].map((length) => ({
    fact: `a batch of ${length} accounts is refused`,
    source: 'P4 (size 1 to 1,000)',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const { companyId, ...good } = await accountBody(platform);
      const body = { companyId, items: Array.from({ length }, () => good) };
      return (await platform.call('POST', `${ACCOUNTS}/batch`, { body })).status;
    },
    expected: 400,
  })),
  {
    fact: 'an unknown account is answered 404',
    source: 'P4',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', `${ACCOUNTS}/${unknownId()}`)).status,
    expected: 404,
  },
];

const TAX_CODE_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'a tax code is created, read, updated, found and deleted',
    source: 'P5',
    needs: 'write',
    observe: async (platform) => {
      const body = await taxCodeBody(platform);
      const id = await platform.create(TAX_CODES, body, TAX_CODES);
      const read = await platform.call('GET', `${TAX_CODES}/${id}`);
      const updated = await platform.call('PUT', `${TAX_CODES}/${id}`, { body: { ...body, rate: 0.12 } });
      const search = await platform.call('POST', `${TAX_CODES}:search?company_id=${body.companyId}`, {
        body: { taxCodeIds: [id] },
      });
      const deleted = await platform.call('DELETE', `${TAX_CODES}/${id}`);
      return [
        at(read.body, 'data', 'rate'),
        at(updated.body, 'data', 'rate'),
        at(search.body, 'data', 'length'),
        deleted.status < 300,
      ];
    },
    expected: [0.25, 0.12, 1, true],
  },
  {
    fact: 'tax is calculated in the smallest unit of the currency',
    source: 'P5, calculate',
    needs: 'write',
    observe: async (platform) => {
      const id = await platform.create(TAX_CODES, await taxCodeBody(platform), TAX_CODES);
      const amounts = [{ id: 'one', amount: { currency: 'EUR', minors: 12_500 } }];
      const answer = await platform.call('POST', `${TAX_CODES}:calculate-tax-amounts`, {
        body: { amountsByTaxCodeId: { [id]: amounts } },
      });
      return at(answer.body, 'data', 'taxes', id, 0, 'amountTaxBreakdown', 'tax', 'minors');
    },
    expected: 2_500,
  },
];

const VENDOR_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'a vendor is created with 201 as a draft, and UNDEFINED stands for no country',
    source: 'P6',
    needs: 'write',
    observe: async (platform) => {
      const answer = await platform.call('POST', '/v1/vendors', { body: await vendorBody(platform) });
      return [answer.status, at(answer.body, 'data')];
    },
    expected: [201, expect.objectContaining({ state: 'DRAFT', country: 'UNDEFINED', defaultCurrency: 'EUR' })],
  },
  {
    fact: 'a second vendor with the same externalId is refused',
    source: 'P6, P13',
    needs: 'write',
    observe: async (platform) => {
      const body = await vendorBody(platform);
      await platform.create('/v1/vendors', body);
      return (await platform.call('POST', '/v1/vendors', { body })).status;
    },
    expected: 409,
  },
  {
    fact: 'a draft is activated with 204 and archived with 204',
    source: 'P6',
    needs: 'write',
    observe: async (platform) => {
      const path = `/v1/vendors/${await newVendor(platform)}`;
      const state = async () => at((await platform.call('GET', path)).body, 'data', 'state');
      const activated = await platform.call('POST', `${path}:activate`, { body: { externalId: fresh('v') } });
      const active = await state();
      const archived = await platform.call('POST', `${path}:archive`);
      return [activated.status, active, archived.status, await state()];
    },
    expected: [204, 'ACTIVE', 204, 'ARCHIVED'],
  },
  {
    fact: 'a vendor is updated and found by externalId',
    source: 'P6',
    needs: 'write',
    observe: async (platform) => {
      const body = await vendorBody(platform);
      const id = await platform.create('/v1/vendors', body);
      const changes = { ...body, name: 'Other Ltd', state: 'ACTIVE' };
      const updated = await platform.call('PUT', `/v1/vendors/${id}`, { body: changes });
      const found = await platform.call('POST', `/v1/vendors:search?company_id=${body.companyId}`, {
        body: { externalIds: [body.externalId] },
      });
      return [updated.status, at(found.body, 'data', 0, 'name')];
    },
    expected: [200, 'Other Ltd'],
  },
  {
    fact: 'a vendor is not updated to the externalId of another one, nor is one that does not exist',
    source: 'P6',
    needs: 'write',
    observe: async (platform) => {
      const body = { ...(await vendorBody(platform)), state: 'ACTIVE' };
      await platform.create('/v1/vendors', body);
      const other = await newVendor(platform);
      return [
        (await platform.call('PUT', `/v1/vendors/${other}`, { body })).status,
        (await platform.call('PUT', `/v1/vendors/${unknownId()}`, { body })).status,
      ];
    },
    expected: [409, 404],
  },
  ...['name', 'defaultCurrency', 'companyId'].map((field) => ({
    fact: `a vendor needs ${field}`,
    source: 'P6',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const body = { ...(await vendorBody(platform)), [field]: undefined };
      return (await platform.call('POST', '/v1/vendors', { body })).status;
    },
    expected: 400,
  })),
];

export const REFERENCE_ROWS: readonly ConformanceRow[] = [...ACCOUNT_ROWS, ...TAX_CODE_ROWS, ...VENDOR_ROWS];
