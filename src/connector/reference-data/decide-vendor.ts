import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { VendorDecision } from './domain/link-vendors.js';
import { ReferenceDataApi } from '../platform/reference-data-api.js';
import { RequestSyncs } from './request-syncs.js';
import { LoadSyncScope } from './sync/load-sync-scope.js';
import { listOf } from './sync/sync-scope.js';
import { VendorMatchRepository } from './vendor-match.repository.js';

export type VendorDecisionResult =
  | { readonly outcome: 'decided' }
  /** No vendor with this id waits for a decision. */
  | { readonly outcome: 'not-waiting' }
  /** The ERP has no vendor with this number that may be used. */
  | { readonly outcome: 'unknown-number' }
  /** Another vendor of the platform, with this name, has the number or is about to get it: a run would return this one. */
  | { readonly outcome: 'number-taken'; readonly name: string };

/** A person links a vendor of the platform to one of the ERP, has it created there, or ignores it. */
@Injectable()
export class DecideVendor {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly loadSyncScope: LoadSyncScope,
    private readonly referenceDataApi: ReferenceDataApi,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly requestSyncs: RequestSyncs,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async decide(
    installationId: InstallationId,
    platformVendorId: string,
    decision: VendorDecision,
    by: string,
  ): Promise<VendorDecisionResult> {
    const scope = await this.loadSyncScope.loadOf(installationId);
    const number = decision.decision === 'link' ? decision.number : undefined;
    if (number !== undefined) {
      const { vendors } = listOf(await scope.erp.vendors());
      if (!vendors.some((vendor) => vendor.usable && vendor.number === number)) {
        return { outcome: 'unknown-number' };
      }
      const holders = await this.referenceDataApi.listVendors(scope.auth, scope.companyId, { externalIds: [number] });
      const holder = holders.find(({ id }) => id !== platformVendorId);
      if (holder !== undefined) {
        return { outcome: 'number-taken', name: holder.name };
      }
    }
    return this.tenantDatabase.inInstallation('decide vendor', installationId, async (tx) => {
      const waiting = await this.vendorMatchRepository.find(tx, scope, platformVendorId);
      if (waiting === undefined) {
        return { outcome: 'not-waiting' };
      }
      const rival = number && (await this.vendorMatchRepository.findLinked(tx, scope, platformVendorId, number));
      if (rival) {
        return { outcome: 'number-taken', name: rival.name };
      }
      await this.vendorMatchRepository.decide(tx, scope, { id: platformVendorId, name: waiting.name }, decision, by);
      await this.requestSyncs.request(tx, scope, ['vendor-drafts'], 'person');
      return { outcome: 'decided' };
    });
  }
}
