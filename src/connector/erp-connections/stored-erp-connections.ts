// Opens the ERP of an installation: one adapter per connection and version in this process, forgotten when nobody has used
// it for a while. What an ERP says to its credentials is kept with the connection.
import type { OnApplicationShutdown } from '@nestjs/common';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { CircuitOptions } from '../../foundation/http/client/http-client.js';
import type { AppLogger } from '../../foundation/logging/app-logger.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import type { ConnectedErp } from '../erp/connected-erp.js';
import { ErpConnections } from '../erp/erp-connections.js';
import type { CallScope, ErpCaller } from '../erp/erp-call.js';
import { ErpUnavailable, type ErpCompany } from '../erp/erp-ledger.js';
import type { ErpSettings } from '../erp/kit/define-erp.js';
import type { ErpBatches } from '../erp/kit/erp-batches.js';
import { openAdapter, type OpenAdapter } from '../erp/kit/open-adapter.js';
import type { DataKeyRepository } from '../installations/credentials/data-key.repository.js';
import { parseCompanyRef } from './domain/company-ref.js';
import type { ErpConnectionRepository, StoredErpConnection } from './erp-connection.repository.js';
import type { ErpKinds } from './erp-kinds.js';
import { PostgresErpStore } from './postgres-erp-store.js';

const CALL_MS = 120_000;
const IDLE_MS = 10 * 60_000;
const MAX_OPEN = 500;
/** A success is stored at most that often. */
const SUCCESS_EVERY_MS = 60_000;

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

interface Opened {
  readonly adapter: OpenAdapter;
  readonly version: number;
  usedAtMs: number;
}

const NOT_CONNECTED = new ErpUnavailable({
  kind: 'authentication',
  message: 'no accounting system is connected: connect one in the connector’s settings',
});

export class StoredErpConnections extends ErpConnections implements OnApplicationShutdown {
  private readonly opened = new Map<string, Opened>();
  private readonly succeededAtMs = new Map<string, number>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly repository: ErpConnectionRepository,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly erpKinds: ErpKinds,
    private readonly clock: Clock,
    private readonly surroundings: { readonly appLogger: AppLogger; readonly options: ErpRuntimeOptions },
  ) {
    super();
  }

  override async open(
    installationId: InstallationId,
    ref: ErpCompanyId,
    caller: Partial<ErpCaller> = {},
  ): Promise<ConnectedErp> {
    const { generation, company } = parseCompanyRef(ref);
    const stored = await this.load(installationId, (tx) => this.repository.find(tx, installationId, generation));
    return this.adapterOf(installationId, stored).forCompany({ ...this.caller(), ...caller, company });
  }

  override async listCompanies(installationId: InstallationId): Promise<readonly ErpCompany[]> {
    const stored = await this.load(installationId, (tx) => this.repository.findCurrent(tx, installationId));
    return this.adapterOf(installationId, stored).listCompanies(this.callScope());
  }

  /**
   * @returns undefined when the present connection gives out no files, or there is none
   * @throws ErpUnavailable
   */
  async openBatches(installationId: InstallationId): Promise<ErpBatches | undefined> {
    const stored = await this.load(installationId, (tx) => this.repository.findCurrent(tx, installationId));
    return stored && this.adapterOf(installationId, stored).batches();
  }

  /**
   * An adapter for settings that are not stored (yet); the caller closes it.
   * @throws ErpUnavailable for an unknown kind
   */
  openUnstored(installationId: InstallationId, kind: string, settings: ErpSettings): OpenAdapter {
    return this.openKind(installationId, 0, kind, settings, () => undefined);
  }

  /** For whom nobody else can own anything: two minutes. */
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

  onApplicationShutdown(): void {
    for (const { adapter } of this.opened.values()) {
      adapter.close();
    }
  }

  /** Of a connection whose key was destroyed with an uninstallation nothing can be read any more. */
  private async load(
    installationId: InstallationId,
    find: (tx: Tx) => Promise<StoredErpConnection | undefined>,
  ): Promise<StoredErpConnection | undefined> {
    try {
      return await this.tenantDatabase.inInstallation('find ERP connection', installationId, find);
    } catch (error) {
      if (error instanceof Permanent) {
        throw NOT_CONNECTED;
      }
      throw error;
    }
  }

  private adapterOf(installationId: InstallationId, stored: StoredErpConnection | undefined): OpenAdapter {
    const { defaultErp } = this.surroundings.options;
    if (stored === undefined && defaultErp === undefined) {
      throw NOT_CONNECTED;
    }
    const key = stored === undefined ? 'default' : `${installationId}/${stored.generation.toString()}`;
    const version = stored?.version ?? 0;
    const nowMs = this.clock.monotonicMs();
    const known = this.opened.get(key);
    if (known?.version === version) {
      known.usedAtMs = nowMs;
      return known.adapter;
    }
    this.dropIdle(nowMs);
    const adapter =
      stored === undefined
        ? this.openKind(installationId, 0, defaultErp?.kind ?? '', defaultErp?.settings ?? {}, () => undefined)
        : this.openKind(
            installationId,
            stored.generation,
            stored.kind,
            { ...stored.settings, ...stored.secrets },
            (isAccepted) => {
              this.recordAcceptance(installationId, stored, isAccepted);
            },
          );
    this.opened.set(key, { adapter, version, usedAtMs: nowMs });
    return adapter;
  }

  private openKind(
    installationId: InstallationId,
    generation: number,
    kind: string,
    settings: ErpSettings,
    onCredentials: (isAccepted: boolean) => void,
  ): OpenAdapter {
    const definition = this.erpKinds.find(kind);
    if (definition === undefined) {
      throw new ErpUnavailable({
        kind: 'unreachable',
        message: `the adapter "${kind}" is not installed here: its operator has to add it`,
      });
    }
    const { appLogger, options } = this.surroundings;
    return openAdapter(definition, settings, {
      connectionId: `${installationId}-${generation.toString()}`,
      clock: this.clock,
      store: new PostgresErpStore(this.tenantDatabase, this.dataKeyRepository, installationId, generation),
      log: (level, event, fields) => {
        appLogger.of('erp')[level]({ ...fields, installationId, kind }, event);
      },
      client: { publicHostsOnly: options.publicHostsOnly, circuit: options.circuit },
      onCredentials,
    });
  }

  /** In the background: a call to the ERP does not wait for our own record of how it went. */
  private recordAcceptance(
    installationId: InstallationId,
    { generation, version, state }: StoredErpConnection,
    isAccepted: boolean,
  ): void {
    const key = `${installationId}/${generation.toString()}`;
    const nowMs = this.clock.monotonicMs();
    const isNews =
      !isAccepted || state !== 'ok' || nowMs - (this.succeededAtMs.get(key) ?? -Infinity) > SUCCESS_EVERY_MS;
    if (!isNews) {
      return;
    }
    this.succeededAtMs.set(key, isAccepted ? nowMs : -Infinity);
    const recorded = this.tenantDatabase.inInstallation('record ERP sign-in', installationId, (tx) =>
      isAccepted
        ? this.repository.markSuccess(tx, installationId, generation, version)
        : this.repository.markRefused(tx, installationId, generation, version, REFUSED),
    );
    recorded.catch((error: unknown) => {
      this.surroundings.appLogger.of('erp').warn({ err: error, installationId }, 'erp_connection.not_recorded');
    });
  }

  /** A run that still uses one goes on with it; its connections end when nobody does. */
  private dropIdle(nowMs: number): void {
    for (const [key, { usedAtMs }] of this.opened) {
      if (nowMs - usedAtMs > IDLE_MS || this.opened.size >= MAX_OPEN) {
        this.opened.delete(key);
      }
    }
  }
}

const REFUSED =
  'The accounting system does not accept the connector’s credentials any more. Renew them in the connector’s settings; exports continue by themselves.';
