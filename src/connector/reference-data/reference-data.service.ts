import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { isUuid, type InstallationId } from '../../kernel/ids.js';
import type { FirstSync } from '../installations/domain/connection-steps.js';
import { InstallationsService } from '../installations/installations.service.js';
import { ReferenceDataApi } from '../platform/reference-data-api.js';
import type { WireCompany } from '../platform/reference-data.schema.js';
import { searchCompanies } from '../platform/search-companies.js';
import { ChooseDimensions, type ChosenDimensions, type DimensionOffer } from './choose-dimensions.js';
import { DecideVendor, type DecidedVendor } from './decide-vendor.js';
import type { VendorDecision } from './domain/match-vendors.js';
import type { SyncKind } from './domain/sync-plan.js';
import type { RecordOutcome, SyncRecordView, SyncRunView } from './domain/sync-run.js';
import { LoadSyncWork } from './sync/load-sync-work.js';
import { RequestSyncs } from './request-syncs.js';
import { RunSyncs } from './run-syncs.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncBlocked, type SyncWork } from './sync/sync-work.js';
import { VendorMatchRepository, type CompanyKey, type VendorMatchView } from './vendor-match.repository.js';
import { WakeSyncs, WHOLE } from './wake-syncs.js';

// What callers get that is decided elsewhere, under the name of the service that they use.
export type { DimensionOffer } from './choose-dimensions.js';
export type { VendorMatchView } from './vendor-match.repository.js';
export { SyncBlocked } from './sync/sync-work.js';

/** What the rest of the connector may ask of reference data. */
@Injectable()
export class ReferenceDataService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly runner: RunSyncs,
    private readonly waking: WakeSyncs,
    private readonly requests: RequestSyncs,
    private readonly sides: LoadSyncWork,
    private readonly choosing: ChooseDimensions,
    private readonly deciding: DecideVendor,
    private readonly syncRuns: SyncRunRepository,
    private readonly syncRecords: SyncRecordRepository,
    private readonly matches: VendorMatchRepository,
    private readonly platform: ReferenceDataApi,
  ) {}

  /** Asks for the first runs since an installation has become active, again or anew; later ones come by their turn. */
  async connected(installationId: InstallationId): Promise<void> {
    await this.waking.takeTurn(installationId);
  }

  /** How far the runs have come that connecting asked for: of each kind, the latest connection's. */
  async firstSync(installationId: InstallationId): Promise<FirstSync> {
    const best = await this.database.inInstallation('read first syncs', installationId, (tx) =>
      this.syncRuns.bestSinceConnected(tx, installationId, WHOLE),
    );
    return {
      done: best.filter(({ isDone }) => isDone).length === WHOLE.length,
      failure: best.find(({ isDone }) => !isDone)?.failure ?? undefined,
    };
  }

  /** Another company of the ERP is linked: everything is compared with it. */
  async erpCompanyLinked(installationId: InstallationId): Promise<void> {
    await this.request(installationId, WHOLE, false);
  }

  /** Wakes whoever's turn it is, and runs that nobody works on. */
  async wake(): Promise<void> {
    await this.waking.run();
  }

  async runSyncsOf(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    await this.runner.run(installationId, stopping);
  }

  /** The platform has a new vendor that the ERP may not have. */
  async vendorAppeared(installationId: InstallationId): Promise<void> {
    const installation = await this.installations.find(installationId);
    if (installation !== undefined) {
      const { companyId } = installation;
      await this.database.inInstallation('vendor appeared', installationId, (tx) =>
        this.requests.inTransaction(tx, { installationId, companyId }, ['vendor-drafts'], 'vendor-created'),
      );
    }
  }

  /** An export has created these vendors in the ERP: the platform is told their numbers. */
  async vendorsCreated(
    company: CompanyKey,
    vendors: readonly { readonly id: string; readonly name: string; readonly number: string }[],
  ): Promise<void> {
    await this.database.inInstallation('vendors created', company.installationId, async (tx) => {
      // An item may name a vendor by what is no id of the platform; of that one nothing can be written back.
      for (const { number, ...vendor } of vendors.filter(({ id }) => isUuid(id))) {
        await this.matches.decide(tx, company, vendor, { decision: 'link', number }, 'export');
      }
      await this.requests.inTransaction(tx, company, ['vendor-drafts'], 'export');
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
    const installation = await this.installations.find(installationId);
    if (installation === undefined) {
      return undefined;
    }
    const { companyId } = installation;
    return this.database.inInstallation('request syncs', installationId, async (tx) => {
      const company = { installationId, companyId };
      const ids = await this.requests.inTransaction(tx, company, kinds, 'person', isPreview);
      const views: SyncRunView[] = [];
      for (const id of ids) {
        const view = await this.syncRuns.find(tx, installationId, id);
        views.push(...(view === undefined ? [] : [view]));
      }
      return views;
    });
  }

  /** Newest first. @param before position of the last run of the page before */
  async runs(
    installationId: InstallationId,
    filter: {
      readonly kind: SyncKind | undefined;
      readonly before: bigint | undefined;
      readonly limit: number;
    },
  ): Promise<readonly (SyncRunView & { readonly position: bigint })[]> {
    return this.database.inInstallation('list syncs', installationId, (tx) =>
      this.syncRuns.list(tx, installationId, filter),
    );
  }

  /** @param id a UUID */
  async run(installationId: InstallationId, id: string): Promise<SyncRunView | undefined> {
    return this.database.inInstallation('read sync', installationId, (tx) =>
      this.syncRuns.find(tx, installationId, id),
    );
  }

  /** What a run changed or plans to change, in its order. */
  async records(
    installationId: InstallationId,
    runId: string,
    filter: {
      readonly outcome: RecordOutcome | undefined;
      readonly afterSeq: number;
      readonly limit: number;
    },
  ): Promise<readonly SyncRecordView[]> {
    return this.database.inInstallation('list sync records', installationId, (tx) =>
      this.syncRecords.list(tx, installationId, runId, filter),
    );
  }

  /** @throws ErpUnavailable, SyncBlocked */
  async dimensions(installationId: InstallationId): Promise<DimensionOffer> {
    return this.choosing.offer(await this.workOf(installationId));
  }

  /** @throws ErpUnavailable, SyncBlocked */
  async chooseDimensions(
    installationId: InstallationId,
    seen: number,
    codes: readonly string[],
    by: string,
  ): Promise<ChosenDimensions> {
    return this.choosing.run(await this.workOf(installationId), seen, codes, by);
  }

  /** Vendors of the platform that wait for a person, by id. */
  async waitingVendors(
    installationId: InstallationId,
    after: string | undefined,
    limit: number,
  ): Promise<readonly VendorMatchView[]> {
    const installation = await this.installations.find(installationId);
    return installation === undefined
      ? []
      : this.database.inInstallation('list vendor matches', installationId, (tx) =>
          this.matches.list(tx, { installationId, companyId: installation.companyId }, after, limit),
        );
  }

  /** @throws ErpUnavailable, SyncBlocked */
  async decideVendor(
    installationId: InstallationId,
    platformVendorId: string,
    decision: VendorDecision,
    by: string,
  ): Promise<DecidedVendor> {
    return this.deciding.run(await this.workOf(installationId), platformVendorId, decision, by);
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
    const auth = this.installations.authorizationForPeople(installationId);
    const all = await this.platform.listCompanies(auth, search.organizationId);
    return searchCompanies(all, search.text, search.limit);
  }

  private async workOf(installationId: InstallationId): Promise<SyncWork> {
    const installation = await this.installations.find(installationId);
    if (installation === undefined) {
      throw new SyncBlocked('The installation is not there any more.');
    }
    return this.sides.run({ installationId, companyId: installation.companyId });
  }
}
