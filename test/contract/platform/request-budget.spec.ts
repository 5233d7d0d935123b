import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { BudgetSpent } from '../../../src/connector/platform/request-budget.js';
import { SharedRequestBudget } from '../../../src/connector/platform/shared-request-budget.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { TenantDatabase } from '../../../src/foundation/database/tenant-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Remembers when a request would have gone out instead of waiting for it. */
class NotingClock extends SystemClock {
  readonly waits: number[] = [];

  override sleep(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds);
    return Promise.resolve();
  }
}

let testDatabase: TestDatabase;
let database: TenantDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await TenantDatabase.connect({ url: testDatabase.url, applicationName: 'test', poolSize: 4 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

// 600 a minute: 120 at once, then one each eighth of a second.
const PER_MINUTE = 600;
const BURST = 120;
const SPACING_MS = 125;

function replicas(count: number): { readonly clock: NotingClock; readonly budgets: SharedRequestBudget[] } {
  const clock = new NotingClock();
  const options = { clientId: randomUUID(), perMinute: PER_MINUTE };
  return {
    clock,
    budgets: Array.from({ length: count }, () => new SharedRequestBudget(database, clock, options)),
  };
}

async function takeAll(budgets: readonly SharedRequestBudget[], count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await budgets[index % budgets.length]?.take();
  }
}

describe('the request budget', () => {
  it('lets a burst pass and spaces what comes after it, over all replicas', async () => {
    const { clock, budgets } = replicas(3);
    await takeAll(budgets, BURST);
    expect(clock.waits).toEqual([]);

    const startedAt = Date.now();
    await takeAll(budgets, 60);
    // While they were taken, real time gave some back.
    const passed = Date.now() - startedAt;
    const longest = clock.waits.at(-1) ?? 0;
    expect(longest).toBeLessThanOrEqual(60 * SPACING_MS);
    expect(longest).toBeGreaterThanOrEqual(60 * SPACING_MS - passed - BURST * SPACING_MS * 0.2);
    expect(clock.waits.toSorted((a, b) => a - b).at(-1)).toBe(longest);
  });

  it('spaces the requests behind the burst, however many ask', async () => {
    const { clock, budgets } = replicas(2);
    const sentAt: number[] = [];
    for (let index = 0; index < 300; index += 1) {
      const before = clock.waits.length;
      await budgets[index % 2]?.take();
      sentAt.push(Date.now() + (clock.waits.length > before ? (clock.waits.at(-1) ?? 0) : 0));
    }
    const last = sentAt.at(-1) ?? 0;
    expect(last - (sentAt[0] ?? 0)).toBeGreaterThanOrEqual((300 - BURST - 1) * SPACING_MS - 500);
  });

  it('refuses at once when the queue is longer than a request is worth', async () => {
    const { budgets } = replicas(1);
    await takeAll(budgets, BURST + 30_000 / SPACING_MS);
    await expect(
      (async () => {
        await takeAll(budgets, 60);
      })(),
    ).rejects.toBeInstanceOf(BudgetSpent);
  });

  it('holds everybody back when the platform says so', async () => {
    const { clock, budgets } = replicas(2);
    await budgets[0]?.take();
    await budgets[0]?.holdBack(5_000);
    await budgets[1]?.take();
    expect(clock.waits.at(-1)).toBeGreaterThan(4_000);
    expect(clock.waits.at(-1)).toBeLessThanOrEqual(5_000 + SPACING_MS);
  });

  it('is apart for another client', async () => {
    const one = replicas(1);
    await takeAll(one.budgets, BURST + 10);
    const other = replicas(1);
    await takeAll(other.budgets, BURST);
    expect(other.clock.waits).toEqual([]);
  });
});
