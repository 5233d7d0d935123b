// Ways to an ERP without a stored connection: the ledger over HTTP, or one ERP that every installation is connected to.
import { SystemClock } from '../../src/foundation/clock/system-clock.js';
import { ConnectedErp, type ConnectedSurroundings } from '../../src/connector/erp/connected-erp.js';
import { ErpConnections } from '../../src/connector/erp/erp-connections.js';
import type { CallScope, ErpCaller } from '../../src/connector/erp/erp-call.js';
import type { PostingGuarantee, ErpCompany, ErpLedger } from '../../src/connector/erp/erp-ledger.js';
import type { ErpReferenceData } from '../../src/connector/erp/erp-reference-data.js';
import { ledger, ledgerCapabilities } from '../../src/connector/erp/ledger/ledger.erp.js';
import type { ErpCapabilities } from '../../src/connector/erp/kit/capabilities.js';
import { defineErp, ERP_API_VERSION, textSetting, type ErpDefinition } from '../../src/connector/erp/kit/define-erp.js';
import { CachedMasterData } from '../../src/connector/erp/kit/cached-master-data.js';
import { openAdapter, type OpenAdapter } from '../../src/connector/erp/kit/open-adapter.js';
import type { Clock } from '../../src/kernel/clock.js';
import { toErpCompanyId, type ErpCompanyId, type InstallationId } from '../../src/kernel/ids.js';
import { FakeMasterData } from './fake-master-data.js';
import { MemoryErpStore } from '../../src/erp-contract/memory-erp-store.js';

const PATIENCE_MS = 20_000;

/** @param patienceMs of each call */
export function patientCaller(patienceMs = PATIENCE_MS): ErpCaller {
  return {
    signal: new AbortController().signal,
    deadline: () => new Date(Date.now() + patienceMs),
    assertOwner: () => undefined,
  };
}

export function callScope(): CallScope {
  const caller = patientCaller();
  return { ...caller, deadline: caller.deadline() };
}

/** The adapter of a ledger that runs at an address. */
export function openLedgerAdapter(
  url: string,
  apiKey: string,
  guarantee: PostingGuarantee = { level: 'permanent-key' },
  clock: Clock = new SystemClock(),
): OpenAdapter {
  return openAdapter(
    ledger,
    { url, apiKey, guarantee: { ...guarantee } },
    {
      connectionId: 'one',
      clock,
      store: new MemoryErpStore(),
      log: () => undefined,
      client: {},
      cache: new CachedMasterData().of('one'),
    },
  );
}

/** The same ERP for every installation; its level is read anew whenever it is opened. */
export class OneErp extends ErpConnections {
  constructor(
    private readonly erp: ErpLedger & {
      readonly guarantee: PostingGuarantee;
      readonly outcomeLater?: ErpCapabilities['outcomeLater'];
    },
    private readonly referenceData: ErpReferenceData = new FakeMasterData(),
    private readonly limits: Partial<ErpCapabilities['limits']> = {},
    private readonly cache?: ConnectedSurroundings['cache'],
    private readonly clock: Clock = new SystemClock(),
  ) {
    super();
  }

  override open(_: InstallationId, company: ErpCompanyId, caller: Partial<ErpCaller> = {}): Promise<ConnectedErp> {
    return Promise.resolve(this.forCompany(company, caller));
  }

  override listCompanies(): Promise<readonly ErpCompany[]> {
    return this.erp.listCompanies(callScope());
  }

  forCompany(company: ErpCompanyId = toErpCompanyId('erp-company'), caller: Partial<ErpCaller> = {}): ConnectedErp {
    const adapter = { ledger: this.erp, referenceData: this.referenceData };
    const calls = { ...patientCaller(), ...caller, company };
    const { guarantee, outcomeLater } = this.erp;
    const capabilities = {
      ...ledgerCapabilities(guarantee),
      ...(outcomeLater && { outcomeLater }),
      ...(this.cache && { masterData: { reusableForMs: 60_000 } }),
    };
    return new ConnectedErp(adapter, { ...capabilities, limits: { ...capabilities.limits, ...this.limits } }, calls, {
      clock: this.clock,
      during: (call) => call(),
      findUploadedRates: () => Promise.resolve([]),
      cache: this.cache,
    });
  }
}

/** That ERP as a kind that can be connected, wherever its settings say it is. */
export function fakeErpKind(erp: ErpLedger & { readonly guarantee: PostingGuarantee }): ErpDefinition {
  return defineErp({
    id: 'fake',
    name: 'An ERP of the tests',
    apiVersion: ERP_API_VERSION,
    connection: {
      schema: {
        type: 'object',
        required: ['place', 'password'],
        additionalProperties: false,
        properties: { place: { type: 'string' }, password: { type: 'string', minLength: 8 } },
      },
      secrets: ['password'],
    },
    capabilities: () => ledgerCapabilities(erp.guarantee),
    systemOf: (settings) => textSetting(settings, 'place'),
    create: () => ({ ledger: erp, referenceData: new FakeMasterData() }),
  });
}

/** The companies of an open adapter for every installation. */
export class OneAdapter extends ErpConnections {
  constructor(private readonly adapter: OpenAdapter) {
    super();
  }

  override open(_: InstallationId, company: ErpCompanyId, caller: Partial<ErpCaller> = {}): Promise<ConnectedErp> {
    return Promise.resolve(this.adapter.forCompany({ ...patientCaller(), ...caller, company }));
  }

  override listCompanies(): Promise<readonly ErpCompany[]> {
    return this.adapter.listCompanies(callScope());
  }
}
