import type { INestApplicationContext } from '@nestjs/common';
import type pg from 'pg';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { OneErp } from '../../../support/one-erp.js';
import { ReferenceDataApi } from '../../../../src/connector/platform/reference-data-api.js';
import { CredentialRepository } from '../../../../src/connector/installations/credentials/credential.repository.js';
import type { SyncKind } from '../../../../src/connector/reference-data/domain/sync-plan.js';
import type { SyncRecordView, SyncRunView } from '../../../../src/connector/reference-data/domain/sync-run.js';
import { ReferenceDataModule } from '../../../../src/connector/reference-data/reference-data.module.js';
import { localizeProblem } from '../../../../src/connector/messages/texts.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { Clock } from '../../../../src/kernel/clock.js';
import type { CompanyId, ErpCompanyId, InstallationId } from '../../../../src/kernel/ids.js';
import { insertInstallation, startConnectorRooms } from '../../../support/connector-app.js';
import { FakeMasterData, VendorErp } from '../../../support/fake-master-data.js';
import { FakePlatform } from '../../../support/platform/fake-platform.js';
import { transactionsOf } from '../../../support/test-database.js';
import { FakeClock } from '../exports/fake-clock.js';
import { SyncUseCases } from './sync-use-cases.js';

export interface Tenant {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

interface Others {
  readonly referenceData: ReferenceDataApi;
  readonly erp: ErpConnections;
}

interface TenantOptions {
  readonly unknownVendor?: 'create' | 'fail';
  readonly companyId?: CompanyId;
  /** Null: none is linked. */
  readonly erpCompanyId?: ErpCompanyId | null;
  /** What the platform knows the installation by. */
  readonly accessToken?: string;
}

/** Reference data on a fresh database between a platform and an ERP in memory. */
export class SyncHarness {
  readonly service: SyncUseCases;
  private readonly credentials: CredentialRepository;

  private constructor(
    readonly admin: pg.Client,
    readonly clock: FakeClock,
    /** The sides of the moment: a test may put others there. */
    readonly sources: SyncSources,
    private readonly database: TenantDatabase,
    app: INestApplicationContext,
    readonly close: () => Promise<void>,
  ) {
    this.service = new SyncUseCases(app);
    this.credentials = app.get(CredentialRepository, { strict: false });
  }

  /** @param others instead of what is in memory */
  static async start(others: Partial<Others> = {}): Promise<SyncHarness> {
    const clock = new FakeClock();
    const sides = new SyncSources(clock);
    const { app, admin, close } = await startConnectorRooms([ReferenceDataModule], async (server) => {
      const database = await TenantDatabase.connect({
        ...transactionsOf(server.url),
        applicationName: 'sync-test',
        poolSize: 20,
      });
      return [
        { provide: Clock, useFactory: () => clock },
        { provide: TenantDatabase, useFactory: () => interruptible(database, sides) },
        { provide: ReferenceDataApi, useFactory: () => others.referenceData ?? sides.platform },
        { provide: ErpConnections, useFactory: () => others.erp ?? new OneErp(sides.erp, sides.master) },
      ];
    });
    return new SyncHarness(admin, clock, sides, app.get(TenantDatabase), app, close);
  }

  /** An active installation, linked to the ERP company in memory by default. */
  async addTenant(options: TenantOptions = {}): Promise<Tenant> {
    const { unknownVendor = 'create', erpCompanyId = this.sources.erp.companyId, accessToken } = options;
    const policies = { ...companyData.policies, unknownVendor };
    const { installationId, companyId } = await insertInstallation(this.admin, {
      ...(options.companyId !== undefined && { companyId: options.companyId }),
      erpCompanyId,
      settings: { accounts: companyData.settings, policies },
    });
    if (accessToken !== undefined) {
      const tokens = { accessToken, refreshToken: 'none', expiresInSeconds: 3_600 };
      await this.database.inInstallation('store credential', installationId, (tx) =>
        this.credentials.replace(tx, installationId, tokens),
      );
    }
    return { installationId, companyId };
  }

  /** Asks for runs and works until none is due: what a postponed one waits for is over at once. */
  async sync(
    tenant: Tenant,
    kinds: readonly SyncKind[],
    isPreview = false,
    confirmedArchives = 0,
  ): Promise<readonly SyncRunView[]> {
    const requested = await this.service.startSyncs.startForPerson(tenant.installationId, kinds, {
      isPreview,
      confirmedArchives,
    });
    await this.processQueue(tenant);
    const runs: SyncRunView[] = [];
    for (const { id } of requested) {
      runs.push(await this.readRun(tenant, id));
    }
    return runs;
  }

  /** One worker's turn. */
  async processQueue({ installationId }: Tenant, signal = new AbortController().signal): Promise<void> {
    await this.service.processDueSyncs.processDue(installationId, signal);
  }

  /** As when pauses are over, and a worker that was killed has not been heard of for a while. */
  async passTime({ installationId }: Tenant): Promise<void> {
    await this.admin.query(
      `UPDATE sync_run SET next_attempt_at = now(), lease_until = '-infinity' WHERE installation_id = $1`,
      [installationId],
    );
  }

  /** Its failure in English. */
  async readRun({ installationId }: Tenant, id: string): Promise<SyncRunView> {
    const run = await this.service.reader.findRun(installationId, id);
    if (run === undefined) {
      throw new Error(`no run ${id}`);
    }
    return { ...run, failure: run.failure && localizeProblem('en', run.failure) };
  }

  async records({ installationId }: Tenant, runId: string): Promise<readonly SyncRecordView[]> {
    return this.service.reader.listRecords(installationId, runId, {
      outcome: undefined,
      action: undefined,
      afterSeq: 0,
      limit: 100_000,
    });
  }
}

/** The same database, with a place before and after each transaction of an installation where a test can interrupt. */
function interruptible(database: TenantDatabase, sides: SyncSources): TenantDatabase {
  const interrupted =
    (transaction: 'inInstallation' | 'byKeys'): TenantDatabase['inInstallation'] =>
    async (label, installationId, work) => {
      sides.beforeTransaction(label);
      const result = await database[transaction](label, installationId, work);
      sides.afterTransaction(label);
      return result;
    };
  const transactions = { inInstallation: interrupted('inInstallation'), byKeys: interrupted('byKeys') };
  return Object.assign(Object.create(database) as TenantDatabase, transactions);
}

/** A platform, and an ERP with its master data. */
export class SyncSources {
  beforeTransaction: (label: string) => void = () => undefined;
  afterTransaction: (label: string) => void = () => undefined;
  readonly platform: FakePlatform['referenceData'];
  readonly master = new FakeMasterData();
  readonly erp = new VendorErp(this.master);

  constructor(clock: FakeClock) {
    this.platform = new FakePlatform(clock).referenceData;
  }

  /** Nothing goes wrong any more. */
  restore(): void {
    this.beforeTransaction = () => undefined;
    this.afterTransaction = () => undefined;
    this.platform.before = () => undefined;
    this.platform.after = () => undefined;
    this.erp.before = () => undefined;
    this.erp.after = () => undefined;
    this.master.requests = () => undefined;
  }
}
