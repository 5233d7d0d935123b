import { beforeEach, expect, it } from '@jest/globals';
import { RequestQuotaRepository } from '../../../../src/connector/limits/request-quota.repository.js';
import { SharedQuota } from '../../../../src/connector/limits/shared-quota.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { AppLogger } from '../../../../src/foundation/logging/app-logger.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { createTestDatabase, transactionsOf } from '../../../support/test-database.js';
import { FakeClock } from '../exports/fake-clock.js';
import { startedOnce } from '../../../support/started-once.js';

// A process keeps a limited number of keys; a refused client stays refused whatever the number of others.

const MAX_KEYS = 50_000;
const PER_MINUTE = 40;

const testDatabase = startedOnce(createTestDatabase);
const database = startedOnce(() =>
  TenantDatabase.connect({ ...transactionsOf(testDatabase.url), applicationName: 'test', poolSize: 2 }),
);
let clock: FakeClock;
let quota: SharedQuota;

beforeEach(() => {
  clock = new FakeClock();
  const logger = new AppLogger(createLogger('test', { LOG_LEVEL: 'silent' }));
  quota = new SharedQuota(database, new RequestQuotaRepository(), clock, logger);
});

async function spend(key: string): Promise<void> {
  for (let taken = 0; (await quota.consume(key, PER_MINUTE)) === 0; taken += 1) {
    expect(taken).toBeLessThan(2 * PER_MINUTE);
  }
}

async function crowd(name: string): Promise<void> {
  let waitMs = 0;
  for (let index = 0; index < MAX_KEYS + 1; index += 1) {
    waitMs += await quota.consume(`${name} ${index.toString()}`, PER_MINUTE);
  }
  expect(waitMs).toBe(0);
}

it('a refused client stays refused while fifty thousand others send requests', async () => {
  await spend('spender');
  await crowd('other');
  expect(quota.remainingWaitMs('spender')).toBeGreaterThan(0);
  expect(await quota.consume('spender', PER_MINUTE)).toBeGreaterThan(0);
});
