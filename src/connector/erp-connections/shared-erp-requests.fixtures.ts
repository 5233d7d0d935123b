// Processes that share the requests to one ERP, with a database and an ERP in memory.
import { Clock } from '../../kernel/clock.js';
import type { ErpFailure } from '../erp/erp-ledger.js';
import type { ErpRequestBudget, ErpRequestSlot } from '../erp/kit/erp-request-budget.js';
import { decideShare, type ErpRequestLimits } from './domain/request-share.js';
import { MAX_WAIT_MS, SharedErpRequests } from './shared-erp-requests.js';

/** Time that passes when a test says so. */
export class SetClock extends Clock {
  private nowMs = 0;
  private sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  override now(): Date {
    return new Date(this.nowMs);
  }

  override monotonicMs(): number {
    return this.nowMs;
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake, reject) => {
      this.sleepers.push({ at: this.nowMs + ms, wake });
      signal?.addEventListener('abort', reject);
    });
  }

  /** Lets everything happen that happens in that time. */
  async pass(ms: number): Promise<void> {
    for (const end = this.nowMs + ms; this.nowMs < end; this.nowMs += 50) {
      const due = this.sleepers.filter(({ at }) => at <= this.nowMs);
      this.sleepers = this.sleepers.filter(({ at }) => at > this.nowMs);
      due.forEach(({ wake }) => {
        wake();
      });
      await new Promise(setImmediate);
    }
  }
}

/** How long an ERP that does not respond is left alone. */
export const OPEN_MS = 5_000;

/** What the database has of one connection. */
export class SharedState {
  readonly holders = new Map<string, { readonly slots: number; readonly wanted: number }>();
  bookedUntilMs = 0;
  pausedUntilMs = 0;
  circuitOpenUntilMs: number | undefined;
  statements = 0;
  /** What the giving back of a share waits for. */
  beforeEnd: Promise<unknown> = Promise.resolve();
  readonly closing = new AbortController();

  constructor(
    private readonly clock: SetClock,
    private readonly limits: ErpRequestLimits,
  ) {}

  process(name: string): SharedErpRequests {
    const shares = {
      take: (request: Parameters<typeof decideShare>[2]) => {
        this.statements += 1;
        const nowMs = this.clock.monotonicMs();
        const rivals = [...this.holders].filter(([other]) => other !== name).map(([, holder]) => holder);
        const state = {
          bookedUntilMs: Math.max(0, this.bookedUntilMs - nowMs),
          pausedUntilMs: Math.max(0, this.pausedUntilMs - nowMs),
          circuitOpenUntilMs: this.circuitOpenUntilMs && this.circuitOpenUntilMs - nowMs,
          rivals,
        };
        const share = decideShare(this.limits, state, request, MAX_WAIT_MS);
        this.bookedUntilMs = nowMs + share.bookedUntilMs;
        if (share.isTrial && share.circuitOpenMs !== undefined) {
          this.circuitOpenUntilMs = nowMs + share.circuitOpenMs;
        }
        this.holders.set(name, { slots: share.slots, wanted: request.wanted });
        return Promise.resolve(share);
      },
      end: async () => {
        await this.beforeEnd;
        this.holders.delete(name);
      },
      pause: (ms: number) => {
        this.pausedUntilMs = this.clock.monotonicMs() + ms;
        return Promise.resolve();
      },
      closeCircuit: () => {
        this.circuitOpenUntilMs = undefined;
        return Promise.resolve();
      },
      reopenCircuit: () => {
        this.circuitOpenUntilMs = this.clock.monotonicMs() + OPEN_MS;
        return Promise.resolve();
      },
    };
    return new SharedErpRequests(shares, this.limits, this.clock, this.closing.signal, (error) => {
      throw error;
    });
  }
}

/** Makes requests to an ERP that takes `durationMs` for each. */
export class Erp {
  readonly begun: number[] = [];
  readonly failures: ErpFailure[] = [];
  isSilent = false;
  underWay = 0;
  mostUnderWay = 0;

  constructor(
    private readonly clock: SetClock,
    private readonly durationMs: number,
  ) {}

  async call(requests: ErpRequestBudget, leftMs = 120_000): Promise<void> {
    const deadline = new Date(this.clock.now().getTime() + leftMs);
    const slot = await requests.acquire({ signal: new AbortController().signal, deadline });
    if ('kind' in slot) {
      this.failures.push(slot);
      return;
    }
    await this.respond(slot);
  }

  /** One after the other. */
  async callOften(requests: SharedErpRequests, times: number): Promise<void> {
    for (let done = 0; done < times; done += 1) {
      await this.call(requests);
    }
  }

  private async respond(slot: ErpRequestSlot): Promise<void> {
    this.begun.push(this.clock.monotonicMs());
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await this.clock.sleep(this.durationMs);
    this.underWay -= 1;
    slot.release(!this.isSilent);
  }

  mostInAMinute(): number {
    return Math.max(...this.begun.map((at) => this.begun.filter((one) => at <= one && one < at + 60_000).length));
  }
}
