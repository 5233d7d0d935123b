// Brings an adapter to life for one connection: with its settings, and what it is given of the connector.
import type { HttpClientOptions } from '../../../foundation/http/client/http-client.js';
import { waitWithoutSlot } from '../../../foundation/process/worker-slot.js';
import type { Clock } from '../../../kernel/clock.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import { ConnectedErp } from '../connected-erp.js';
import type { CallScope, ErpCall, ErpCaller } from '../erp-call.js';
import type { ErpCompany, RateRequest } from '../erp-ledger.js';
import type { ErpDefinition, ErpContext, ErpSettings } from './define-erp.js';
import type { ErpCapabilities } from './capabilities.js';
import type { ErpFacts } from './erp-facts.js';
import type { ErpBatches } from './erp-batches.js';
import type { ErpAccess } from './erp-access.js';
import { ErpHttp } from './erp-http.js';
import { UnlimitedErpRequests, type ErpRequestBudget } from './erp-request-budget.js';
import { ListsInMemory } from './lists-in-memory.js';
import type { ErpStore } from './erp-store.js';
import type { ConnectionCache } from './cached-master-data.js';

/** What the connector gives to every adapter. */
export interface AdapterSurroundings {
  readonly connectionId: string;
  readonly clock: Clock;
  readonly store: ErpStore;
  readonly log: ErpContext['log'];
  readonly client: Pick<HttpClientOptions, 'publicHostsOnly' | 'circuit'>;
  /** Of all requests to the ERP, in every process; without one they are not counted. */
  readonly requestBudget?: ErpRequestBudget;
  /** Of an ERP without rates: those that were uploaded for it. */
  readonly findUploadedRates?: (request: RateRequest) => Promise<readonly ExchangeRate[]>;
  /** The lists that were read lately with these settings; without it each caller reads its own. */
  readonly cache?: ConnectionCache;
  /** Called with each response that says whether the ERP accepts the credentials. */
  readonly onCredentials?: (isAccepted: boolean) => void;
  /** Of all calls of the installation; without it, of this adapter's alone. */
  readonly lists?: ListsInMemory;
  /** Where a person has signed in at the ERP. */
  readonly access?: ErpAccess;
}

/** An adapter with its connections to one ERP. */
export interface OpenAdapter {
  forCompany(caller: ErpCaller & Pick<ErpCall, 'company'>): ConnectedErp;
  /** @throws ErpUnavailable */
  listCompanies(scope: CallScope): Promise<readonly ErpCompany[]>;
  /** Of an ERP that says nothing, nothing. @throws ErpUnavailable */
  describe(scope: CallScope): Promise<ErpFacts>;
  readonly capabilities: ErpCapabilities;
  /** Undefined where entries are not given out as files. @throws ErpUnavailable */
  batches(): ErpBatches | undefined;
  /** Milliseconds since the last call ended; 0 while one is under way. */
  idleMs(): number;
  /** Ends the connections; requests under way fail. */
  close(): void;
}

/** @param settings as the schema of the definition admits them, secrets included */
export function openAdapter(
  definition: ErpDefinition,
  settings: ErpSettings,
  surroundings: AdapterSurroundings,
): OpenAdapter {
  const { connectionId, clock, store, log, client, onCredentials, access, lists = new ListsInMemory() } = surroundings;
  const { cache, findUploadedRates = noRates, requestBudget = new UnlimitedErpRequests() } = surroundings;
  const clients: ErpHttp[] = [];
  const capabilities = definition.capabilities(settings);
  const adapter = definition.create({
    connectionId,
    settings,
    capabilities,
    store,
    clock,
    log,
    http(options) {
      const maxConnections = Math.min(options.maxConnections ?? Infinity, capabilities.limits.concurrentRequests);
      const connection = { ...client, peer: 'erp' };
      const http = new ErpHttp({ ...options, maxConnections }, clock, connection, requestBudget, onCredentials, access);
      clients.push(http);
      return http;
    },
  });
  let underWay = 0;
  let usedAtMs = clock.monotonicMs();
  const during = async <T>(call: () => Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      return await waitWithoutSlot(() => lists.during(call));
    } finally {
      underWay -= 1;
      usedAtMs = clock.monotonicMs();
    }
  };
  return {
    forCompany: (caller) =>
      new ConnectedErp(adapter, capabilities, caller, { clock, during, findUploadedRates, cache }),
    listCompanies: (scope) => during(() => adapter.ledger.listCompanies(scope)),
    describe: (scope) => during(async () => (await adapter.describe?.(scope)) ?? {}),
    capabilities,
    batches: () => adapter.batches?.(),
    idleMs: () => (underWay > 0 ? 0 : clock.monotonicMs() - usedAtMs),
    close() {
      adapter.close?.();
      for (const each of clients) each.close();
    },
  };
}

const noRates = (): Promise<readonly ExchangeRate[]> => Promise.resolve([]);
