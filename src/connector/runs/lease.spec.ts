import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../kernel/clock.js';
import { toInstallationId } from '../../kernel/ids.js';
import { sql } from '../../foundation/database/sql.js';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import {
  assertUntilEnd,
  fencedStatement,
  fencedTransaction,
  LeaseLost,
  whileRenewed,
  type LeaseRenewal,
  type Ownership,
} from './lease.js';

const lease = { installationId: toInstallationId('0198c5a0-0000-7000-8000-000000000001'), fence: 1n };

/** Of the monotonic clock when the lease is claimed: any moment but zero. */
const CLAIMED_MS = 1_000_000;

/** Time passes when the test says so; nothing sleeps until then. */
class StoppedClock implements Clock {
  /** Since the lease was claimed. */
  ms = 0;
  readonly slept: number[] = [];
  private wake: () => void = () => undefined;

  now(): Date {
    return new Date(this.ms);
  }

  monotonicMs(): number {
    return CLAIMED_MS + this.ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      const abort = () => {
        reject(new Error('aborted'));
      };
      this.wake = resolve;
      signal?.addEventListener('abort', abort);
      if (signal?.aborted === true) {
        abort();
      }
    });
  }

  async renewNow(): Promise<void> {
    this.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const renewalBy = (renew: () => Promise<boolean>): LeaseRenewal => ({
  lease,
  leaseSeconds: 10,
  claimedAtMs: CLAIMED_MS,
  subject: 'company c',
  renew,
});

/** The work has to come to its end: what it expects is expected in there. */
async function owning(renew: () => Promise<boolean>, work: (owner: Ownership, clock: StoppedClock) => Promise<void>) {
  const clock = new StoppedClock();
  const worked = whileRenewed(clock, renewalBy(renew), new AbortController().signal, async (owner) => {
    await work(owner, clock);
    return 'worked';
  });
  expect(await worked).toBe('worked');
}

describe('the owner of a lease of ten seconds', () => {
  it('may write until its end and no longer, even if no timer has fired', async () => {
    await owning(
      () => Promise.resolve(true),
      async (owner, clock) => {
        clock.ms = 9_999;
        owner.assertOwner();
        // Frozen for a minute in the middle of a post of several requests: the next request asks first.
        clock.ms = 70_000;
        expect(() => {
          owner.assertOwner();
        }).toThrow(LeaseLost);
        expect(owner.signal.aborted).toBe(false);
        await Promise.resolve();
      },
    );
  });

  it('may write on after each renewal, counted from the time it was sent', async () => {
    const clocks: StoppedClock[] = [];
    await owning(
      () => {
        const [clock] = clocks;
        if (clock !== undefined) {
          // The response took two seconds.
          clock.ms += 2_000;
        }
        return Promise.resolve(true);
      },
      async (owner, clock) => {
        clocks.push(clock);
        clock.ms = 5_000;
        await clock.renewNow();
        clock.ms = 14_999;
        owner.assertOwner();
        clock.ms = 15_000;
        expect(() => {
          owner.assertOwner();
        }).toThrow(LeaseLost);
      },
    );
  });

  it('continues after a renewal that threw, until the end of the lease', async () => {
    await owning(
      () => Promise.reject(new Error('the connection was reset')),
      async (owner, clock) => {
        for (const ms of [2_500, 5_000, 7_500]) {
          clock.ms = ms;
          await clock.renewNow();
          owner.assertOwner();
          expect(owner.signal.aborted).toBe(false);
        }
        clock.ms = 10_000;
        await clock.renewNow();
        expect(owner.signal.reason).toBeInstanceOf(LeaseLost);
      },
    );
  });

  it('continues after a renewal that got its response late: the next renewal decides', async () => {
    const clocks: StoppedClock[] = [];
    await owning(
      () => {
        const [clock] = clocks;
        if (clock !== undefined) {
          clock.ms += 11_000;
        }
        return Promise.resolve(true);
      },
      async (owner, clock) => {
        clocks.push(clock);
        clock.ms = 2_500;
        await clock.renewNow();
        expect(owner.signal.aborted).toBe(false);
        clocks.length = 0;
        await clock.renewNow();
        owner.assertOwner();
      },
    );
  });

  it('may not write after a renewal that was refused', async () => {
    await owning(
      () => Promise.resolve(false),
      async (owner, clock) => {
        await clock.renewNow();
        expect(() => {
          owner.assertOwner();
        }).toThrow(LeaseLost);
        expect(owner.signal.reason).toMatchObject({
          name: 'LeaseLost',
          lease,
          message: 'the lease on company c could not be renewed',
        });
      },
    );
  });

  it('renews it every quarter of its time, and never after its end', async () => {
    const clock = new StoppedClock();
    let renewals = 0;
    const renew = () => {
      renewals += 1;
      return Promise.resolve(true);
    };
    await whileRenewed(clock, renewalBy(renew), new AbortController().signal, async () => {
      await clock.renewNow();
      await clock.renewNow();
    });
    await clock.renewNow();
    expect([renewals, clock.slept]).toEqual([2, [2_500, 2_500, 2_500]]);
  });

  it.each([
    ['does its work', () => Promise.resolve('done'), 'done'],
    ['fails', () => Promise.reject(new Error('broken')), 'Error: broken'],
  ])('that %s releases it only after a pending renewal has finished', async (_, work, result) => {
    const clock = new StoppedClock();
    const order: string[] = [];
    const renewal = Promise.withResolvers<boolean>();
    const renewed = whileRenewed(
      clock,
      renewalBy(() => renewal.promise),
      new AbortController().signal,
      async () => {
        await clock.renewNow();
        setImmediate(() => {
          order.push('renewed');
          renewal.resolve(true);
        });
        return work();
      },
    );
    order.push(await renewed.catch(String));
    expect(order).toEqual(['renewed', result]);
  });

  it('that never renews it may write until its end', () => {
    const clock = new StoppedClock();
    const assertOwner = assertUntilEnd(clock, lease, 10, CLAIMED_MS);
    clock.ms = 9_999;
    assertOwner();
    clock.ms = 10_000;
    expect(assertOwner).toThrow(new LeaseLost(lease, 'the lease has ended before the work did'));
  });

  it('stops when the process stops', async () => {
    const stopping = new AbortController();
    await whileRenewed(
      new StoppedClock(),
      renewalBy(() => Promise.resolve(true)),
      stopping.signal,
      (owner) => {
        stopping.abort();
        expect(owner.signal.aborted).toBe(true);
        return Promise.resolve();
      },
    );
    expect.assertions(1);
  });
});

describe('a transaction under a lease', () => {
  const tx = {} as Tx;
  const leases = { heldRow: ({ fence }: typeof lease) => sql`SELECT 1 FROM held WHERE fence = ${fence.toString()}` };
  const asked = {
    text: 'SELECT require_lease(count(*)) FROM (SELECT 1 FROM held WHERE fence = $1) AS held',
    values: [lease.fence.toString()],
    // Planned once for each connection.
    name: expect.stringMatching(/^planned_\d+$/),
  };
  const kinds = [
    { kind: 'of several statements', method: 'byKeys', write: fencedTransaction },
    { kind: 'of one statement', method: 'writeOnce', write: fencedStatement },
  ] as const;

  it.each(kinds)('$kind continues only while the lease is held', async ({ method, write }) => {
    const run = async (label: string, id: string, work: (tx: Tx) => Promise<unknown>, ...condition: unknown[]) => [
      label,
      id,
      await work(tx),
      condition,
    ];
    const database = { [method]: run } as unknown as TenantDatabase;
    const written = await write(database, leases, 'write', lease, (within) => Promise.resolve([within]));
    expect(written).toEqual(['write', lease.installationId, [tx], [asked]]);
  });

  it.each(kinds)('$kind reports a lost lease', async ({ method, write }) => {
    const refused = Object.assign(new Error('the lease was taken over'), { code: 'LE001' });
    const database = { [method]: () => Promise.reject(refused) } as unknown as TenantDatabase;
    const error: unknown = await write(database, leases, 'write', lease, () => Promise.resolve()).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(LeaseLost);
    expect(error).toMatchObject({ lease, cause: refused });
  });

  it.each(kinds)('$kind fails with any other error of the database', async ({ method, write }) => {
    const failed = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const database = { [method]: () => Promise.reject(failed) } as unknown as TenantDatabase;
    await expect(write(database, leases, 'write', lease, () => Promise.resolve())).rejects.toBe(failed);
  });
});
