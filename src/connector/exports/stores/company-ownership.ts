import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { CompanyId, CompanyKey, InstallationId } from '../../../kernel/ids.js';
import { assertUntilEnd, whileRenewed, type Ownership } from '../../runs/lease.js';
import { CompanyLeaseRepository, LEASE_SECONDS, type CompanyLease } from './company-lease.repository.js';

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
    work: (lease: CompanyLease, assertOwner: () => void, claimedAtMs: number) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const claimedAtMs = this.clock.monotonicMs();
    const lease = await this.tenantDatabase.writeOnce('claim company', installationId, (tx) =>
      this.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      return undefined;
    }
    try {
      const assertOwner = assertUntilEnd(this.clock, lease, LEASE_SECONDS, claimedAtMs);
      return { result: await work(lease, assertOwner, claimedAtMs) };
    } finally {
      await this.tenantDatabase.writeOnce('release company', installationId, (tx) =>
        this.companyLeaseRepository.release(tx, lease),
      );
    }
  }

  /**
   * As `whileOwner`, for as long as the work lasts.
   * @param stopping fires when the process stops
   */
  async whileRenewing<T>(
    { installationId, companyId }: CompanyKey,
    stopping: AbortSignal,
    work: (lease: CompanyLease, ownership: Ownership) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    return this.whileOwner(installationId, companyId, (lease, _, claimedAtMs) => {
      const renew = () =>
        this.tenantDatabase.writeOnce('renew lease', installationId, (tx) =>
          this.companyLeaseRepository.renew(tx, lease),
        );
      const renewal = { lease, leaseSeconds: LEASE_SECONDS, claimedAtMs, subject: `company ${companyId}`, renew };
      return whileRenewed(this.clock, renewal, stopping, (ownership) => work(lease, ownership));
    });
  }
}
