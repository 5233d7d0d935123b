// Who calls an ERP, and for how long: every request of an adapter is made for a caller that may lose the right to make it.
import type { ErpCompanyId } from '../../kernel/ids.js';

/** What a request to an ERP has to respect. */
export interface CallScope {
  /** Fires when the caller has stopped: the request in flight is finished, no other is begun. */
  readonly signal: AbortSignal;
  /** UTC. No request is begun after it, and none goes on for longer. */
  readonly deadline: Date;
  /**
   * To be called immediately before each request that may change something in the ERP. A worker that was frozen wakes up
   * between two requests without knowing that another one has taken over (I15).
   * @throws LeaseLost when the caller no longer owns what it works on; the adapter lets it through
   */
  assertOwner(): void;
}

/** Who calls, for all calls that follow. */
export interface ErpCaller extends Omit<CallScope, 'deadline'> {
  /** For a call that begins now; UTC. */
  deadline(): Date;
}

/** A call for one company of the ERP. */
export interface ErpCall extends CallScope {
  readonly company: ErpCompanyId;
}
