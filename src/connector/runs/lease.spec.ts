import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../kernel/clock.js';
import { toInstallationId } from '../../kernel/ids.js';
import { LeaseLost, whileRenewed, type Ownership } from './lease.js';

const lease = { installationId: toInstallationId('0198c5a0-0000-7000-8000-000000000001'), fence: 1n };

/** Time passes when the test says so; nothing sleeps until then. */
class StoppedClock implements Clock {
  ms = 0;
  private wake: () => void = () => undefined;

  now(): Date {
    return new Date(this.ms);
  }

  monotonicMs(): number {
    return this.ms;
  }

  sleep(_: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.wake = resolve;
      signal?.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    });
  }

  async renewNow(): Promise<void> {
    this.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function owning(renew: () => Promise<boolean>, work: (owner: Ownership, clock: StoppedClock) => Promise<void>) {
  const clock = new StoppedClock();
  const renewal = { lease, leaseSeconds: 10, claimedAtMs: 0, subject: 'company c', renew };
  await whileRenewed(clock, renewal, new AbortController().signal, (owner) => work(owner, clock));
}

describe('who owns a lease of ten seconds', () => {
  it('may write until it has ended, and no longer, though no timer has fired', async () => {
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

  it('may write on after each renewal, counted from before it was sent', async () => {
    const clocks: StoppedClock[] = [];
    await owning(
      () => {
        const [clock] = clocks;
        if (clock !== undefined) {
          // The answer took two seconds.
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

  it('goes on after a renewal that threw, until the lease has ended', async () => {
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

  it('goes on after a renewal that was answered late: the next one tells', async () => {
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
        expect(owner.signal.reason).toBeInstanceOf(LeaseLost);
      },
    );
  });
});
