import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { ErpReferenceData } from '../erp/erp-reference-data.js';
import type { VendorDecision } from './domain/match-vendors.js';
import { RequestSyncs } from './request-syncs.js';
import { listOf, type SyncWork } from './sync/sync-work.js';
import { VendorMatchRepository } from './vendor-match.repository.js';

export type DecidedVendor =
  | { readonly outcome: 'decided' }
  /** Nothing waits under this id, or not any more. */
  | { readonly outcome: 'not-waiting' }
  /** The ERP has no vendor with this number that may be used. */
  | { readonly outcome: 'unknown-number' };

/** A person says which vendor of the ERP a vendor of the platform is, or that it is a new one, or none. */
@Injectable()
export class DecideVendor {
  constructor(
    private readonly database: TenantDatabase,
    private readonly matches: VendorMatchRepository,
    private readonly requests: RequestSyncs,
    private readonly erp: ErpReferenceData,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked */
  async run(
    work: SyncWork,
    platformVendorId: string,
    decision: VendorDecision,
    by: string,
  ): Promise<DecidedVendor> {
    if (decision.decision === 'link') {
      const { vendors } = listOf(await this.erp.vendors(work.erpCompanyId));
      if (!vendors.some(({ number, usable }) => usable && number === decision.number)) {
        return { outcome: 'unknown-number' };
      }
    }
    return this.database.inInstallation('decide vendor', work.installationId, async (tx) => {
      const waiting = await this.matches.find(tx, work, platformVendorId);
      if (waiting === undefined) {
        return { outcome: 'not-waiting' };
      }
      await this.matches.decide(tx, work, { id: platformVendorId, name: waiting.name }, decision, by);
      await this.requests.inTransaction(tx, work, ['vendor-drafts'], 'person');
      return { outcome: 'decided' };
    });
  }
}
