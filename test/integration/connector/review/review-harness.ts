import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { loadConnectorConfig } from '../../../../src/connector/connector-config.js';
import { createConnectorHttp } from '../../../../src/connector/connector-http.js';
import { ErpKinds } from '../../../../src/connector/erp-connections/erp-kinds.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { toDetectedJob } from '../../../../src/connector/exports/run/platform-job.js';
import { CompanyTransactions } from '../../../../src/connector/exports/stores/company-transactions.js';
import { RequestReexport } from '../../../../src/connector/exports/reexport/request-reexport.js';
import { ExportJobRepository } from '../../../../src/connector/exports/stores/export-job.repository.js';
import { ProcessCompanyQueue } from '../../../../src/connector/exports/run/process-company-queue.js';
import type { PlatformAuthorization } from '../../../../src/connector/platform/platform-http.js';
import { PlatformApi, type FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { ReferenceDataApi } from '../../../../src/connector/platform/reference-data-api.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { Clock } from '../../../../src/kernel/clock.js';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../../../src/kernel/ids.js';
import { NO_LIMITS, OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { fakeErpKind, OneErp } from '../../../support/one-erp.js';
import { FakePlatform, type FakeJob } from '../../../support/platform/fake-platform.js';
import { FakeReferencePlatform } from '../../../support/platform/fake-reference-platform.js';
import { SecretSearch } from '../../../support/secret-search.js';
import { createTestDatabase, databaseVariables } from '../../../support/test-database.js';
import { watchResponses } from '../../../support/watch-responses.js';
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
    const server = await createTestDatabase();
    const environment = {
      ...databaseVariables(server.url),
      LOG_LEVEL: 'trace',
      LOG_FORMAT: 'json',
      ...NO_LIMITS,
      OPERATOR_TOKEN,
      CREDENTIAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    };
    const config = loadConnectorConfig(environment);
    const search = new SecretSearch(environment);
    const logger = createLogger('review-test', config.logging, search.logOf('application'));
    const clock = new FakeClock();
    const platform = new FakePlatform(clock);
    const erp = new FakeErp();
    const app = await createConnectorHttp({ config, logger, role: 'api' }, [
      { provide: Clock, useFactory: () => clock },
      { provide: PlatformApi, useFactory: () => platform },
      { provide: ReferenceDataApi, useFactory: () => new FakeReferencePlatform(clock) },
      { provide: ErpKinds, useFactory: () => new ErpKinds([fakeErpKind(erp)]) },
      { provide: ErpConnections, useFactory: () => new OneErp(erp) },
    ]);
    watchResponses(app, search);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const admin = new pg.Client({ connectionString: server.url, options: '-c search_path=connector' });
    await admin.connect();
    return new ReviewHarness(admin, clock, platform, erp, app, async () => {
      await app.close();
      await admin.end();
      await search.end(server.url);
      await server.drop();
    });
  }

  /** What the platform of all tenants has to choose from. */
  get references(): FakeReferencePlatform {
    return this.app.get<FakeReferencePlatform>(ReferenceDataApi);
  }

  /** An active installation with the settings of the worked examples as version 1. */
  async addTenant(): Promise<ReviewTenant> {
    const installationId = toInstallationId(randomUUID());
    const companyId = toCompanyId(randomUUID());
    await this.admin.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Example', 'active', $3, now())`,
      [installationId, companyId, `erp-${installationId}`],
    );
    const settings = { accounts: companyData.settings, policies: companyData.policies };
    await this.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, $2, 'test', now())`,
      [installationId, JSON.stringify(settings)],
    );
    const tokens = {
      viewer: await this.newToken(installationId, 'viewer'),
      bookkeeper: await this.newToken(installationId, 'bookkeeper'),
      admin: await this.newToken(installationId, 'admin'),
    };
    return { installationId, companyId, tokens };
  }

  async send(
    office: ReviewTenant,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    { as = 'bookkeeper', seen }: { readonly as?: Role; readonly seen?: number } = {},
  ): Promise<ReviewResponse> {
    const answer = await this.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${office.tokens[as]}`,
        ...(seen !== undefined && { 'if-match': `"${seen.toString()}"` }),
      },
      ...(body !== undefined && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
  }

  /** A job of the platform, detected and not begun. */
  async addJob(office: ReviewTenant, items: readonly FetchedItem[]): Promise<FakeJob> {
    const job = this.platform.addJob(office.companyId, items);
    await this.detect(office, job.id);
    return job;
  }

  /** What a webhook or a look at the platform leaves. */
  async detect(office: ReviewTenant, jobId: string): Promise<void> {
    const detected = toDetectedJob(await this.platform.getExportJob(UNUSED_AUTHORIZATION, jobId));
    const jobs = this.app.get(ExportJobRepository, { strict: false });
    const transactions = this.app.get(CompanyTransactions, { strict: false });
    await transactions.inInstallation('detect', office.installationId, (tx) =>
      jobs.saveDetected(tx, office.installationId, [detected], this.clock.now()),
    );
  }

  /** One worker's turn over the company's jobs. */
  async processQueue({ installationId, companyId }: ReviewTenant): Promise<void> {
    const worker = this.app.get(ProcessCompanyQueue, { strict: false });
    await worker.processUntilIdle({ installationId, companyId }, 'long', new AbortController().signal);
  }

  /** A job from the platform's hand to its verdict. */
  async export(office: ReviewTenant, items: readonly FetchedItem[]): Promise<FakeJob> {
    const job = await this.addJob(office, items);
    await this.processQueue(office);
    return job;
  }

  /** What a worker does with what was asked for: asks the platform, then runs the job. */
  async followUp(office: ReviewTenant): Promise<void> {
    const { rows } = await this.admin.query<{ id: string }>(
      `UPDATE reexport SET next_try_at = now() WHERE installation_id = $1 AND state IN ('waiting', 'requested') RETURNING id`,
      [office.installationId],
    );
    const reexports = this.app.get(RequestReexport, { strict: false });
    for (const { id } of rows) {
      await reexports.requestIfCompanyFree({ installationId: office.installationId, id });
    }
    await this.processQueue(office);
  }

  private async newToken(installationId: string, role: Role): Promise<string> {
    const answer = await this.app.inject({
      method: 'POST',
      url: `/api/v1/operator/installations/${installationId}/api-tokens`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      payload: { role, label: 'test', days: 1 },
    });
    return answer.json<{ token: string }>().token;
  }
}
