// Time-limited ownership of something that one worker at a time may work on: a company, a run.
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Clock } from '../../kernel/clock.js';
import type { Lease } from './domain/run-lease.js';

/** Another worker owns what this lease was for; nothing more may be written under it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(
    readonly lease: Lease,
    message: string,
  ) {
    super(message);
  }
}

export interface LeaseRepository<Held extends Lease> {
  /**
   * First statement of every transaction that writes under a lease: until it ends no other worker can become the owner.
   * @throws LeaseLost
   */
  assertHeld(tx: Tx, lease: Held): Promise<void>;
}

/**
 * One transaction in which the lease cannot be lost (I15).
 * @param label of the transaction
 * @throws LeaseLost before anything is written
 */
export async function fencedTransaction<Held extends Lease, T>(
  tenantDatabase: TenantDatabase,
  leases: LeaseRepository<Held>,
  label: string,
  lease: Held,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return tenantDatabase.inInstallation(label, lease.installationId, async (tx) => {
    await leases.assertHeld(tx, lease);
    return work(tx);
  });
}

export interface LeaseRenewal {
  readonly lease: Lease;
  readonly leaseSeconds: number;
  /** What is leased, in words for the log. */
  readonly subject: string;
  /** @returns false when the lease was lost or another worker has asked for its release */
  readonly renew: () => Promise<boolean>;
}

/**
 * Renews a lease every quarter of its duration while work goes on.
 * @param stopping fires when the process stops
 * @param work its signal fires with `stopping`, and with LeaseLost when the lease could not be renewed
 * @returns what the work returns, after the last renewal: what releases the lease then comes after it
 */
export async function whileRenewed<T>(
  clock: Clock,
  renewal: LeaseRenewal,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const lost = new AbortController();
  const renewed = renewUntilEnded(clock, renewal, ended.signal, lost);
  try {
    return await work(AbortSignal.any([stopping, lost.signal]));
  } finally {
    ended.abort();
    await renewed;
  }
}

async function renewUntilEnded(
  clock: Clock,
  { lease, leaseSeconds, subject, renew }: LeaseRenewal,
  ended: AbortSignal,
  lost: AbortController,
): Promise<void> {
  for (;;) {
    await clock.sleep((leaseSeconds * 1_000) / 4, ended).catch(() => undefined);
    if (ended.aborted) {
      return;
    }
    if (!(await renew().catch(() => false))) {
      lost.abort(new LeaseLost(lease, `the lease on ${subject} could not be renewed`));
      return;
    }
  }
}
