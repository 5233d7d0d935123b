import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformApi } from '../../../src/connector/platform/platform-api.js';
import { PlatformHttp, type PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { respondingWith, MisbehavingServer } from '../../support/servers/misbehaving-server.js';
import { UnlimitedBudget } from '../../support/platform/unlimited-budget.js';

// The interface shows no body of the activation and wraps every resource in `data`; its description elsewhere has bare objects (P3.6).

const authorization: PlatformAuthorization = {
  accessToken: () => Promise.resolve('some-token'),
  renewed: () => Promise.resolve('other-token'),
};
const INSTALLATION = { id: randomUUID(), resource: `urn:platform:company:${randomUUID()}`, status: 'ACTIVATED' };

let server: MisbehavingServer;
let client: HttpClient;
let api: PlatformApi;

beforeAll(async () => {
  server = await MisbehavingServer.start();
  client = new HttpClient({ baseUrl: server.url, timeoutMs: 5_000, maxResponseBytes: 1_048_576, maxConnections: 2 });
  api = new PlatformApi(new PlatformHttp(client, new SystemClock(), new UnlimitedBudget()));
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  client.close();
  await server.close();
});

describe('an installation', () => {
  it.each([
    ['bare', INSTALLATION],
    ['in an envelope', { data: INSTALLATION }],
  ])('is read %s', async (_, body) => {
    server.plan(respondingWith(200, body));
    expect(await api.getInstallation(authorization)).toMatchObject({ resource: INSTALLATION.resource });
  });
});

describe('the activation', () => {
  const refusedBy = (status: number) => respondingWith(status, { type: 'NOT_FOUND', message: 'no such operation' });
  const activate = 'POST /v1/installations/me:activate';
  const complete = 'PUT /v1/installations/completions';

  // "the path prefix of this operation: not shown", says the interface, and writes `POST /installations/me:activate`.
  it.each([
    ['the name', [404], [activate, complete]],
    ['the prefix', [404, 404], [activate, complete, 'POST /installations/me:activate']],
    [
      'the new name and the prefix, which has another operation there',
      [405, 404, 405],
      [activate, complete, 'POST /installations/me:activate', 'PUT /installations/completions'],
    ],
  ])('is called otherwise on a platform that does not know %s', async (_what, statuses, calls) => {
    server.plan(...statuses.map(refusedBy), respondingWith(200, INSTALLATION));
    await api.activateInstallation(authorization);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(calls);
  });

  it('fails on a platform that knows none of its names', async () => {
    server.plan(...[404, 404, 404, 404].map(refusedBy));
    await expect(api.activateInstallation(authorization)).rejects.toMatchObject({ status: 404 });
    expect(server.requests).toHaveLength(4);
  });

  it('that is refused for another reason is not called otherwise', async () => {
    server.plan(refusedBy(403));
    await expect(api.activateInstallation(authorization)).rejects.toMatchObject({ status: 403 });
    expect(server.requests).toHaveLength(1);
  });
});

describe.each<[string, string, () => Promise<unknown>]>([
  ['the activation', 'POST /v1/installations/me:activate', () => api.activateInstallation(authorization)],
  ['the status of an API key', 'PUT /v1/installations/me', () => api.setInstallationActivated(authorization)],
  ['the creation', 'POST /v1/installations/me', () => api.createInstallation(authorization)],
])('%s', (_, call, act) => {
  it.each<[string, number, string | object]>([
    ['a bare object', 200, INSTALLATION],
    ['an envelope', 201, { data: INSTALLATION }],
    ['no body', 204, ''],
    ['no body, but a status that may have one', 202, ''],
  ])('is done when the response is %s', async (_what, status, body) => {
    server.plan(respondingWith(status, body));
    await act();
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([call]);
  });

  it('is repeated when the response is a page of something between', async () => {
    server.plan(respondingWith(200, '<html>'), respondingWith(200, INSTALLATION));
    await act();
    expect(server.requests).toHaveLength(2);
  });
});
