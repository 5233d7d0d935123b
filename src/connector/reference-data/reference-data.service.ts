import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { isUuid, type InstallationId } from '../../kernel/ids.js';
import type { FirstSync } from '../installations/domain/connection-steps.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { PlatformAccess } from '../installations/credentials/platform-access.js';
import { ReferenceDataApi } from '../platform/reference-data-api.js';
import type { WireCompany } from '../platform/reference-data.schema.js';
import { searchCompanies } from '../platform/search-companies.js';
import { ChooseDimensions, type DimensionChoiceResult, type DimensionOffer } from './choose-dimensions.js';
import { DecideVendor, type VendorDecisionResult } from './decide-vendor.js';
import type { VendorDecision } from './domain/link-vendors.js';
import type { SyncKind } from './domain/sync-plan.js';
import type { RecordOutcome, SyncRecordView, SyncRunView } from './domain/sync-run.js';
import { LoadSyncScope } from './sync/load-sync-scope.js';
import { RequestSyncs } from './request-syncs.js';
import { ProcessDueSyncs } from './process-due-syncs.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncBlocked, type SyncScope } from './sync/sync-scope.js';
import { VendorMatchRepository, type CompanyKey, type VendorMatchView } from './vendor-match.repository.js';
import { WakeSyncs, ALL_SYNC_KINDS } from './wake-syncs.js';

// What callers get that is decided elsewhere, under the name of the service that they use.
export type { DimensionOffer } from './choose-dimensions.js';
export type { VendorMatchView } from './vendor-match.repository.js';
export { SyncBlocked } from './sync/sync-scope.js';

/** What the rest of the connector may ask of reference data. */
@Injectable()
export class ReferenceDataService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly platformAccess: PlatformAccess,
    private readonly processDueSyncs: ProcessDueSyncs,
    private readonly wakeSyncs: WakeSyncs,
    private readonly requestSyncs: RequestSyncs,
    private readonly loadSyncScope: LoadSyncScope,
    private readonly choosing: ChooseDimensions,
    private readonly deciding: DecideVendor,
    private readonly syncRunRepository: SyncRunRepository,
    private readonly syncRecordRepository: SyncRecordRepository,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly referenceDataApi: ReferenceDataApi,
  ) {}

  /** Asks for the first runs since an installation has become active, again or anew; later ones come by their turn. */
  async requestFirstSync(installationId: InstallationId): Promise<void> {
    await this.wakeSyncs.requestDueRuns(installationId);
  }

  /** How far the runs have come that connecting asked for: of each kind, the latest connection's. */
  async firstSync(installationId: InstallationId): Promise<FirstSync> {
    const best = await this.tenantDatabase.inInstallation('read first syncs', installationId, (tx) =>
      this.syncRunRepository.bestSinceConnected(tx, installationId, ALL_SYNC_KINDS),
    );
    return {
      done: best.filter(({ isDone }) => isDone).length === ALL_SYNC_KINDS.length,
      failure: best.find(({ isDone }) => !isDone)?.failure ?? undefined,
    };
  }

  /** Another company of the ERP is linked: everything is compared with it. */
  async requestFullSync(installationId: InstallationId): Promise<void> {
    await this.request(installationId, ALL_SYNC_KINDS, false);
  }

  /** Wakes whoever's turn it is, and runs that nobody works on. */
  async wake(): Promise<void> {
    await this.wakeSyncs.requestAndWake();
  }

  async processSyncsOf(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    await this.processDueSyncs.processDue(installationId, stopping);
  }

  /** The platform has a new vendor that the ERP may not have. */
  async requestDraftSync(installationId: InstallationId): Promise<void> {
    const installation = await this.installationReader.find(installationId);
    if (installation !== undefined) {
      const { companyId } = installation;
      await this.tenantDatabase.inInstallation('vendor appeared', installationId, (tx) =>
        this.requestSyncs.request(tx, { installationId, companyId }, ['vendor-drafts'], 'vendor-created'),
      );
    }
  }

  /** An export has created these vendors in the ERP: the platform is told their numbers. */
  async recordCreatedVendors(
    company: CompanyKey,
    vendors: readonly { readonly id: string; readonly name: string; readonly number: string }[],
  ): Promise<void> {
    await this.tenantDatabase.inInstallation('vendors created', company.installationId, async (tx) => {
      // An item may name a vendor by what is no id of the platform; of that one nothing can be written back.
      for (const { number, ...vendor } of vendors.filter(({ id }) => isUuid(id))) {
        await this.vendorMatchRepository.decide(tx, company, vendor, { decision: 'link', number }, 'export');
      }
      await this.requestSyncs.request(tx, company, ['vendor-drafts'], 'export');
    });
  }

  /**
   * Asks for runs on behalf of a person.
   * @returns the open run of each kind, in their order; undefined for an installation that is not there
   */
  async request(
    installationId: InstallationId,
    kinds: readonly SyncKind[],
    isPreview: boolean,
  ): Promise<readonly SyncRunView[] | undefined> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined) {
      return undefined;
    }
    const { companyId } = installation;
    return this.tenantDatabase.inInstallation('request syncs', installationId, async (tx) => {
      const company = { installationId, companyId };
      const ids = await this.requestSyncs.request(tx, company, kinds, 'person', isPreview);
      const views: SyncRunView[] = [];
      for (const id of ids) {
        const view = await this.syncRunRepository.find(tx, installationId, id);
        views.push(...(view === undefined ? [] : [view]));
      }
      return views;
    });
  }

  /** Newest first. @param before position of the last run of the page before */
  async listRuns(
    installationId: InstallationId,
    filter: {
      readonly kind: SyncKind | undefined;
      readonly before: bigint | undefined;
      readonly limit: number;
    },
  ): Promise<readonly (SyncRunView & { readonly position: bigint })[]> {
    return this.tenantDatabase.inInstallation('list syncs', installationId, (tx) =>
      this.syncRunRepository.list(tx, installationId, filter),
    );
  }

  /** @param id a UUID */
  async findRun(installationId: InstallationId, id: string): Promise<SyncRunView | undefined> {
    return this.tenantDatabase.inInstallation('read sync', installationId, (tx) =>
      this.syncRunRepository.find(tx, installationId, id),
    );
  }

  /** What a run changed or plans to change, in its order. */
  async listRecords(
    installationId: InstallationId,
    runId: string,
    filter: {
      readonly outcome: RecordOutcome | undefined;
      readonly afterSeq: number;
      readonly limit: number;
    },
  ): Promise<readonly SyncRecordView[]> {
    return this.tenantDatabase.inInstallation('list sync records', installationId, (tx) =>
      this.syncRecordRepository.list(tx, installationId, runId, filter),
    );
  }

  /** @throws ErpUnavailable, SyncBlocked */
  async dimensions(installationId: InstallationId): Promise<DimensionOffer> {
    return this.choosing.offer(await this.loadScope(installationId));
  }

  /** @throws ErpUnavailable, SyncBlocked */
  async saveDimensionChoice(
    installationId: InstallationId,
    seen: number,
    codes: readonly string[],
    by: string,
  ): Promise<DimensionChoiceResult> {
    return this.choosing.choose(await this.loadScope(installationId), seen, codes, by);
  }

  /** Vendors of the platform that wait for a person, by id. */
  async waitingVendors(
    installationId: InstallationId,
    after: string | undefined,
    limit: number,
  ): Promise<readonly VendorMatchView[]> {
    const installation = await this.installationReader.find(installationId);
    return installation === undefined
      ? []
      : this.tenantDatabase.inInstallation('list vendor matches', installationId, (tx) =>
          this.vendorMatchRepository.list(
            tx,
            { installationId, companyId: installation.companyId },
            after,
            limit,
          ),
        );
  }

  /** @throws ErpUnavailable, SyncBlocked */
  async saveVendorDecision(
    installationId: InstallationId,
    platformVendorId: string,
    decision: VendorDecision,
    by: string,
  ): Promise<VendorDecisionResult> {
    return this.deciding.decide(await this.loadScope(installationId), platformVendorId, decision, by);
  }

  /** The platform's companies that the connection may see, searched by name or registration number. */
  async companies(
    installationId: InstallationId,
    search: {
      readonly organizationId: string | undefined;
      readonly text: string;
      readonly limit: number;
    },
  ): Promise<readonly WireCompany[]> {
    const auth = this.platformAccess.authorizationFor(installationId, 'people');
    const all = await this.referenceDataApi.listCompanies(auth, search.organizationId);
    return searchCompanies(all, search.text, search.limit);
  }

  private async loadScope(installationId: InstallationId): Promise<SyncScope> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined) {
      throw new SyncBlocked('The installation is not there any more.');
    }
    return this.loadSyncScope.load({ installationId, companyId: installation.companyId });
  }
}
