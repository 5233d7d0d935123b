// Writes of the export pipeline, as the owner of the company.
import { sql } from '../../../foundation/database/sql.js';
import type { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { fencedStatement, fencedTransaction, type LeaseRepository } from '../../runs/lease.js';
import type { CompanyLease } from './company-lease.repository.js';

/** `FOR KEY SHARE` blocks only claims, which change the fence, a part of a key; renewals change none and do not wait. */
const companyLeases: LeaseRepository<CompanyLease> = {
  heldRow: (lease) => sql`
    SELECT 1 FROM company_lease
    WHERE installation_id = ${lease.installationId} AND company_id = ${lease.companyId}
      AND fence = ${lease.fence.toString()} AND holder = ${lease.holder} FOR KEY SHARE`,
};

/**
 * One transaction during which no other worker can claim the company (I15).
 * @throws LeaseLost when another worker owns it, before anything is written
 */
export async function fenced<T>(
  tenantDatabase: TenantDatabase,
  label: string,
  lease: CompanyLease,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  return fencedTransaction(tenantDatabase, companyLeases, label, lease, work);
}

/**
 * The same for one statement, in one round trip, that may be repeated: a lost response does not undo it (docs/adr/0012).
 * @throws LeaseLost when another worker owns it, before anything is written
 */
export async function fencedOnce<T>(
  tenantDatabase: TenantDatabase,
  label: string,
  lease: CompanyLease,
  write: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  return fencedStatement(tenantDatabase, companyLeases, label, lease, write);
}
