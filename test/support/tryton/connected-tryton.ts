// The adapter, connected to a Tryton with a seeded company.
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { ErpCall, ErpCaller } from '../../../src/connector/erp/erp-call.js';
import type { ErpCapabilities } from '../../../src/connector/erp/kit/capabilities.js';
import type { ErpSettings } from '../../../src/connector/erp/kit/define-erp.js';
import { openAdapter, type OpenAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { tryton } from '../../../src/connector/erp/tryton/tryton.erp.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { toErpCompanyId } from '../../../src/kernel/ids.js';
import { MemoryErpStore } from '../../../src/erp-contract/memory-erp-store.js';
import { patientCaller } from '../one-erp.js';
import { seedCompany, type SeededCompany } from './seed-company.js';
import { TrytonClient } from './tryton-client.js';
import { startTryton, type TrytonServer } from './tryton-server.js';

const PATIENCE_MS = 300_000;
/** Shorter than a real one: tests wait for it. */
const REQUEST_SECONDS = 1;

const CONNECTION = { journal: 'SPEND', analyticAccounts: true, requestSeconds: REQUEST_SECONDS };
export const TRYTON_CAPABILITIES: ErpCapabilities = tryton.capabilities({
  ...CONNECTION,
  address: 'http://tryton',
  database: 'x',
  user: 'x',
  password: 'x',
});

export interface Connection {
  /** Tryton's own address by default. */
  readonly address?: string;
  readonly clock?: Clock;
  readonly settings?: ErpSettings;
  readonly caller?: Partial<ErpCaller & Pick<ErpCall, 'company'>>;
}

export interface ConnectedTryton {
  readonly server: TrytonServer;
  /** As the administrator, past the adapter. */
  readonly client: TrytonClient;
  readonly company: SeededCompany;
  /** Of a connection to it, at its own address or a proxy's. */
  readonly settings: (address: string) => ErpSettings;
  /** One more instance, as a worker of its own. */
  readonly connect: (connection?: Connection) => ConnectedErp;
  readonly stop: () => Promise<void>;
}

export async function connectTryton(): Promise<ConnectedTryton> {
  const server = await startTryton();
  const [client, company] = await seeded(server).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const store = new MemoryErpStore();
  const opened: OpenAdapter[] = [];
  const { login: user, password } = company.user;
  const settings = (address: string) => ({ ...CONNECTION, address, database: server.database, user, password });
  return {
    server,
    settings,
    client,
    company,
    connect({ address = server.url, clock = new SystemClock(), settings: other, caller } = {}) {
      const adapter = openAdapter(
        tryton,
        { ...settings(address), ...other },
        {
          connectionId: 'tryton',
          clock,
          store,
          log: () => undefined,
          client: {},
        },
      );
      opened.push(adapter);
      const id = toErpCompanyId(company.id.toString());
      return adapter.forCompany({ ...patientCaller(PATIENCE_MS), company: id, ...caller });
    },
    async stop() {
      opened.forEach((adapter) => {
        adapter.close();
      });
      await server.stop();
    },
  };
}

async function seeded(server: TrytonServer): Promise<readonly [TrytonClient, SeededCompany]> {
  const client = await TrytonClient.login(server);
  return [client, await seedCompany(client)];
}
