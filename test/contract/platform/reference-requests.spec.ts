import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformHttp, type PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import { ReferenceDataApi } from '../../../src/connector/platform/reference-data-api.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { UnlimitedBudget } from '../../support/platform/unlimited-budget.js';
import { MisbehavingServer, respondingWith } from '../../support/servers/misbehaving-server.js';

// A platform may refuse a field that its interface does not name for a request (P6).

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
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  client.close();
  await server.close();
});

describe('the activation of a vendor', () => {
  it('contains its numbers and nothing else of it', async () => {
    const vendor = { externalId: 'V-1', code: 'V-1', name: 'Northbeam', defaultCurrency: 'USD', country: 'IE' };
    server.plan(respondingWith(204, ''));
    await api.activateVendor(authorization, randomUUID(), vendor);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ externalId: 'V-1', code: 'V-1' });
  });
});
