// Brings an adapter to life for one connection: with its settings, and what it is given of the connector.
import type { HttpClientOptions } from '../../../foundation/http/client/http-client.js';
import type { Clock } from '../../../kernel/clock.js';
import { ConnectedErp } from '../connected-erp.js';
import type { CallScope, ErpCall, ErpCaller } from '../erp-call.js';
import type { ErpCompany } from '../erp-ledger.js';
import type { ErpDefinition, ErpContext, ErpSettings } from './define-erp.js';
import type { ErpBatches } from './erp-batches.js';
import { ErpHttp } from './erp-http.js';
import type { ErpStore } from './erp-store.js';

/** What the connector gives to every adapter. */
export interface AdapterSurroundings {
  readonly connectionId: string;
  readonly clock: Clock;
  readonly store: ErpStore;
  readonly log: ErpContext['log'];
  readonly client: Pick<HttpClientOptions, 'publicHostsOnly' | 'circuit'>;
  /** Called with each response that says whether the ERP accepts the credentials. */
  readonly onCredentials?: (isAccepted: boolean) => void;
}

/** An adapter with its connections to one ERP. */
export interface OpenAdapter {
  forCompany(caller: ErpCaller & Pick<ErpCall, 'company'>): ConnectedErp;
  /** @throws ErpUnavailable */
  listCompanies(scope: CallScope): Promise<readonly ErpCompany[]>;
  /** Undefined where entries are not given out as files. @throws ErpUnavailable */
  batches(): ErpBatches | undefined;
  /** Ends the connections; requests under way fail. */
  close(): void;
}

/** @param settings as the schema of the definition admits them, secrets included */
export function openAdapter(
  definition: ErpDefinition,
  settings: ErpSettings,
  { connectionId, clock, store, log, client, onCredentials }: AdapterSurroundings,
): OpenAdapter {
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
      const http = new ErpHttp(options, clock, { ...client, peer: 'erp' }, onCredentials);
      clients.push(http);
      return http;
    },
  });
  return {
    forCompany: (caller) => new ConnectedErp(adapter, capabilities, caller),
    listCompanies: (scope) => adapter.ledger.listCompanies(scope),
    batches: () => adapter.batches?.(),
    close() {
      adapter.close?.();
      clients.forEach((each) => {
        each.close();
      });
    },
  };
}
