import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { fencedStatement, fencedTransaction } from '../../runs/lease.js';
import { CompanyLeaseRepository, type CompanyLease } from './company-lease.repository.js';

/** Transactions of the export pipeline: for reading, and for writing as the company's owner. */
@Injectable()
export class CompanyTransactions {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
  ) {}

  /** One transaction of an installation that needs no lease. */
  async inInstallation<T>(label: string, installationId: InstallationId, work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.tenantDatabase.inInstallation(label, installationId, work);
  }

  /** The same for statements that find their rows by keys. */
  async byKeys<T>(label: string, installationId: InstallationId, work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.tenantDatabase.byKeys(label, installationId, work);
  }

  /** One statement that only reads, which needs no lease either. */
  async readOnce<T>(label: string, installationId: InstallationId, read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.tenantDatabase.readOnce(label, installationId, read);
  }

  /** One statement that needs no lease and may be repeated: a lost response does not undo it (docs/adr/0012). */
  async writeOnce<T>(label: string, installationId: InstallationId, write: (tx: Tx) => T | Promise<T>): Promise<T> {
    return this.tenantDatabase.writeOnce(label, installationId, write);
  }

  /**
   * One transaction during which no other worker can claim the company (I15).
   * @throws LeaseLost when another worker owns it, before anything is written
   */
  async fenced<T>(label: string, lease: CompanyLease, work: (tx: Tx) => T | Promise<T>): Promise<T> {
    return fencedTransaction(this.tenantDatabase, this.companyLeaseRepository, label, lease, work);
  }

  /**
   * The same for one statement, in one round trip, that may be repeated: a lost response does not undo it (docs/adr/0012).
   * @throws LeaseLost when another worker owns it, before anything is written
   */
  async fencedOnce<T>(label: string, lease: CompanyLease, write: (tx: Tx) => T | Promise<T>): Promise<T> {
    return fencedStatement(this.tenantDatabase, this.companyLeaseRepository, label, lease, write);
  }
}
