// How many requests an ERP lets its connector make: at the same time, and in a minute, over all processes.
import type { CallScope } from '../erp-call.js';
import type { ErpFailure } from '../erp-ledger.js';

/** A request that may be made now. */
export interface ErpRequestSlot {
  /** To be called once, when its response has come, or none will. @param hasResponded with anything but a 5xx */
  release(hasResponded: boolean): void;
}

export abstract class ErpRequestBudget {
  /**
   * Waits until a request may be made; those who ask first go first.
   * @returns why not, when the wait would be longer than the caller has or a request is worth; nothing was sent
   * @throws the signal's reason
   */
  abstract acquire(scope: Pick<CallScope, 'signal' | 'deadline'>): Promise<ErpRequestSlot | ErpFailure>;

  /**
   * No process makes a request for a while: the ERP has asked for it.
   * @param milliseconds from now on
   */
  abstract pause(milliseconds: number): void;
}

/** For adapters outside of the connector's own processes: every request is made at once. */
export class UnlimitedErpRequests extends ErpRequestBudget {
  override acquire(): Promise<ErpRequestSlot> {
    return Promise.resolve({ release: () => undefined });
  }

  override pause(): void {
    // The only caller sees the refusals itself.
  }
}
