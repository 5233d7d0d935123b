import { afterEach, expect, it } from '@jest/globals';
import { startedOnce } from '../../support/started-once.js';
import { SimulatorHarness } from './simulator-harness.js';

// The order of the plugins by its effects: http/plugins.ts.

const simulator = startedOnce(() => SimulatorHarness.start());
const NEXT_YEAR = new Date().getUTCFullYear() + 1;

afterEach(async () => {
  await simulator.control('POST', '/reset');
});

it('a simulated failure has the headers of every response and the date of the simulator', async () => {
  await simulator.control('POST', '/failures', { path: '/v3/companies', status: 503, jumpSeconds: 366 * 86_400 });
  await simulator.call('GET', '/v3/companies');
  const { status, headers } = await simulator.call('GET', '/v3/companies');
  expect(status).toBe(503);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(new Date(headers.get('date') ?? '').getUTCFullYear()).toBe(NEXT_YEAR);
});

it('a malformed request uses up no failure switch', async () => {
  await simulator.control('POST', '/failures', { path: '/v3/export-jobs/*', status: 503, times: 1 });
  expect((await simulator.call('GET', '/v3/export-jobs/x%00')).status).toBe(404);
  expect(await simulator.control('GET', '/failures')).toMatchObject([{ hits: 0, timesLeft: 1 }]);
});
