import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { InvalidPlatformResponse } from '../../../src/connector/platform/platform-error.js';
import { PlatformHttp, type PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import { ReferenceDataApi } from '../../../src/connector/platform/reference-data-api.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { UnlimitedBudget } from '../../support/platform/unlimited-budget.js';
import { MisbehavingServer, respondingWith } from '../../support/servers/misbehaving-server.js';

// A list of reference data that is read in part would archive on the platform what stands on the pages that were left out.

const COMPANY = randomUUID();
const PAGE_LIMIT = 100;
/** Where the platform gives in: a client that reads on for ever fails the test and does not hang it. */
const MAX_PAGES = 10;
const authorization: PlatformAuthorization = {
  accessToken: () => Promise.resolve('some-token'),
  renewed: () => Promise.resolve('other-token'),
};

let server: MisbehavingServer;
let client: HttpClient;
let api: ReferenceDataApi;

beforeAll(async () => {
  server = await MisbehavingServer.start();
  client = new HttpClient({ baseUrl: server.url, timeoutMs: 5_000, maxResponseBytes: 1_048_576, maxConnections: 2 });
  api = new ReferenceDataApi(new PlatformHttp(client, new SystemClock(), new UnlimitedBudget()));
});
afterAll(async () => {
  client.close();
  await server.close();
});

const LISTS = [
  ['accounts', () => api.listAccounts(authorization, COMPANY), { externalId: '1', name: 'Bank', archived: false }],
  ['tax codes', () => api.listTaxCodes(authorization, COMPANY), { name: 'Standard', rate: 22, type: 'inclusive' }],
  ['tags', () => api.listTags(authorization, 'CC'), { code: '100' }],
  ['vendors', () => api.listVendors(authorization, COMPANY), { state: 'ACTIVE', name: 'A', defaultCurrency: 'EUR' }],
  ['companies', () => api.listCompanies(authorization), { name: 'Example' }],
] as const;

function pageOf(elements: readonly unknown[], endCursor?: string) {
  return respondingWith(200, { data: elements, pagination: { hasNextPage: endCursor !== undefined, endCursor } });
}

describe.each(LISTS)('the list of %s', (_, list, fields) => {
  it('is read to its end, page by full page after the cursor of the page before', async () => {
    const elements = Array.from({ length: 2 * PAGE_LIMIT + 1 }, () => ({ id: randomUUID(), ...fields }));
    const [first, second, third] = [0, 1, 2].map((page) => elements.slice(page * PAGE_LIMIT, (page + 1) * PAGE_LIMIT));
    server.plan(pageOf(first ?? [], 'one='), pageOf(second ?? [], 'two&'), pageOf(third ?? []));
    expect((await list()).map(({ id }) => id)).toEqual(elements.map(({ id }) => id));
    expect(server.requests.map(({ query }) => query.get('after'))).toEqual([null, 'one=', 'two&']);
    expect(server.requests.map(({ query }) => query.getAll('limit'))).toEqual([['100'], ['100'], ['100']]);
  });

  it.each([
    ['the same cursor again', ['one']],
    ['cursors in a circle', ['one', 'two']],
    ['no cursor', [null]],
  ])('that continues with %s is malformed, and is not read on', async (__, cursors) => {
    let page = 0;
    server.always((response) => {
      const pagination = { hasNextPage: page < MAX_PAGES, endCursor: cursors[page % cursors.length] };
      respondingWith(200, { data: [], pagination })(response);
      page += 1;
    });
    await expect(list()).rejects.toBeInstanceOf(InvalidPlatformResponse);
    expect(server.requests.length).toBeLessThanOrEqual(cursors.length + 1);
  });
});
