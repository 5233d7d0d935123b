import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { fencedTransaction } from '../../runs/lease.js';
import { CompanyLeaseRepository, type CompanyLease } from './company-lease.repository.js';
import { ExportItemRepository } from './export-item.repository.js';
import { ExportJobRepository } from './export-job.repository.js';
import { OutboxRepository } from '../reporting/outbox.repository.js';
import { PostingIntentRepository } from './posting-intent.repository.js';

/** The tables of the pipeline, and the two ways into them: reading, and writing as the company's owner. */
@Injectable()
export class ExportStores {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    readonly companyLeaseRepository: CompanyLeaseRepository,
    readonly exportJobRepository: ExportJobRepository,
    readonly exportItemRepository: ExportItemRepository,
    readonly postingIntentRepository: PostingIntentRepository,
    readonly outboxRepository: OutboxRepository,
  ) {}

  /** One transaction of an installation that needs no lease. */
  async inInstallation<T>(
    label: string,
    installationId: InstallationId,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return this.tenantDatabase.inInstallation(label, installationId, work);
  }

  /** One transaction over all installations that sees only whom to wake. */
  async acrossInstallations<T>(label: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.tenantDatabase.acrossInstallations(label, work);
  }

  /**
   * One transaction in which nobody else can take the company over (invariant I15).
   * @throws LeaseLost when somebody already has, before anything is written
   */
  async fenced<T>(label: string, lease: CompanyLease, work: (tx: Tx) => Promise<T>): Promise<T> {
    return fencedTransaction(this.tenantDatabase, this.companyLeaseRepository, label, lease, work);
  }
}
