import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const organizationId = randomUUID();

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let first: string;
let second: string;
let foreign: string;

beforeAll(async () => {
  first = await simulator.addCompany({ organizationId });
  second = await simulator.addCompany({ organizationId });
  foreign = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { organizationId }), 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });

/** What makes something in a company, and how it is found there again. */
const RESOURCES = [
  [
    'accounts',
    (companyId: string) =>
      call('POST', '/v1/chart-of-accounts', { companyId, externalId: 'A', name: 'A', archived: false }),
    (companyId: string) => call('POST', '/v1/chart-of-accounts:search', { companyId }),
  ],
  [
    'vendors',
    (companyId: string) => call('POST', '/v1/vendors', { companyId, name: 'V', defaultCurrency: 'EUR' }),
    (companyId: string) => call('POST', `/v1/vendors:search?company_id=${companyId}`),
  ],
  [
    'tax codes',
    (companyId: string) =>
      call('POST', '/v0/tax-codes', { companyId, name: 'T', rate: 0, type: 'reverse', archived: false }),
    (companyId: string) => call('POST', `/v0/tax-codes:search?company_id=${companyId}`),
  ],
  [
    'tag groups',
    (companyId: string) =>
      call('POST', `/v0/tag-groups?company_id=${companyId}`, { name: 'G', code: 'G', archived: false }),
    (companyId: string) => call('GET', `/v0/tag-groups?company_id=${companyId}`),
  ],
] as const;

describe('a credential of an organization', () => {
  it.each(RESOURCES)('names the company for %s, and reaches each of its own [P0.3]', async (_name, make, find) => {
    for (const companyId of [first, second]) {
      const made = await make(companyId);
      expect([made.status, at(made.body, 'data', 'companyId')]).toEqual([201, companyId]);
      const found = listAt((await find(companyId)).body, 'data');
      expect(found.map((each) => at(each, 'id'))).toEqual([at(made.body, 'data', 'id')]);
    }
    expect((await make(foreign)).status).toBe(403);
    expect((await find(foreign)).status).toBe(403);
  });

  it('may name a company when it reads its installation [P3.6]', async () => {
    await call('POST', '/v1/installations/me', {});
    for (const [query, status] of [
      ['', 200],
      [`?company_id=${first}`, 200],
      [`?company_id=${foreign}`, 403],
      ['?company_id=me', 400],
    ] as const) {
      expect([query, (await call('GET', `/v1/installations/me${query}`)).status]).toEqual([query, status]);
    }
  });
});
