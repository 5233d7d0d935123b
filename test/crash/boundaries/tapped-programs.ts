import { connect } from 'node:net';
import type { HttpProxy, Passing } from '../../../src/erp-contract/http-proxy.js';
import { RunningPrograms } from '../../support/running-programs.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { PostgresProxy } from '../../support/servers/postgres-proxy.js';
import { ServiceKeys } from './key-rotation.js';
import type { Program } from './program.js';
import type { Tap } from './tap.js';
import { clockVariables, erpVariables, type Variant } from './variant.js';

interface Api {
  readonly program: Program;
  /** Past the proxy in front of the connector. */
  readonly url: string;
}

/** The programs of a variant, with a tap at everything that goes between them. */
export class TappedPrograms {
  private constructor(
    readonly programs: RunningPrograms,
    private readonly server: TestDatabase,
    private readonly databaseProxies: PostgresProxy[],
    private readonly tap: Tap,
    readonly keys: ServiceKeys,
    /** Environment of a program of the connector: its database at a shared proxy. */
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async start(variant: Variant, tap: Tap): Promise<TappedPrograms> {
    const server = await createTestDatabase();
    const [api, worker] = [new LaterProgram('api'), new LaterProgram('worker')];
    // The first two are distinguished by their application names.
    const ofFirst = tap.databaseTap(({ application }) => (application.includes('api') ? api : worker));
    const proxy = await startProxy(server, ofFirst);
    const keys = new ServiceKeys();
    const environment = {
      DATABASE_URL: addressThrough(server, proxy),
      CREDENTIAL_KEYS: keys.text,
      PLATFORM_REQUESTS_PER_MINUTE: '100000',
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
      ...erpVariables(variant),
    };
    const programs = await RunningPrograms.start(environment, server, true, clockVariables(variant)).catch(
      async (error: unknown) => {
        await proxy.close();
        throw error;
      },
    );
    const tapped = new TappedPrograms(programs, server, [proxy], tap, keys, {
      ...programs.connectorEnvironment,
      ...environment,
    });
    api.process = programs.api;
    worker.process = programs.worker;
    tapped.tapWorker(worker, programs.platformProxy, programs.ledgerProxy);
    tapped.tapPlatformOfApi(api, programs.apiPlatformProxy);
    const [apis] = await Promise.all([
      Promise.all(Array.from({ length: variant.apis - 1 }, () => tapped.addApi())),
      Promise.all(Array.from({ length: variant.workers - 1 }, () => tapped.addWorker())),
    ]);
    tapped.tapCallers([{ program: api, url: programs.apiUrl }, ...apis]);
    return tapped;
  }

  /** Of the database itself. */
  get databaseUrl(): string {
    return this.server.url;
  }

  /** @returns address of the database for one program, whose statements are tapped */
  async databaseOf(program: Program): Promise<string> {
    const proxy = await startProxy(
      this.server,
      this.tap.databaseTap(() => program),
    );
    this.databaseProxies.push(proxy);
    return addressThrough(this.server, proxy);
  }

  async stop(): Promise<void> {
    await this.programs.stop();
    await Promise.all(this.databaseProxies.map((proxy) => proxy.close()));
  }

  private async addWorker(): Promise<void> {
    const program = new LaterProgram('worker');
    const added = await this.programs.addWorker({ DATABASE_URL: await this.databaseOf(program) });
    program.process = added.program;
    this.tapWorker(program, added.platformProxy, added.ledgerProxy);
  }

  private async addApi(): Promise<Api> {
    const program = new LaterProgram('api');
    const added = await this.programs.addApi({ DATABASE_URL: await this.databaseOf(program) });
    program.process = added.program;
    this.tapPlatformOfApi(program, added.platformProxy);
    return { program, url: added.url };
  }

  private tapWorker(program: Program, platform: HttpProxy, ledger: HttpProxy): void {
    this.tap.tapHttp(
      platform,
      () => program,
      () => 'worker>platform',
    );
    this.tap.tapHttp(
      ledger,
      () => program,
      () => 'worker>ledger',
    );
  }

  private tapPlatformOfApi(program: Program, platform: HttpProxy): void {
    this.tap.tapHttp(
      platform,
      () => program,
      (passing) => (isBrowsing(passing) ? undefined : 'api>platform'),
    );
  }

  /** Each request goes to the next process, or to one that is there. */
  private tapCallers(apis: readonly [Api, ...Api[]]): void {
    const { connectorProxy } = this.programs;
    const chosen = new WeakMap<Passing, Api>();
    let count = 0;
    const choose = (passing: Passing): Api => {
      const api = chosen.get(passing) ?? apis[count % apis.length] ?? apis[0];
      count += chosen.has(passing) ? 0 : 1;
      chosen.set(passing, api);
      return api;
    };
    connectorProxy.route = async (passing) => {
      const first = choose(passing);
      for (const { url } of [first, ...apis]) {
        if (await accepts(url)) {
          return url;
        }
      }
      return first.url;
    };
    this.tap.tapHttp(connectorProxy, (passing) => choose(passing).program, callerOf);
  }
}

/** Its process is started after its proxies. */
class LaterProgram implements Program {
  process: Pick<Program, 'kill'> | undefined;

  constructor(readonly kind: Program['kind']) {}

  readonly kill = (signal: NodeJS.Signals): void => {
    this.process?.kill(signal);
  };
}

async function startProxy(server: TestDatabase, tap: Parameters<typeof PostgresProxy.start>[1]) {
  const { hostname, port } = new URL(server.url);
  return PostgresProxy.start({ host: hostname, port: Number(port) }, tap);
}

function addressThrough(server: TestDatabase, { port }: PostgresProxy): string {
  const through = new URL(server.url);
  through.host = `127.0.0.1:${port.toString()}`;
  return through.toString();
}

async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

/** Who is at the connector; of what people ask, only what changes something. */
function callerOf({ method, path }: Passing): string | undefined {
  if (path.startsWith('/webhooks/')) {
    return 'platform>api';
  }
  return method !== 'GET' || path === '/connect' || path.startsWith('/oauth/') ? 'person>api' : undefined;
}

/** The browser of a person comes to the authorization server by the same proxy as the API. */
function isBrowsing({ path }: Passing): boolean {
  return path.startsWith('/oauth/authorize') || path.startsWith('/oauth/interaction');
}
