import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { ErpReferenceData } from '../erp/erp-reference-data.js';
import type { VendorDecision } from './domain/link-vendors.js';
import { RequestSyncs } from './request-syncs.js';
import { listOf, type SyncScope } from './sync/sync-scope.js';
import { VendorMatchRepository } from './vendor-match.repository.js';

export type VendorDecisionResult =
  | { readonly outcome: 'decided' }
  /** Nothing waits under this id, or not any more. */
  | { readonly outcome: 'not-waiting' }
  /** The ERP has no vendor with this number that may be used. */
  | { readonly outcome: 'unknown-number' };

/** A person says which vendor of the ERP a vendor of the platform is, or that it is a new one, or none. */
@Injectable()
export class DecideVendor {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly requestSyncs: RequestSyncs,
    private readonly erpReferenceData: ErpReferenceData,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked */
  async decide(
    work: SyncScope,
    platformVendorId: string,
    decision: VendorDecision,
    by: string,
  ): Promise<VendorDecisionResult> {
    if (decision.decision === 'link') {
      const { vendors } = listOf(await this.erpReferenceData.vendors(work.erpCompanyId));
      if (!vendors.some(({ number, usable }) => usable && number === decision.number)) {
        return { outcome: 'unknown-number' };
      }
    }
    return this.tenantDatabase.inInstallation('decide vendor', work.installationId, async (tx) => {
      const waiting = await this.vendorMatchRepository.find(tx, work, platformVendorId);
      if (waiting === undefined) {
        return { outcome: 'not-waiting' };
      }
      await this.vendorMatchRepository.decide(
        tx,
        work,
        { id: platformVendorId, name: waiting.name },
        decision,
        by,
      );
      await this.requestSyncs.request(tx, work, ['vendor-drafts'], 'person');
      return { outcome: 'decided' };
    });
  }
}
