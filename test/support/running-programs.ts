import { SystemClock } from '../../src/foundation/clock/system-clock.js';
import { freePort } from '../../src/foundation/process/free-port.js';
import { ChildProgram } from '../../src/sandbox/launch/child-program.js';
import { connectCompany, createApiToken, saveSettings } from '../../src/sandbox/launch/demo/connect-company.js';
import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { firstCustomer, type DemoCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import { ProgramClient } from '../../src/sandbox/launch/demo/program-client.js';
import { seedLedger } from '../../src/sandbox/launch/demo/seed-ledger.js';
import { addItems, seedPlatform } from '../../src/sandbox/launch/demo/seed-platform.js';
import { waitForVerdict, type ExportJob } from '../../src/sandbox/launch/demo/trigger-export.js';
import { freePorts, newSecrets } from '../../src/sandbox/launch/launch-settings.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from '../../src/sandbox/launch/programs.js';
import { z } from 'zod';
import { HttpProxy } from '../../src/erp-contract/http-proxy.js';
import { ProgramWatch } from './program-watch.js';
import { createTestDatabase, databaseVariables, type TestDatabase } from './test-database.js';

const jobEventsSchema = z.array(z.object({ event: z.string() }));
const entriesSchema = z.object({
  data: z.array(z.object({ key: z.string(), role: z.string(), revision: z.number() })),
  nextCursor: z.string().nullable(),
});
const jobsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const jobItemsSchema = z.object({
  items: z.array(z.object({ accountingEntryId: z.string(), status: z.string(), externalId: z.string().nullish() })),
});

export interface Worker {
  readonly program: ChildProgram;
  /** Between it and the platform: its own where the API is apart. */
  readonly platformProxy: HttpProxy;
  /** Between it and the ERP. */
  readonly ledgerProxy: HttpProxy;
}

export interface Api {
  readonly program: ChildProgram;
  /** Between it and the platform: its own where the API is apart. */
  readonly platformProxy: HttpProxy;
  /** Past the proxy, straight to this process. */
  readonly url: string;
}

type Variables = Readonly<Record<string, string>>;
/** Additional environment of the first process of each. */
type OwnVariables = Readonly<Partial<Record<'api' | 'worker' | 'simulator' | 'ledger', Variables>>>;

/** All programs as processes on a fresh database, the demo company connected, nothing exported yet. */
export class RunningPrograms {
  readonly clock = new SystemClock();
  private readonly proxies: HttpProxy[];
  /** Of all processes. */
  readonly platformProxies: Set<HttpProxy>;
  private stopping: Promise<void> | undefined;

  private constructor(
    readonly api: ChildProgram,
    readonly worker: ChildProgram,
    readonly simulator: ChildProgram,
    readonly ledger: ChildProgram,
    private readonly added: ChildProgram[],
    /** In front of the connector: sees the webhooks. */
    readonly connectorProxy: HttpProxy,
    /** Between connector and platform. */
    readonly platformProxy: HttpProxy,
    /** Between the API and the platform; the same one unless the API is apart. */
    readonly apiPlatformProxy: HttpProxy,
    /** Between connector and ERP. */
    readonly ledgerProxy: HttpProxy,
    readonly clients: {
      readonly connector: ProgramClient;
      readonly simulator: ProgramClient;
      readonly ledger: ProgramClient;
    },
    /** What the ledger answers to a path, whatever its form. */
    readonly ledgerText: (path: string) => Promise<string>,
    /** The first API process, past the proxy. */
    readonly apiUrl: string,
    /** Where the operator reaches the connector, and with what. */
    readonly operator: { readonly url: string; readonly token: string },
    /** Environment that a further program of the connector needs. */
    readonly connectorEnvironment: Readonly<Record<string, string>>,
    private readonly more: {
      readonly worker: (own: Variables) => Promise<Worker>;
      readonly api: (own: Variables) => Promise<Api>;
    },
    /** Hears and keeps what the programs say. */
    readonly watch: ProgramWatch,
    private readonly server: TestDatabase,
  ) {
    this.proxies = [connectorProxy, platformProxy, apiPlatformProxy, ledgerProxy];
    this.platformProxies = new Set([platformProxy, apiPlatformProxy]);
  }

  /**
   * @param environment of both connector processes, besides what a start gives them
   * @param given a migrated database to use instead of a fresh one of the test server
   * @param isApiApart the API has a proxy to the platform of its own, and no request to the authorization server passes beside the proxies
   * @param own of one process, besides
   */
  static async start(
    environment: Variables = {},
    given?: TestDatabase,
    isApiApart = false,
    own: OwnVariables = {},
  ): Promise<RunningPrograms> {
    const server = given ?? (await createTestDatabase());
    const clock = new SystemClock();
    const secrets = newSecrets();
    const behind = await freePorts();
    // People and the platform reach the connector through the proxy, so that is its public address.
    const ports = { ...behind, connector: await freePort() };
    const direct = addressesOf(behind);
    const connectorProxy = await HttpProxy.start(ports.connector, direct.connector);
    const platformProxy = await HttpProxy.start(0, direct.simulator);
    const apiPlatformProxy = isApiApart ? await HttpProxy.start(0, direct.simulator) : platformProxy;
    const ledgerProxy = await HttpProxy.start(0, direct.ledger);
    const between = [connectorProxy, platformProxy, apiPlatformProxy, ledgerProxy] as const;
    const [apiProgram, workerProgram] = connectorPrograms(server.url, ports, secrets);
    const through = {
      PORT: behind.connector.toString(),
      PLATFORM_API_URL: platformProxy.url,
      PLATFORM_ISSUER: direct.simulator,
      LEDGER_URL: ledgerProxy.url,
      ...(given === undefined ? databaseVariables(server.url) : {}),
      ...(isApiApart ? { PLATFORM_AUTH_URL: platformProxy.url } : {}),
      ...environment,
    };
    const ofApi = isApiApart
      ? { ...through, PLATFORM_API_URL: apiPlatformProxy.url, PLATFORM_AUTH_URL: apiPlatformProxy.url }
      : through;
    const watch = await ProgramWatch.start({ ...apiProgram.environment, ...through });
    watch.listenAt(connectorProxy);
    const child = (program: typeof apiProgram, more = {}) => {
      const talkative = { LOG_LEVEL: 'trace', LOG_FORMAT: 'json' };
      const all = { ...program.environment, ...talkative, ...more };
      const output = watch.outputOf(program.name);
      return new ChildProgram({ ...program, environment: all }, clock, () => undefined, output);
    };
    const internal = (program: typeof apiProgram, more = {}) => {
      watch.hasMetrics(program.readyUrl);
      return child(program, more);
    };
    const another = async (definition: typeof apiProgram, more: Variables) => {
      const platformProxy = isApiApart ? await HttpProxy.start(0, direct.simulator) : between[1];
      const { url } = platformProxy;
      const port = (await freePort()).toString();
      const program = internal(
        { ...definition, readyUrl: `http://localhost:${port}/health/ready` },
        {
          ...through,
          ...(isApiApart ? { PLATFORM_API_URL: url, PLATFORM_AUTH_URL: url } : {}),
          INTERNAL_PORT: port,
          ...more,
        },
      );
      await program.start();
      return { program, platformProxy };
    };
    const startWorker = async (more: Variables) => {
      const ledger = await HttpProxy.start(0, direct.ledger);
      return { ...(await another(workerProgram, { LEDGER_URL: ledger.url, ...more })), ledgerProxy: ledger };
    };
    const startApi = async (more: Variables) => {
      const port = (await freePort()).toString();
      return { ...(await another(apiProgram, { PORT: port, ...more })), url: `http://localhost:${port}` };
    };
    const platform = child(simulatorProgram(server.url, ports, secrets), own.simulator);
    const erp = child(ledgerProgram(server.url, ports, secrets), own.ledger);
    const api = internal(apiProgram, { ...ofApi, ...own.api });
    const worker = internal(workerProgram, { ...through, ...own.worker });
    const first = [api, worker, platform, erp];
    const giveUp = async (error: unknown): Promise<never> => {
      process.stderr.write(await watch.lastWords());
      await Promise.all(first.map((program) => program.stop()));
      await Promise.all(between.map((proxy) => proxy.close()));
      throw error;
    };
    await Promise.all(first.map((program) => program.start())).catch(giveUp);
    const simulator = new ProgramClient('simulator', direct.simulator);
    const ledger = new ProgramClient('ledger', direct.ledger, secrets.ledgerApiKey);
    const operator = new ProgramClient('connector', connectorProxy.url, secrets.operatorToken);
    const access = { url: connectorProxy.url, token: secrets.operatorToken };
    const setUp = async () => {
      await seedLedger(ledger, firstCustomer);
      await seedPlatform(simulator, firstCustomer);
      await addItems(simulator, firstCustomer);
      const simulatorUrl = isApiApart ? apiPlatformProxy.url : direct.simulator;
      const addresses = { connectorUrl: connectorProxy.url, simulatorUrl };
      const installationId = await connectCompany(addresses, operator, clock, firstCustomer);
      operator.close();
      return setUpCompany(access, installationId, firstCustomer);
    };
    const token = await setUp().catch(giveUp);
    const connector = new ProgramClient('connector', connectorProxy.url, token);
    const ledgerText = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${secrets.ledgerApiKey}` };
      return (await fetch(`${direct.ledger}${path}`, { headers })).text();
    };
    const clients = { connector, simulator, ledger };
    return new RunningPrograms(
      api,
      worker,
      platform,
      erp,
      [],
      ...between,
      clients,
      ledgerText,
      direct.connector,
      access,
      { ...apiProgram.environment, LEDGER_URL: direct.ledger },
      { worker: startWorker, api: startApi },
      watch,
      server,
    );
  }

  async verdict(): Promise<ExportJob> {
    return waitForVerdict(this.clients.connector, this.clock, () => undefined);
  }

  /**
   * As `verdict`, while something is away or comes back, and the state of the job is unknown.
   * @param known jobs that have ended before
   */
  async eventualVerdict(known: readonly string[] = []): Promise<ExportJob> {
    for (;;) {
      const job = await this.verdict().catch(() => undefined);
      if (job !== undefined && !known.includes(job.id)) {
        return job;
      }
      await this.clock.sleep(200);
    }
  }

  /** Waits until every program that was killed is back. */
  async areAllReady(): Promise<void> {
    const { connector, simulator, ledger } = this.clients;
    const questions = [
      () => connector.read('/api/v1/jobs?limit=1', z.unknown()),
      () => simulator.read('/control/companies', z.unknown()),
      () => ledger.read('/health', z.unknown()),
    ];
    for (const ask of questions) {
      while (
        !(await ask().then(
          () => true,
          () => false,
        ))
      ) {
        await this.clock.sleep(200);
      }
    }
  }

  /** Starts another worker beside the first. @param own its additional environment */
  async addWorker(own: Variables = {}): Promise<Worker> {
    const added = await this.more.worker(own);
    this.added.push(added.program);
    this.platformProxies.add(added.platformProxy);
    this.proxies.push(added.platformProxy, added.ledgerProxy);
    return added;
  }

  /** Starts another API process beside the first; the platform goes on calling the first. @param own its additional environment */
  async addApi(own: Variables = {}): Promise<Api> {
    const added = await this.more.api(own);
    this.added.push(added.program);
    this.platformProxies.add(added.platformProxy);
    this.proxies.push(added.platformProxy);
    return added;
  }

  /** Events of a job that the platform accepted, in order. */
  async acceptedEvents(jobId: string): Promise<readonly string[]> {
    const events = await this.clients.simulator.read(`/control/job-events?job_id=${jobId}`, jobEventsSchema);
    return events.map(({ event }) => event);
  }

  /** How many export jobs the connector knows, at most 100. */
  async jobCount(): Promise<number> {
    return (await this.clients.connector.read('/api/v1/jobs?limit=100', jobsSchema)).data.length;
  }

  async platformItems(jobId: string) {
    return (await this.clients.simulator.read(`/control/export-jobs/${jobId}`, jobItemsSchema)).items;
  }

  /** `<accounting entry>/<role>` of every journal entry in the books. */
  async journal(): Promise<readonly string[]> {
    const entries: string[] = [];
    let after = '';
    for (;;) {
      const path = `/companies/${demoCompany.ledgerId}/journal-entries?limit=500${after}`;
      const { data, nextCursor } = await this.clients.ledger.read(path, entriesSchema);
      entries.push(...data.map(({ key, role }) => `${key}/${role}`));
      if (nextCursor === null) {
        return entries;
      }
      after = `&after=${encodeURIComponent(nextCursor)}`;
    }
  }

  /** @throws Error when a secret got out anywhere during the run */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    await this.watch.readMetrics();
    for (const program of [this.worker, this.api, ...this.added, this.simulator, this.ledger]) {
      await program.stop();
    }
    for (const client of Object.values(this.clients)) {
      client.close();
    }
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
    // Every token that was ever in use, not only the one there is now.
    for (const { headers } of [...this.platformProxies].flatMap(({ seen }) => seen)) {
      this.watch.search.learn('access token', headers.authorization?.split(' ')[1]);
    }
    await this.watch.end(this.server.url).finally(() => this.server.drop());
  }
}

/**
 * Links the books of a connected company and saves its settings. As the operator: the main key of the ledger, which these runs
 * take, opens every company.
 * @returns a token of an administrator
 */
export async function setUpCompany(
  { url, token }: RunningPrograms['operator'],
  installationId: string,
  customer: DemoCustomer,
): Promise<string> {
  const operator = new ProgramClient('connector', url, token);
  const path = `/api/v1/operator/installations/${installationId}/erp-company`;
  await operator.put(path, { json: { erpCompanyId: customer.company.ledgerId } });
  const adminToken = await createApiToken(operator, installationId);
  operator.close();
  const connector = new ProgramClient('connector', url, adminToken);
  await saveSettings(connector, customer);
  connector.close();
  return adminToken;
}
