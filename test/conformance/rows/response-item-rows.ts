import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, type Platform } from '../platform.js';
import { RICH_ITEM } from '../rich-item.js';

/** A part of an item, the fields it has always, and those that are null where nothing is known. */
interface ItemPart {
  readonly what: string;
  readonly path: readonly (string | number)[];
  readonly fields: readonly string[];
}

const MONEY = ['amount', 'inWalletCurrency'] as const;
const LINE = ['accountingEntryLines', 0] as const;
const INVOICE = ['additionalInformation', 'invoiceInformation'] as const;

const PARTS: readonly ItemPart[] = [
  { what: 'an amount of money', path: MONEY, fields: ['currency', 'value'] },
  { what: 'the account of a line', path: [...LINE, 'account'], fields: ['id', 'name'] },
  { what: 'a tag of a line', path: [...LINE, 'tags', 0], fields: ['id', 'code', 'groupCode'] },
  { what: 'the tax of a line', path: [...LINE, 'tax'], fields: ['amount', 'id', 'rate', 'type'] },
  { what: 'the vendor of an item', path: ['vendor'], fields: ['id', 'name', 'defaultCurrency'] },
  { what: 'the contra account of an item', path: ['contraAccount'], fields: ['id', 'name'] },
  { what: 'the user of an item', path: ['user'], fields: ['id', 'name'] },
  { what: 'the team of an item', path: ['team'], fields: ['id', 'name'] },
  { what: 'a file of an item', path: ['files', 0], fields: ['url', 'type', 'size'] },
  { what: 'the service period of an item', path: ['servicePeriod'], fields: ['from', 'to'] },
  { what: 'the bookkeeping of an item', path: ['bookkeeping'], fields: ['method'] },
  {
    what: 'the additional information of an item',
    path: ['additionalInformation'],
    fields: ['reconciliationId'],
  },
  { what: 'an invoice', path: INVOICE, fields: ['invoiceDate', 'invoiceNumber', 'status'] },
  {
    what: 'the bank account of a supplier',
    path: [...INVOICE, 'supplierBankAccount'],
    fields: ['bankName', 'country'],
  },
  { what: 'the links of an item', path: ['_links'], fields: ['web', 'mobile', 'api'] },
];

/** The item that carries everything, as version 3 serves it. */
const richItem = async ({ sandbox }: Platform): Promise<unknown> => {
  const customer = await sandbox.customer({ items: [RICH_ITEM] });
  const jobId = await sandbox.triggerExport(await customer.companyId());
  return at((await customer.call('GET', `/v3/export-items?job_id=${jobId}`)).body, 'data', 0);
};

/** What stands with null in a plain result, or is left out. */
const FRESH_RESULT = ['exportedAt', 'externalId', 'externalUrl', 'failureReason'];
const freshResult = async (platform: Platform, version: string): Promise<unknown> => {
  const jobId = await platform.newJob();
  const { body } = await platform.call('GET', `/${version}/export-jobs/${jobId}/items?limit=1`);
  return at(body, 'data', 0);
};

export const RESPONSE_ITEM_ROWS: readonly ConformanceRow[] = [
  ...PARTS.flatMap(({ what, path, fields }) =>
    fields.map((field) => ({
      fact: `${what} is answered with ${field}`,
      source: 'P1.8',
      needs: 'sandbox' as const,
      observe: async (platform: Platform) => at(await richItem(platform), ...path, field),
      expected: expect.anything(),
    })),
  ),
  ...FRESH_RESULT.map((field) => ({
    fact: `a fresh result has ${field} with null`,
    source: 'P1.6',
    needs: 'export' as const,
    observe: async (platform: Platform) => at(await freshResult(platform, 'v3'), field),
    expected: null,
  })),
  ...['v2', 'v3'].map((version) => ({
    fact: `null reasons of a result are ${version === 'v2' ? 'null in version 2' : 'absent in version 3'}`,
    source: 'P13',
    needs: 'export' as const,
    observe: async (platform: Platform) => at(await freshResult(platform, version), 'failureReasonType'),
    expected: version === 'v2' ? null : undefined,
  })),
  ...['v2', 'v3'].map((version) => ({
    fact: `an unknown subtype is ${version === 'v2' ? 'null in version 2' : 'absent in version 3'}`,
    source: 'P13',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const customer = await sandbox.customer({ items: [{ ...RICH_ITEM, subType: null }] });
      const jobId = await sandbox.triggerExport(await customer.companyId());
      const { body } = await customer.call('GET', `/${version}/export-items?job_id=${jobId}`);
      return at(body, 'data', 0, 'subType');
    },
    expected: version === 'v2' ? null : undefined,
  })),
  {
    fact: 'times of the Export API are to the second',
    source: 'P0.1',
    needs: 'export',
    observe: async (platform) => {
      const { body } = await platform.call('GET', `/v3/export-jobs/${await platform.newJob()}`);
      return ['createdAt', 'lastUpdatedAt'].map((field) => at(body, 'data', field));
    },
    expected: Array.from({ length: 2 }, () => expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)),
  },
];
