// Time-limited ownership of a company or a run, which only one worker at a time may process.
import { sqlState } from '../../foundation/database/database-error.js';
import { prepared, sql, type SqlStatement } from '../../foundation/database/sql.js';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Clock } from '../../kernel/clock.js';
import type { Lease } from './domain/run-lease.js';

/** Another worker is the owner now; nothing more may be written under this lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(
    readonly lease: Lease,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface LeaseRepository<Held extends Lease> {
  /**
   * Selects and locks the row of the lease, so that no other worker can become the owner before the transaction ends; no row when
   * another worker is the owner. Its values are texts.
   */
  heldRow(lease: Held): SqlStatement;
}

/** SQLSTATE of `require_lease`. */
const NOT_HELD = 'LE001';

/**
 * One transaction in which the lease cannot be lost (I15). The lease is checked together with the first statement.
 * @param label of the transaction
 * @throws LeaseLost before anything is written
 */
export async function fencedTransaction<Held extends Lease, T>(
  tenantDatabase: TenantDatabase,
  leases: LeaseRepository<Held>,
  label: string,
  lease: Held,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  return whileHeld(lease, tenantDatabase.byKeys(label, lease.installationId, work, required(leases.heldRow(lease))));
}

/**
 * The same for one statement, in one round trip, which takes effect even if its response is lost.
 * @throws LeaseLost before anything is written
 */
export async function fencedStatement<Held extends Lease, T>(
  tenantDatabase: TenantDatabase,
  leases: LeaseRepository<Held>,
  label: string,
  lease: Held,
  write: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  return whileHeld(
    lease,
    tenantDatabase.writeOnce(label, lease.installationId, write, required(leases.heldRow(lease))),
  );
}

function required(heldRow: SqlStatement): SqlStatement {
  return prepared(sql`SELECT require_lease(count(*)) FROM (${heldRow}) AS held`);
}

async function whileHeld<T>(lease: Lease, written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    throw sqlState(error) === NOT_HELD
      ? new LeaseLost(lease, 'another worker has taken over', { cause: error })
      : error;
  }
}

/** A worker's right to continue, as far as it knows without the database. */
export interface Ownership {
  /** Fires when the process stops, and with LeaseLost when the lease could not be renewed. */
  readonly signal: AbortSignal;
  /**
   * Checks the monotonic clock, since the timers of a worker that was frozen fire late.
   * @throws LeaseLost when the lease has ended without renewal
   */
  assertOwner(): void;
}

/** For a lease that is never renewed. @param claimedAtMs monotonic, from before the claim */
export function assertUntilEnd(clock: Clock, lease: Lease, leaseSeconds: number, claimedAtMs: number): () => void {
  return () => {
    if (clock.monotonicMs() - claimedAtMs >= leaseSeconds * 1_000) {
      throw new LeaseLost(lease, 'the lease has ended before the work did');
    }
  };
}

export interface LeaseRenewal {
  readonly lease: Lease;
  readonly leaseSeconds: number;
  /** Monotonic, from before the claim. */
  readonly claimedAtMs: number;
  /** The company or run, for the log. */
  readonly subject: string;
  /** @returns false when the lease was lost or another worker has requested its release */
  readonly renew: () => Promise<boolean>;
}

/**
 * Renews a lease every quarter of its duration while work goes on. A renewal that throws is tried again until the lease ends.
 * @param stopping fires when the process stops
 * @returns the result of the work, after the last renewal, so that a release cannot be overtaken by one
 */
export async function whileRenewed<T>(
  clock: Clock,
  renewal: LeaseRenewal,
  stopping: AbortSignal,
  work: (ownership: Ownership) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const lost = new AbortController();
  const held = { sinceMs: renewal.claimedAtMs };
  const renewed = renewUntilEnded(clock, renewal, held, ended.signal, lost);
  const { lease, leaseSeconds } = renewal;
  const assertOwner = () => {
    lost.signal.throwIfAborted();
    assertUntilEnd(clock, lease, leaseSeconds, held.sinceMs)();
  };
  try {
    return await work({ signal: AbortSignal.any([stopping, lost.signal]), assertOwner });
  } finally {
    ended.abort();
    await renewed;
  }
}

async function renewUntilEnded(
  clock: Clock,
  { lease, leaseSeconds, subject, renew }: LeaseRenewal,
  held: { sinceMs: number },
  ended: AbortSignal,
  lost: AbortController,
): Promise<void> {
  for (;;) {
    await clock.sleep((leaseSeconds * 1_000) / 4, ended).catch(() => undefined);
    if (ended.aborted) {
      return;
    }
    const beforeMs = clock.monotonicMs();
    // A failed statement does not mean that the lease is lost: the next one may succeed before it ends.
    const isRenewed = await renew().catch(() => undefined);
    if (isRenewed === true) {
      held.sinceMs = beforeMs;
    } else if (isRenewed === false || clock.monotonicMs() - held.sinceMs >= leaseSeconds * 1_000) {
      lost.abort(new LeaseLost(lease, `the lease on ${subject} could not be renewed`));
      return;
    }
  }
}
