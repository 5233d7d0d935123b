import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import { HttpClient } from '../foundation/http/client/http-client.js';
import { ConnectorConfig } from './connector-config.js';
import { CIRCUIT, MEGABYTE } from './connector-program.js';
import { ErpLedger } from './erp/erp-ledger.js';
import { ErpReferenceData } from './erp/erp-reference-data.js';
import { LedgerCopy } from './erp/ledger/ledger-copy.js';
import { LedgerErp } from './erp/ledger/ledger-erp.adapter.js';
import { LedgerReferenceData } from './erp/ledger/ledger-reference-data.js';

/** Both ports to an ERP, by one adapter. */
interface ErpAdapter extends OnApplicationShutdown {
  readonly erp: ErpLedger;
  readonly erpReferenceData: ErpReferenceData;
}

const ERP_ADAPTER = Symbol('adapter of the ERP');

/** What each value of `ERP_ADAPTER` connects to (docs/erp-adapters.md). */
const ERP_ADAPTERS: Readonly<
  Record<ConnectorConfig['erp']['adapter'], (config: ConnectorConfig['erp']) => ErpAdapter>
> = {
  ledger({ ledgerUrl, ledgerApiKey: apiKey, capability }) {
    const erp = new LedgerErp({ url: ledgerUrl, apiKey, capability, circuit: CIRCUIT });
    // Whole lists of master data are read beside the postings, and never delay them.
    const masterData = new HttpClient({
      peer: 'erp-master-data',
      baseUrl: ledgerUrl,
      timeoutMs: 20_000,
      maxResponseBytes: 10 * MEGABYTE,
      maxConnections: 4,
      circuit: CIRCUIT,
    });
    return {
      erp,
      erpReferenceData: new LedgerReferenceData(masterData, apiKey),
      onApplicationShutdown() {
        erp.close();
        masterData.close();
      },
    };
  },
};

export const ERP_PROVIDERS: readonly Provider[] = [
  {
    provide: ERP_ADAPTER,
    inject: [ConnectorConfig],
    useFactory: ({ erp }: ConnectorConfig) => ERP_ADAPTERS[erp.adapter](erp),
  },
  { provide: ErpLedger, inject: [ERP_ADAPTER], useFactory: ({ erp }: ErpAdapter) => erp },
  {
    provide: ErpReferenceData,
    inject: [ERP_ADAPTER],
    useFactory: ({ erpReferenceData }: ErpAdapter) => erpReferenceData,
  },
];

/** Creates companies without any entry, for postings that are replayed. */
export function createLedgerCopy({ erp }: ConnectorConfig): LedgerCopy {
  return new LedgerCopy(erp.ledgerUrl, erp.ledgerApiKey);
}
