import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { ErpKinds } from '../../../../src/connector/erp-connections/erp-kinds.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { toDetectedJob } from '../../../../src/connector/exports/run/platform-job.js';
import { RequestReexport } from '../../../../src/connector/exports/reexport/request-reexport.js';
import { ExportJobRepository } from '../../../../src/connector/exports/stores/export-job.repository.js';
import { ProcessCompanyQueue } from '../../../../src/connector/exports/run/process-company-queue.js';
import type { PlatformAuthorization } from '../../../../src/connector/platform/platform-http.js';
import { PlatformApi, type FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { ReferenceDataApi } from '../../../../src/connector/platform/reference-data-api.js';
import { Clock } from '../../../../src/kernel/clock.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import type { CompanyId, InstallationId } from '../../../../src/kernel/ids.js';
import { createTokens, insertInstallation, startConnectorApp } from '../../../support/connector-app.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { fakeErpKind, OneErp } from '../../../support/one-erp.js';
import { FakePlatform, type FakeJob } from '../../../support/platform/fake-platform.js';
import { FakeClock } from '../exports/fake-clock.js';

/** A company with callers of every role, whose jobs can be run. */
export interface ReviewTenant {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
  readonly tokens: Readonly<Record<Role, string>>;
}

export interface ReviewResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const UNUSED_AUTHORIZATION: PlatformAuthorization = {
  accessToken: () => Promise.resolve('token'),
  renewed: () => Promise.resolve('token'),
};

/** The API and the pipeline of the connector in one process, between a platform and an ERP in memory. */
export class ReviewHarness {
  private constructor(
    readonly admin: pg.Client,
    readonly clock: FakeClock,
    readonly platform: FakePlatform,
    readonly erp: FakeErp,
    readonly app: NestFastifyApplication,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<ReviewHarness> {
    const clock = new FakeClock();
    const platform = new FakePlatform(clock);
    const erp = new FakeErp();
    const { app, admin, close } = await startConnectorApp({}, undefined, [
      { provide: Clock, useFactory: () => clock },
      { provide: PlatformApi, useFactory: () => platform },
      { provide: ReferenceDataApi, useFactory: () => platform.referenceData },
      { provide: ErpKinds, useFactory: () => new ErpKinds([fakeErpKind(erp)]) },
      { provide: ErpConnections, useFactory: () => new OneErp(erp) },
    ]);
    return new ReviewHarness(admin, clock, platform, erp, app, close);
  }

  /** An active installation with the settings of the worked examples as version 1. */
  async addTenant(): Promise<ReviewTenant> {
    const settings = { accounts: companyData.settings, policies: companyData.policies };
    const { installationId, companyId } = await insertInstallation(this.admin, { settings });
    const tokens = await createTokens(this, installationId);
    return { installationId, companyId, tokens };
  }

  async send(
    tenant: ReviewTenant,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    { as = 'bookkeeper', seen }: { readonly as?: Role; readonly seen?: number } = {},
  ): Promise<ReviewResponse> {
    const answer = await this.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${tenant.tokens[as]}`,
        ...(seen !== undefined && { 'if-match': `"${seen.toString()}"` }),
      },
      ...(body !== undefined && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
  }

  /** A job of the platform, detected and not begun. */
  async addJob(tenant: ReviewTenant, items: readonly FetchedItem[]): Promise<FakeJob> {
    const job = this.platform.addJob(tenant.companyId, items);
    await this.detect(tenant, job.id);
    return job;
  }

  /** What a webhook or a look at the platform leaves. */
  async detect(tenant: ReviewTenant, jobId: string): Promise<void> {
    const job = await this.platform.getExportJob(UNUSED_AUTHORIZATION, jobId);
    const detected = toDetectedJob(job, this.clock.now());
    const jobs = this.app.get(ExportJobRepository, { strict: false });
    const database = this.app.get(TenantDatabase, { strict: false });
    await database.inInstallation('detect', tenant.installationId, (tx) => {
      jobs.saveDetected(tx, tenant.installationId, [detected], this.clock.now());
    });
  }

  /** One worker's turn over the company's jobs. */
  async processQueue({ installationId, companyId }: ReviewTenant): Promise<void> {
    const worker = this.app.get(ProcessCompanyQueue, { strict: false });
    await worker.processUntilIdle({ installationId, companyId }, 'long', new AbortController().signal);
  }

  /** A job from the platform's hand to its verdict. */
  async export(tenant: ReviewTenant, items: readonly FetchedItem[]): Promise<FakeJob> {
    const job = await this.addJob(tenant, items);
    await this.processQueue(tenant);
    return job;
  }

  /** What a worker does with what was asked for: asks the platform, then runs the job. */
  async followUp(tenant: ReviewTenant): Promise<void> {
    await this.requestReexports(tenant);
    await this.processQueue(tenant);
  }

  /** Asks the platform for what was asked for. */
  async requestReexports(tenant: ReviewTenant): Promise<void> {
    const { rows } = await this.admin.query<{ id: string }>(
      `UPDATE reexport SET next_try_at = now() WHERE installation_id = $1 AND state IN ('waiting', 'requested') RETURNING id`,
      [tenant.installationId],
    );
    const reexports = this.app.get(RequestReexport, { strict: false });
    for (const { id } of rows) {
      await reexports.requestIfCompanyFree({ installationId: tenant.installationId, id });
    }
  }
}
