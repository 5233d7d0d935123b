import { sql, type SqlStatement } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toCompanyId, toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { RunLease } from './domain/run-lease.js';
import type { LeaseRepository } from './lease.js';

interface RunTable {
  readonly table: SqlStatement;
  readonly leaseSeconds: number;
  /** Which of several due runs of an installation comes first. */
  readonly order: SqlStatement;
  /** Columns of a claimed run besides those of RunLease. */
  readonly columns: SqlStatement;
}

const DUE = sql`state IN ('requested', 'running') AND next_attempt_at <= clock_timestamp()
  AND lease_until < clock_timestamp()`;

/**
 * What the tables of durable runs share: state, attempts, fence, lease_until, next_attempt_at. Leases run on the
 * database's clock, because the clocks of replicas may differ (I31).
 */
export abstract class LeasedRunRepository<
  Run extends RunLease,
  Row extends object = object,
> implements LeaseRepository<Run> {
  protected constructor(private readonly run: RunTable) {}

  /** @param row the claimed run's own columns */
  protected abstract toLease(lease: RunLease, row: Row): Run;

  get leaseSeconds(): number {
    return this.run.leaseSeconds;
  }

  /** @returns undefined when no run is due or other workers own all due runs */
  async claimNext(tx: Tx, installationId: InstallationId): Promise<Run | undefined> {
    const { table, order, columns } = this.run;
    const row = await tx.maybeOne<Row & Omit<RunLease, 'installationId' | 'companyId'> & { companyId: string }>(sql`
      UPDATE ${table} SET state = 'running', started_at = coalesce(started_at, clock_timestamp()),
        attempts = attempts + 1, fence = fence + 1, lease_until = ${this.leaseEnd()}
      WHERE installation_id = ${installationId} AND id = (
        SELECT id FROM ${table} WHERE installation_id = ${installationId} AND ${DUE}
        ORDER BY ${order} LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, company_id AS "companyId", kind, attempts, fence, ${columns}`);
    if (row === undefined) {
      return undefined;
    }
    const { id, companyId, kind, attempts, fence } = row;
    return this.toLease({ installationId, id, companyId: toCompanyId(companyId), kind, attempts, fence }, row);
  }

  heldRow(lease: Run): SqlStatement {
    return sql`SELECT 1 FROM ${this.run.table} WHERE ${heldBy(lease)} FOR UPDATE`;
  }

  /** @returns false when another worker owns the run */
  async renew(tx: Tx, lease: Run): Promise<boolean> {
    const renewed = await tx.execute(sql`
      UPDATE ${this.run.table} SET lease_until = ${this.leaseEnd()} WHERE ${heldBy(lease)}`);
    return renewed === 1;
  }

  /**
   * Lets another worker claim the run after so many seconds.
   * @param isFailure only failures in a row count as attempts
   */
  async release(tx: Tx, lease: Run, seconds: number, isFailure: boolean): Promise<void> {
    await tx.execute(sql`
      UPDATE ${this.run.table} SET lease_until = '-infinity',
        attempts = CASE WHEN ${isFailure} THEN attempts ELSE 0 END,
        next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE ${heldBy(lease)}`);
  }

  /** Over all tenants: installations with a due run that no worker owns. */
  async findIdle(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ installation_id: string }>(sql`
      SELECT DISTINCT installation_id FROM ${this.run.table} WHERE ${DUE} LIMIT ${limit}`);
    return rows.map((row) => toInstallationId(row.installation_id));
  }

  private leaseEnd(): SqlStatement {
    return sql`clock_timestamp() + make_interval(secs => ${this.leaseSeconds})`;
  }
}

function heldBy({ installationId, id, fence }: RunLease): SqlStatement {
  return sql`installation_id = ${installationId} AND id = ${id} AND fence = ${fence.toString()} AND state = 'running'`;
}
