import { beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startConnectorApp, storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { jobCreated, signedBy } from './webhook-sender.js';
import { startedOnce } from '../../../support/started-once.js';

// A client that tries unknown webhook addresses has a limit (S33); those that exist are never refused for it.

const ANONYMOUS = 80;

const connector = startedOnce(() => startConnectorApp({ CONNECTOR_STRANGERS_PER_MINUTE: ANONYMOUS.toString() }));
let first: StoredInstallation;

beforeAll(async () => {
  first = await storeInstallation(connector);
});

async function deliver(to: StoredInstallation, from: string, address = to.endpointToken): Promise<number> {
  const { headers, body } = signedBy(to, jobCreated(to.companyId), `msg_${randomUUID()}`);
  const answer = await connector.app.inject({
    method: 'POST',
    url: `/webhooks/${address}`,
    remoteAddress: from,
    headers,
    payload: body,
  });
  return answer.statusCode;
}

it('a client that tries webhook addresses is limited, without effect on messages to known ones', async () => {
  const from = '198.51.100.1';
  expect(await deliver(first, from)).toBe(202);
  const statuses: number[] = [];
  // One after the other: an unknown address is counted only after the response.
  for (let tried = 0; tried < 2 * ANONYMOUS; tried += 1) {
    statuses.push(await deliver(first, from, randomUUID()));
  }
  const found = statuses.filter((status) => status === 404).length;
  expect(statuses.filter((status) => status !== 404 && status !== 429)).toEqual([]);
  expect(found).toBeGreaterThanOrEqual(ANONYMOUS * 0.9);
  expect(found).toBeLessThan(2 * ANONYMOUS);
  expect(statuses.at(-1)).toBe(429);

  expect(await deliver(first, from)).toBe(202);
  const second = await storeInstallation(connector, 'Second');
  expect(await deliver(second, from, randomUUID())).toBe(429);
  expect(await deliver(second, from)).toBe(202);
});
