// Opens the ERP of an installation: one adapter per connection and version in this process. What an ERP says to its
// credentials is stored with the connection.
import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { CircuitOptions } from '../../foundation/http/client/http-client.js';
import type { Logger } from '../../foundation/logging/logger.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import type { ConnectedErp } from '../erp/connected-erp.js';
import { ErpConnections } from '../erp/erp-connections.js';
import type { CallScope, ErpCaller } from '../erp/erp-call.js';
import { ErpUnavailable, type ErpCompany } from '../erp/erp-ledger.js';
import type { ErpDefinition, ErpSettings } from '../erp/kit/define-erp.js';
import type { ErpAccess } from '../erp/kit/erp-access.js';
import type { ErpBatches } from '../erp/kit/erp-batches.js';
import { CachedMasterData, type ConnectionCache } from '../erp/kit/cached-master-data.js';
import { ListsInMemory } from '../erp/kit/lists-in-memory.js';
import { openAdapter, type OpenAdapter } from '../erp/kit/open-adapter.js';
import type { DataKeyRepository } from '../installations/credentials/data-key.repository.js';
import { parseCompanyRef } from './domain/company-ref.js';
import type { ErpConnectionRepository, StoredErpConnection } from './erp-connection.repository.js';
import type { ErpKinds } from './erp-kinds.js';
import { OpenAdapters } from './open-adapters.js';
import type { RateTableRepository } from './rates/rate-table.repository.js';
import { PostgresErpStore } from './postgres-erp-store.js';
import type { RecordErpHealth } from './record-erp-health.js';
import type { ErpTokens } from './sign-in/erp-tokens.js';
import type { ShareErpRequests } from './share-erp-requests.js';

const CALL_MS = 120_000;
/** The ERP of installations without a connection of their own, in the sandbox. */
export interface DefaultErp {
  readonly kind: string;
  readonly settings: ErpSettings;
}

export interface ErpRuntimeOptions {
  /** Undefined in production: each installation has a connection of its own. */
  readonly defaultErp: DefaultErp | undefined;
  /** Whether adapters may call hosts of the internet only. */
  readonly publicHostsOnly: boolean;
  readonly circuit: CircuitOptions;
}

/** What connections are opened with, besides what the database has of them. */
export interface ErpSurroundings {
  readonly dataKeyRepository: DataKeyRepository;
  readonly erpConnectionRepository: ErpConnectionRepository;
  readonly rateTableRepository: RateTableRepository;
  readonly shareErpRequests: ShareErpRequests;
  readonly recordErpHealth: RecordErpHealth;
  readonly erpTokens: ErpTokens;
  readonly options: ErpRuntimeOptions;
  readonly logger: Logger;
}

interface OpenOptions {
  readonly isTrial?: boolean;
  readonly storeNumber?: number;
  readonly cache?: ConnectionCache;
  readonly access?: ErpAccess | undefined;
  readonly onCredentials?: (isAccepted: boolean) => void;
  readonly onSilence?: () => void;
}

const NOT_CONNECTED = new ErpUnavailable({
  kind: 'authentication',
  message: 'no accounting system is connected: connect one at Set-up in the connector',
});

export class StoredErpConnections extends ErpConnections implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly openAdapters = new OpenAdapters();
  private readonly cachedMasterData = new CachedMasterData();
  private readonly listsInMemory = new Map<InstallationId, ListsInMemory>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpKinds: ErpKinds,
    private readonly clock: Clock,
    private readonly surroundings: ErpSurroundings,
  ) {
    super();
  }

  override async open(
    installationId: InstallationId,
    ref: ErpCompanyId,
    caller: Partial<ErpCaller> = {},
  ): Promise<ConnectedErp> {
    const { generation, company } = parseCompanyRef(ref);
    const stored = await this.load(installationId, (tx) =>
      this.surroundings.erpConnectionRepository.find(tx, installationId, generation),
    );
    return this.adapterOf(installationId, stored).forCompany({ ...this.caller(), ...caller, company });
  }

  override async listCompanies(installationId: InstallationId): Promise<readonly ErpCompany[]> {
    const stored = await this.load(installationId, (tx) =>
      this.surroundings.erpConnectionRepository.findCurrent(tx, installationId),
    );
    return this.adapterOf(installationId, stored).listCompanies(this.callScope());
  }

  /**
   * @returns undefined when the present connection gives out no files, or there is none
   * @throws ErpUnavailable
   */
  async openBatches(installationId: InstallationId): Promise<ErpBatches | undefined> {
    const stored = await this.load(installationId, (tx) =>
      this.surroundings.erpConnectionRepository.findCurrent(tx, installationId),
    );
    return stored && this.adapterOf(installationId, stored).batches();
  }

  /**
   * An adapter for settings that are not stored (yet); the caller closes it.
   * @throws ErpUnavailable for an unknown kind
   */
  openUnstored(installationId: InstallationId, kind: string, settings: ErpSettings, access?: ErpAccess): OpenAdapter {
    return this.openKind(installationId, 0, kind, settings, { access });
  }

  /**
   * @param current the present connection, where it leads to the same ERP
   * @returns undefined where the settings have the credentials
   */
  accessFor(
    installationId: InstallationId,
    {
      definition,
      settings,
      current,
    }: {
      readonly definition: ErpDefinition;
      readonly settings: ErpSettings;
      readonly current: StoredErpConnection | undefined;
    },
  ): ErpAccess | 'needs-sign-in' | undefined {
    const { erpTokens } = this.surroundings;
    if (!erpTokens.isNeeded(definition, settings)) {
      return undefined;
    }
    // Tokens that do not exist, or are refused, are no settings' fault: then the person signs in.
    return (current && erpTokens.accessOf(installationId, definition, current)) ?? 'needs-sign-in';
  }

  /**
   * An adapter of its own for a stored connection; the caller closes it.
   * @param isTrial also calls an ERP that is left alone because it does not respond
   * @throws ErpUnavailable for an unknown kind
   */
  openStored(installationId: InstallationId, stored: StoredErpConnection, isTrial = false): OpenAdapter {
    const { recordErpHealth, options } = this.surroundings;
    const { generation, version, kind, settings, secrets, storeNumber } = stored;
    const definition = this.erpKinds.find(kind);
    return this.openKind(
      installationId,
      generation,
      kind,
      { ...settings, ...secrets },
      {
        isTrial,
        storeNumber,
        cache: this.cachedMasterData.of(`${installationId}/${generation.toString()}/${version.toString()}`),
        access: definition && this.surroundings.erpTokens.accessOf(installationId, definition, stored),
        onCredentials: (isAccepted) => {
          recordErpHealth.recordAcceptance(installationId, stored, isAccepted);
        },
        onSilence: () => {
          recordErpHealth.recordSilence(installationId, stored, options.circuit.openMs);
        },
      },
    );
  }

  /** For callers without a lease: two minutes. */
  caller(): ErpCaller {
    return {
      signal: new AbortController().signal,
      deadline: () => new Date(this.clock.now().getTime() + CALL_MS),
      assertOwner: () => undefined,
    };
  }

  callScope(): CallScope {
    const caller = this.caller();
    return { ...caller, deadline: caller.deadline() };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.surroundings.erpTokens.finish();
  }

  onApplicationShutdown(): void {
    this.openAdapters.closeAll();
    this.surroundings.shareErpRequests.closeAll();
  }

  /** Of a connection whose key was destroyed with an uninstallation nothing can be read any more. */
  private async load(
    installationId: InstallationId,
    find: (tx: Tx) => Promise<StoredErpConnection | undefined>,
  ): Promise<StoredErpConnection | undefined> {
    try {
      return await this.tenantDatabase.readOnce('find ERP connection', installationId, find);
    } catch (error) {
      if (error instanceof Permanent) {
        throw NOT_CONNECTED;
      }
      throw error;
    }
  }

  private adapterOf(installationId: InstallationId, stored: StoredErpConnection | undefined): OpenAdapter {
    const { defaultErp } = this.surroundings.options;
    if (stored !== undefined) {
      const key = `${installationId}/${stored.generation.toString()}`;
      return this.openAdapters.get(key, stored.version, () => this.openStored(installationId, stored));
    }
    if (defaultErp === undefined) {
      throw NOT_CONNECTED;
    }
    const { kind, settings } = defaultErp;
    const cache = this.cachedMasterData.of('default');
    return this.openAdapters.get('default', 0, () => this.openKind(installationId, 0, kind, settings, { cache }));
  }

  private openKind(
    installationId: InstallationId,
    generation: number,
    kind: string,
    settings: ErpSettings,
    { isTrial, storeNumber = 1, cache, access, onCredentials, onSilence }: OpenOptions,
  ): OpenAdapter {
    const definition = this.erpKinds.find(kind);
    if (definition === undefined) {
      throw new ErpUnavailable({
        kind: 'unreachable',
        message: `the adapter "${kind}" is not installed here: its operator has to add it`,
      });
    }
    const { dataKeyRepository, rateTableRepository, shareErpRequests, options, logger } = this.surroundings;
    const requests = shareErpRequests.of(installationId, generation, definition.capabilities(settings).limits);
    return openAdapter(definition, settings, {
      connectionId: [installationId, generation, ...(storeNumber === 1 ? [] : [storeNumber])].join('-'),
      clock: this.clock,
      store: new PostgresErpStore(this.tenantDatabase, dataKeyRepository, installationId, generation),
      findUploadedRates: (request) =>
        this.tenantDatabase.readOnce('find rates', installationId, (tx) =>
          rateTableRepository.findRates(tx, installationId, request),
        ),
      log: (level, event, fields) => {
        logger[level]({ ...fields, installationId, kind }, event);
      },
      client: {
        publicHostsOnly: options.publicHostsOnly,
        circuit: { ...options.circuit, ...(onSilence && { onOpen: onSilence }) },
      },
      lists: this.listsOf(installationId),
      requestBudget: isTrial === true ? requests.forTrial() : requests,
      ...(cache && { cache }),
      ...(onCredentials && { onCredentials }),
      ...(access && { access }),
    });
  }

  private listsOf(installationId: InstallationId): ListsInMemory {
    const lists = this.listsInMemory.get(installationId) ?? new ListsInMemory();
    this.listsInMemory.set(installationId, lists);
    return lists;
  }
}
