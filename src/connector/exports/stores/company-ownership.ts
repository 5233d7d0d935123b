import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { CompanyId, CompanyKey, InstallationId } from '../../../kernel/ids.js';
import { assertUntilEnd, whileRenewed, type Ownership } from '../../runs/lease.js';
import { CompanyLeaseRepository, LEASE_SECONDS, type CompanyLease } from './company-lease.repository.js';

type Release = (tx: Tx, lease: CompanyLease) => Promise<void>;

/** Work that only the company's owner may do: no export of the company runs beside it (I15). */
@Injectable()
export class CompanyOwnership {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Work that ends within seconds: the lease is not renewed.
   * @returns undefined when another worker owns the company
   * @throws LeaseLost
   */
  async whileOwner<T>(
    installationId: InstallationId,
    companyId: CompanyId,
    work: (lease: CompanyLease, assertOwner: () => void) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const release: Release = (tx, lease) => this.companyLeaseRepository.release(tx, lease);
    return this.whileClaimed({ installationId, companyId }, release, (lease, claimedAtMs) =>
      work(lease, assertUntilEnd(this.clock, lease, LEASE_SECONDS, claimedAtMs)),
    );
  }

  /**
   * Runs of exports, for as long as they last: the lease is renewed.
   * @param stopping fires when the process stops
   * @returns undefined when another worker owns the company
   * @throws LeaseLost
   */
  async whileExporting<T>(
    key: CompanyKey,
    stopping: AbortSignal,
    work: (lease: CompanyLease, ownership: Ownership) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const release: Release = (tx, lease) => this.companyLeaseRepository.releaseAfterExports(tx, lease);
    return this.whileClaimed(key, release, (lease, claimedAtMs) => {
      const renew = () =>
        this.tenantDatabase.writeOnce('renew lease', key.installationId, (tx) =>
          this.companyLeaseRepository.renew(tx, lease),
        );
      const renewal = { lease, leaseSeconds: LEASE_SECONDS, claimedAtMs, subject: `company ${key.companyId}`, renew };
      return whileRenewed(this.clock, renewal, stopping, (ownership) => work(lease, ownership));
    });
  }

  private async whileClaimed<T>(
    { installationId, companyId }: CompanyKey,
    release: Release,
    work: (lease: CompanyLease, claimedAtMs: number) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const claimedAtMs = this.clock.monotonicMs();
    const lease = await this.tenantDatabase.writeOnce('claim company', installationId, (tx) =>
      this.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      return undefined;
    }
    try {
      return { result: await work(lease, claimedAtMs) };
    } finally {
      await this.tenantDatabase.writeOnce('release company', installationId, (tx) => release(tx, lease));
    }
  }
}
