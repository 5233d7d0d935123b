import { expect, it } from '@jest/globals';
import { startedOnce } from '../../support/started-once.js';
import { exportItem, SimulatorHarness, textAt, type SimulatorResponse } from './simulator-harness.js';

const simulator = startedOnce(() => SimulatorHarness.start());
const ROUNDS = 15;
const CLIENTS = 8;

it('a reset succeeds while requests are in progress, and none of them fails for it', async () => {
  const failed: string[] = [];
  let over = false;
  let requests = 0;
  const call = async (method: string, path: string, body?: unknown, token?: string) => {
    const answer = await simulator.call(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { token }),
    });
    requests += 1;
    // One whose company was dropped before it may be refused.
    if (answer.status >= 500) {
      failed.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer;
  };
  const client = async () => {
    while (!over) {
      const company = await call('POST', '/control/companies', { name: 'A', contraAccounts: { EUR: { code: '1' } } });
      const companyId = textAt(company.body, 'id');
      const key = await call('POST', '/control/api-keys', { companyId });
      if (key.status < 300) {
        const token = textAt(key.body, 'apiKey');
        const hook = { endpointUrl: 'http://127.0.0.1:9/', eventTypes: ['v1.export-job.created'] };
        await call('POST', '/v1/subscriptions', hook, token);
        await call('POST', `/control/companies/${companyId}/items`, [exportItem(1), exportItem(2)]);
        await call('POST', `/control/companies/${companyId}/export`, {});
        await call('GET', '/v3/export-items', undefined, token);
        await call('POST', '/v1/chart-of-accounts:search', { companyId }, token);
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const resets: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    resets.push((await call('POST', '/control/reset')).status);
  }
  over = true;
  await Promise.all(clients);
  expect([...new Set(failed)]).toEqual([]);
  expect(new Set(resets)).toEqual(new Set([204]));
  expect(requests).toBeGreaterThan(ROUNDS * CLIENTS);
}, 120_000);

/** Until the one switch has matched a request, which is then held. */
async function untilHeld(): Promise<void> {
  while (((await simulator.control('GET', '/failures')) as readonly { hits: number }[])[0]?.hits !== 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it.each([
  ['before its effect', '/v3/export-items', { status: 500 }],
  ['after its effect', '/v1/subscriptions', { effect: 'after' }],
  ['after a token was given out', '/oauth/token', { effect: 'after', status: 500 }],
])('a reset waits for a request that is held %s, which then gets 503', async (_, path, failure) => {
  const companyId = await simulator.addCompany();
  const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  const { refreshToken } = await simulator.connect(companyId);
  await simulator.control('POST', '/failures', { path, delayMs: 100_000, ...failure });
  const body = { endpointUrl: 'http://127.0.0.1:9/', eventTypes: ['v1.export-job.created'] };
  const send: Readonly<Record<string, () => Promise<SimulatorResponse>>> = {
    '/v3/export-items': () => simulator.call('GET', path, { token }),
    '/v1/subscriptions': () => simulator.call('POST', path, { token, body }),
    '/oauth/token': () => simulator.refresh(refreshToken),
  };
  const held = send[path]?.();
  await untilHeld();
  expect((await simulator.call('POST', '/control/reset')).status).toBe(204);
  const late = await held;
  expect([late?.status, late?.headers.get('retry-after'), late?.body]).toEqual([
    503,
    '1',
    { type: 'RESET_UNDER_WAY', message: expect.stringContaining('try again') },
  ]);
  // What it did is gone with the rest.
  expect(await simulator.control('GET', '/failures')).toEqual([]);
  expect((await simulator.call('GET', '/v3/export-items', { token })).status).toBe(401);
});

it('concurrent resets all succeed, also beside a request that is held', async () => {
  await simulator.control('POST', '/failures', { path: '/v3/export-items', delayMs: 100_000, status: 503 });
  const held = new AbortController();
  const waiting = fetch(`${simulator.url}/v3/export-items`, { signal: held.signal }).catch(() => 'cut');
  await untilHeld();
  const resets = await Promise.all([1, 2, 3].map(() => simulator.call('POST', '/control/reset')));
  expect(resets.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(await simulator.control('GET', '/failures')).toEqual([]);
  held.abort();
  await waiting;
});
