import { describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { BudgetExhausted, InteractiveShareExhausted } from '../../../src/connector/platform/request-budget.js';
import { SharedRequestBudget } from '../../../src/connector/platform/shared-request-budget.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { sql } from '../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../src/foundation/database/tenant-database.js';
import { createTestDatabase, transactionsOf } from '../../support/test-database.js';
import { startedOnce } from '../../support/started-once.js';

/** Remembers when a request would have gone out instead of waiting for it. */
class NotingClock extends SystemClock {
  readonly waits: number[] = [];

  override sleep(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds);
    return Promise.resolve();
  }
}

/** Time that passes when a test says so, for those who wait and for the database's rows alike. */
class VirtualClock extends SystemClock {
  private passedMs = 0;
  private sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  override now(): Date {
    return new Date(super.now().getTime() + this.passedMs);
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.passedMs;
  }

  override sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ until: this.passedMs + milliseconds, wake });
    });
  }

  async pass(milliseconds: number): Promise<void> {
    this.passedMs += milliseconds;
    await database.withoutInstallation('let time pass', (tx) =>
      tx.execute(sql`
        UPDATE request_budget SET booked_until = booked_until - make_interval(secs => ${milliseconds / 1_000})`),
    );
    const due = this.sleepers.filter(({ until }) => until <= this.passedMs);
    this.sleepers = this.sleepers.filter(({ until }) => until > this.passedMs);
    for (const { wake } of due) wake();
  }
}

const testDatabase = startedOnce(createTestDatabase);
const database = startedOnce(() =>
  TenantDatabase.connect({ ...transactionsOf(testDatabase.url), applicationName: 'test', poolSize: 4 }),
);

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
    await budgets[index % budgets.length]?.acquire('connector');
  }
}

describe('the request budget', () => {
  it('allows a burst and spaces what comes after it, over all replicas', async () => {
    const { clock, budgets } = replicas(3);
    // Each replica may have booked five more than it has used.
    await takeAll(budgets, BURST - 15);
    expect(clock.waits).toEqual([]);

    await takeAll(budgets, 15);
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
      await budgets[index % 2]?.acquire('connector');
      sentAt.push(Date.now() + (clock.waits.length > before ? (clock.waits.at(-1) ?? 0) : 0));
    }
    const last = sentAt.at(-1) ?? 0;
    expect(last - (sentAt[0] ?? 0)).toBeGreaterThanOrEqual((300 - BURST - 1) * SPACING_MS - 500);
  });

  it('books concurrent requests by few statements, each in a slot of its own', async () => {
    const { clock, budgets } = replicas(1);
    await takeAll(budgets, BURST);
    const statements = jest.spyOn(TenantDatabase.prototype, 'inOneStatement');
    await Promise.all(Array.from({ length: 25 }, async () => budgets[0]?.acquire('exports')));
    expect(statements.mock.calls.length).toBeLessThanOrEqual(4);
    const waits = clock.waits.toSorted((one, other) => one - other);
    expect(waits.length).toBeGreaterThanOrEqual(20);
    for (const [index, wait] of waits.entries()) {
      expect(wait - (waits[index - 1] ?? -SPACING_MS)).toBeGreaterThan(SPACING_MS / 2);
    }
    statements.mockRestore();
  });

  it('books slots in advance under load', async () => {
    const { clock, budgets } = replicas(1);
    const statements = jest.spyOn(TenantDatabase.prototype, 'inOneStatement');
    await takeAll(budgets, 31);
    expect(statements).toHaveBeenCalledTimes(6);
    expect(clock.waits).toEqual([]);
    statements.mockRestore();
  });

  it('refuses the requests at the end of a group that would wait longer than a single request may', async () => {
    const clock = new NotingClock();
    // One each 7.5 s behind a burst of two.
    const budget = new SharedRequestBudget(database, clock, { clientId: randomUUID(), perMinute: 10 });
    const taken = await Promise.allSettled(Array.from({ length: 10 }, async () => budget.acquire('exports')));
    const refused = taken.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((reason) => reason instanceof BudgetExhausted)).toBe(true);
    expect(Math.max(...clock.waits)).toBeLessThanOrEqual(37_500);
  });

  it('refuses at once when the queue exceeds the maximum wait', async () => {
    const { budgets } = replicas(1);
    await takeAll(budgets, BURST + 30_000 / SPACING_MS);
    await expect(
      (async () => {
        await takeAll(budgets, 60);
      })(),
    ).rejects.toBeInstanceOf(BudgetExhausted);
  });

  it('pauses all requests when the platform asks for it', async () => {
    const { clock, budgets } = replicas(2);
    await budgets[0]?.acquire('connector');
    await budgets[0]?.pause(5_000);
    await budgets[1]?.acquire('connector');
    expect(clock.waits.at(-1)).toBeGreaterThan(4_000);
    expect(clock.waits.at(-1)).toBeLessThanOrEqual(5_000 + SPACING_MS);
  });

  it('does not wait for slots booked in advance longer when the computer’s clock is set back', async () => {
    class SetBackClock extends NotingClock {
      backMs = 0;

      override now(): Date {
        return new Date(super.now().getTime() - this.backMs);
      }
    }
    const clock = new SetBackClock();
    const budget = new SharedRequestBudget(database, clock, { clientId: randomUUID(), perMinute: PER_MINUTE });
    await takeAll([budget], 3);
    await budget.acquire('long-exports');
    clock.backMs = 3_600_000;
    await takeAll([budget], 3);
    await budget.acquire('long-exports');
    expect(clock.waits).toEqual([]);
  });

  it('is separate for another client', async () => {
    const one = replicas(1);
    await takeAll(one.budgets, BURST + 10);
    const other = replicas(1);
    await takeAll(other.budgets, BURST);
    expect(other.clock.waits).toEqual([]);
  });
});

describe('interactive requests', () => {
  it('use at most half of the budget, and never delay an export', async () => {
    const options = { clientId: randomUUID(), perMinute: PER_MINUTE };
    const [clock, exportsClock] = [new VirtualClock(), new NotingClock()];
    const forPeople = new SharedRequestBudget(database, clock, options);
    const forExports = new SharedRequestBudget(database, exportsClock, options);
    const startedAt = Date.now();
    const ends = { answered: 0, refused: 0 };
    const asked: Promise<void>[] = [];
    const ask = async () => {
      try {
        await forPeople.acquire('people');
        ends.answered += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(InteractiveShareExhausted);
        ends.refused += 1;
      }
    };
    // Half a minute: each half second a dozen viewers, and two requests of exports, which is what is left to them for good.
    for (let tick = 0; tick < 60; tick += 1) {
      asked.push(...Array.from({ length: 12 }, ask));
      for (let request = 0; request < 2; request += 1) await forExports.acquire('connector');
      await clock.pass(500);
    }
    // 60 at once and four a second, of the whole budget's 120 and eight.
    const seconds = 30 + (Date.now() - startedAt) / 1_000;
    expect(ends.answered).toBeLessThanOrEqual(61 + 4 * seconds);
    expect(ends.refused).toBeGreaterThan(0);
    expect(exportsClock.waits).toEqual([]);
    for (let rest = 0; rest < 20; rest += 1) await clock.pass(1_000);
    await Promise.all(asked);
  });

  it('are refused with the time to retry after', async () => {
    const { budgets } = replicas(2);
    const refusal: unknown = await (async () => {
      for (let index = 0; ; index += 1) await budgets[index % 2]?.acquire('people');
    })().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InteractiveShareExhausted);
    expect(refusal).toMatchObject({ retryAfterSeconds: 10 });
    await budgets[0]?.acquire('connector');
  });

  it('wait like all others after a 429 of the platform', async () => {
    const { clock, budgets } = replicas(2);
    await budgets[0]?.acquire('connector');
    await budgets[0]?.pause(5_000);
    await budgets[1]?.acquire('people');
    expect(clock.waits.at(-1)).toBeGreaterThan(4_000);
  });
});

describe('requests of long exports', () => {
  it('book ten requests at a time, and none of them waits while the burst lasts', async () => {
    const clock = new NotingClock();
    const clientId = randomUUID();
    const budget = new SharedRequestBudget(database, clock, { clientId, perMinute: PER_MINUTE });
    const startedAt = Date.now();
    await Promise.all(Array.from({ length: 12 }, () => budget.acquire('long-exports')));
    const [row] = await database.inOneStatement<{ readonly ahead: number }>(
      'look',
      sql`SELECT extract(epoch FROM booked_until - clock_timestamp())::float8 * 1000 AS ahead FROM request_budget WHERE client_id = ${clientId}`,
    );
    expect(row?.ahead).toBeLessThanOrEqual(20 * SPACING_MS);
    expect(row?.ahead).toBeGreaterThan(20 * SPACING_MS - (Date.now() - startedAt) - 1);
    expect(clock.waits).toEqual([]);
  });

  it('wait for the slots they have booked like all others', async () => {
    const { clock, budgets } = replicas(1);
    for (let index = 0; index < 150; index += 1) await budgets[0]?.acquire('long-exports');
    // 90 at once; of the rest each waits at least for its place in the common queue.
    expect(clock.waits.length).toBeGreaterThan(0);
    await budgets[0]?.pause(5_000);
    await budgets[0]?.acquire('long-exports');
    expect(Math.max(...clock.waits)).toBeGreaterThan(4_000);
  });

  it('leave a quarter of the budget to the others, which never wait', async () => {
    const options = { clientId: randomUUID(), perMinute: PER_MINUTE };
    const [clock, othersClock] = [new VirtualClock(), new NotingClock()];
    const ofLong = new SharedRequestBudget(database, clock, options);
    const ofOthers = new SharedRequestBudget(database, othersClock, options);
    const startedAt = Date.now();
    let [sent, isOver] = [0, false];
    const underWay = Array.from({ length: 10 }, async () => {
      while (!isOver) {
        await ofLong.acquire('long-exports');
        sent += 1;
      }
    });
    for (let tick = 0; tick < 60; tick += 1) {
      await ofOthers.acquire('connector');
      await clock.pass(500);
    }
    // 90 at once and six a second, of the whole budget's 120 and eight; one more by the rounding of each of the two clocks.
    const seconds = 30 + (Date.now() - startedAt) / 1_000;
    expect(sent).toBeLessThanOrEqual(92 + 6 * seconds);
    expect(sent).toBeGreaterThan(90);
    expect(othersClock.waits).toEqual([]);
    isOver = true;
    for (let rest = 0; rest < 20; rest += 1) await clock.pass(1_000);
    await Promise.all(underWay);
  });
});
