import { randomUUID } from 'node:crypto';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Logger } from '../../foundation/logging/logger.js';
import type { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpRequestLimits } from './domain/request-share.js';
import type { ErpRequestBudgetRepository } from './erp-request-budget.repository.js';
import { SILENT_FOR_MS } from './record-erp-health.js';
import { MAX_WAIT_MS, SharedErpRequests, type ErpRequestShares } from './shared-erp-requests.js';

/** The request budget of each connection, as this process has its share of it. */
export class ShareErpRequests {
  private readonly byConnection = new Map<string, { readonly requests: SharedErpRequests; readonly limits: string }>();
  private readonly closed = new AbortController();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpRequestBudgetRepository: ErpRequestBudgetRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Milliseconds in which an ERP that does not respond is left alone. */
    private readonly openMs: number,
  ) {}

  /**
   * An adapter that replaces another makes its requests from the same share.
   * @param generation 0 for settings that are not stored: their few requests count in this process alone
   */
  of(installationId: InstallationId, generation: number, limits: ErpRequestLimits): SharedErpRequests {
    if (generation === 0) {
      return this.begin(aloneWith(limits), limits);
    }
    const key = `${installationId}/${generation.toString()}`;
    const known = this.byConnection.get(key);
    const text = JSON.stringify(limits);
    if (known?.limits === text) {
      return known.requests;
    }
    const requests = this.begin(this.sharesOf(installationId, generation, limits), limits);
    this.byConnection.set(key, { requests, limits: text });
    return requests;
  }

  /** Of settings that are not stored, too. Running requests are not waited for. */
  closeAll(): void {
    this.closed.abort();
  }

  private begin(shares: ErpRequestShares, limits: ErpRequestLimits): SharedErpRequests {
    return new SharedErpRequests(shares, limits, this.clock, this.closed.signal, (error) => {
      this.logger.warn({ err: error }, 'erp_requests.share_not_renewed');
    });
  }

  private sharesOf(installationId: InstallationId, generation: number, limits: ErpRequestLimits): ErpRequestShares {
    const repository = this.erpRequestBudgetRepository;
    const holder = { installationId, generation, holder: randomUUID() };
    const inInstallation = <T>(label: string, work: (tx: Tx) => Promise<T>) =>
      this.tenantDatabase.inInstallation(label, installationId, work);
    return {
      take: (request) =>
        inInstallation('take ERP requests', (tx) => repository.takeShare(tx, holder, limits, request, MAX_WAIT_MS)),
      end: () => inInstallation('end ERP requests', (tx) => repository.endShare(tx, holder)),
      pause: (milliseconds) => inInstallation('pause ERP requests', (tx) => repository.pause(tx, holder, milliseconds)),
      closeCircuit: () =>
        inInstallation('close ERP circuit', (tx) => repository.markResponding(tx, installationId, generation)),
      reopenCircuit: () =>
        inInstallation('reopen ERP circuit', (tx) =>
          repository.markSilent(tx, installationId, generation, { openMs: this.openMs, shownMs: SILENT_FOR_MS }),
        ),
    };
  }
}

function aloneWith({ concurrentRequests }: ErpRequestLimits): ErpRequestShares {
  const unlimited = {
    booked: Number.MAX_SAFE_INTEGER,
    firstInMs: 0,
    spacingMs: 0,
    bookedUntilMs: 0,
    pausedMs: 0,
    circuitOpenMs: undefined,
    isTrial: false,
  };
  return {
    take: () => Promise.resolve({ slots: concurrentRequests, ...unlimited }),
    end: () => Promise.resolve(),
    pause: () => Promise.resolve(),
    closeCircuit: () => Promise.resolve(),
    reopenCircuit: () => Promise.resolve(),
  };
}
