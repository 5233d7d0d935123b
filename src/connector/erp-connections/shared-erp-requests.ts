// The requests of this process to one ERP. It requests a share from the database when it begins, every two seconds while it makes
// requests, and when what it has booked is used up: so a request costs no statement of its own, and what another process
// learns (a requested pause, slots to release) is known here within those two seconds.
import type { CallScope } from '../erp/erp-call.js';
import type { ErpFailure } from '../erp/erp-ledger.js';
import { sustainedPerMinute } from '../erp/domain/request-rate.js';
import { ErpRequestBudget, type ErpRequestSlot } from '../erp/kit/erp-request-budget.js';
import type { Clock } from '../../kernel/clock.js';
import { BOOKED_FOR_MS, type ErpRequestLimits, type RequestShare, type ShareRequest } from './domain/request-share.js';

/** After it, a new share is requested before another request is made. */
const SHARE_LIFETIME_MS = 2_000;
/** While requests are under way: well before the share ends in the database. */
const RENEW_EVERY_MS = 5_000;
/** Between two attempts while all slots belong to other processes. */
const NO_SLOT_RETRY_MS = 250;
/** Longest wait in front of a request; a caller that would wait longer plans again. */
export const MAX_WAIT_MS = 60_000;
/** A process that had a response within it does not believe another that had none. */
const RECENT_RESPONSE_MS = 5_000;
const NOT_RESPONDING = 'not sent: the accounting system has not responded for a while and is tried again in a moment';
const PAUSED = 'the accounting system has asked the connector to wait before it makes more requests';
const BOOKED_OUT = 'as many requests as the accounting system takes in a minute are booked already';
const NO_FREE_SLOT = 'as many requests as the accounting system takes at the same time are under way';

/** How a process gets its share and gives it back. */
export interface ErpRequestShares {
  take(request: ShareRequest): Promise<RequestShare>;
  end(): Promise<void>;
  pause(milliseconds: number): Promise<void>;
  /** The ERP responds: every process may call it. */
  closeCircuit(): Promise<void>;
  /** The request that was to find out whether the ERP responds again had no response: it is left alone for another while. */
  reopenCircuit(): Promise<void>;
}

/** The request may be made, is made for all to find out whether the ERP responds again, or is not made. */
type Turn = 'go' | 'try' | ErpFailure;

interface Waiting {
  /** Monotonic. */
  readonly deadlineMs: number;
  readonly isTrial: boolean;
  resolve(turn: Turn): void;
  reject(error: unknown): void;
}

/** The ERP has not responded to some process. */
interface OpenCircuit {
  /** Monotonic; after it one request of one process is made. */
  readonly untilMs: number;
  /** That request is this process's to make. */
  readonly isOurTrial: boolean;
}

/** Requests of a minute that were booked together. */
interface Booking extends Pick<RequestShare, 'booked' | 'firstInMs' | 'spacingMs'> {
  /** Monotonic. */
  readonly atMs: number;
  left: number;
}

/** Slots for requests at the same time. */
interface Slots {
  readonly count: number;
  readonly wanted: number;
  /** Monotonic. */
  readonly takenAtMs: number;
}

export class SharedErpRequests extends ErpRequestBudget {
  private readonly waiting = new Set<Waiting>();
  private underWay = 0;
  private slots: Slots | undefined;
  private booking: Booking | undefined;
  private nextBooking = 1;
  private pausedUntilMs = -Infinity;
  private circuit: OpenCircuit | undefined;
  /** The request is under way that finds out whether the ERP responds again. */
  private isTrying = false;
  private respondedAtMs = -Infinity;
  /** The one loop that serves those who wait, while there are any. */
  private serving: Promise<void> | undefined;
  private renewing: Promise<void> | undefined;
  private taking: Promise<void> | undefined;
  /** Ends a pause of that loop: a slot was released, or another request waits. */
  private wake: () => void = () => undefined;

  /**
   * @param closed the process stops: slots are given back without waiting for running requests
   * @param onError of what goes on in the background
   */
  constructor(
    private readonly shares: ErpRequestShares,
    private readonly limits: ErpRequestLimits,
    private readonly clock: Clock,
    private readonly closed: AbortSignal,
    private readonly onError: (error: unknown) => void,
  ) {
    super();
  }

  override async acquire(
    { signal, deadline }: Pick<CallScope, 'signal' | 'deadline'>,
    isTrial = false,
  ): Promise<ErpRequestSlot | ErpFailure> {
    signal.throwIfAborted();
    const leftMs = deadline.getTime() - this.clock.now().getTime();
    const deadlineMs = this.clock.monotonicMs() + Math.min(leftMs, MAX_WAIT_MS);
    const turn = await this.waitForTurn({ deadlineMs, isTrial }, signal);
    if (turn !== 'go' && turn !== 'try') {
      return turn;
    }
    return {
      release: (hasResponded) => {
        this.underWay -= 1;
        if (hasResponded) {
          this.noteResponse();
        } else if (turn === 'try') {
          this.noteFailedTrial();
        }
        this.wake();
      },
    };
  }

  /** The same budget for a request that probes whether the ERP responds again. */
  forTrial(): ErpRequestBudget {
    return {
      acquire: (scope) => this.acquire(scope, true),
      pause: (milliseconds) => {
        this.pause(milliseconds);
      },
    };
  }

  override pause(milliseconds: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.monotonicMs() + milliseconds);
    this.shares.pause(milliseconds).catch(this.onError);
  }

  /** Those who ask first go first. */
  private async waitForTurn(wanted: Pick<Waiting, 'deadlineMs' | 'isTrial'>, signal: AbortSignal): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const request = { ...wanted, resolve, reject };
    const abort = () => {
      this.waiting.delete(request);
      reject(signal.reason);
      this.wake();
    };
    signal.addEventListener('abort', abort, { once: true });
    this.waiting.add(request);
    this.wake();
    this.serving ??= this.serveAll();
    this.renewing ??= this.renewUntilIdle();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private async serveAll(): Promise<void> {
    try {
      for (let [first] = this.waiting; first !== undefined; [first] = this.waiting) {
        await this.serve(first);
      }
    } catch (error) {
      for (const request of this.waiting) {
        request.reject(error);
      }
      this.waiting.clear();
    } finally {
      // At the same moment as it was seen that no request waits: one that comes later finds no loop, and begins another.
      this.serving = undefined;
    }
  }

  /** Lets it make its request, or refuses it, or waits for what it needs. */
  private async serve(first: Waiting): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    const { slots, booking, circuit } = this;
    if (slots === undefined || booking === undefined || this.needsShare(slots, booking, nowMs)) {
      await this.takeShare();
      return;
    }
    const isLeftAlone = circuit !== undefined && !first.isTrial && nowMs - this.respondedAtMs > RECENT_RESPONSE_MS;
    if (isLeftAlone && circuit.untilMs <= nowMs) {
      await this.takeShare();
      return;
    }
    if (isLeftAlone && !circuit.isOurTrial) {
      this.refuse(first, 'unreachable', NOT_RESPONDING, circuit.untilMs - nowMs);
      return;
    }
    if (this.pausedUntilMs > nowMs) {
      await this.waitUntil(first, this.pausedUntilMs, PAUSED);
      return;
    }
    if (timeOfNext(booking) > nowMs) {
      await this.waitUntil(first, timeOfNext(booking), BOOKED_OUT);
      return;
    }
    if (this.underWay >= slots.count) {
      await this.waitForSlot(first, slots, nowMs);
      return;
    }
    this.waiting.delete(first);
    this.underWay += 1;
    booking.left -= 1;
    if (isLeftAlone) {
      this.circuit = { ...circuit, isOurTrial: false };
      this.isTrying = true;
    }
    first.resolve(isLeftAlone ? 'try' : 'go');
  }

  private noteResponse(): void {
    this.respondedAtMs = this.clock.monotonicMs();
    this.isTrying = false;
    if (this.circuit !== undefined) {
      this.circuit = undefined;
      this.shares.closeCircuit().catch(this.onError);
    }
  }

  private noteFailedTrial(): void {
    this.isTrying = false;
    this.shares
      .reopenCircuit()
      .then(() => {
        // The duration is read with the next request.
        this.slots = undefined;
      })
      .catch(this.onError);
  }

  private needsShare(slots: Slots, booking: Booking, nowMs: number): boolean {
    const isOld = nowMs - slots.takenAtMs >= SHARE_LIFETIME_MS;
    const hasGrown = slots.count >= slots.wanted && this.underWay >= slots.count && this.wanted() > slots.wanted;
    return isOld || hasGrown || (booking.booked > 0 && isUsedUp(booking, nowMs));
  }

  private wanted(): number {
    return Math.min(this.underWay + this.waiting.size, this.limits.concurrentRequests);
  }

  private async waitUntil(first: Waiting, untilMs: number, why: string): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    if (untilMs > first.deadlineMs) {
      this.refuse(first, 'rate-limit', why, untilMs - nowMs);
    } else {
      await this.sleep(untilMs - nowMs);
    }
  }

  private async waitForSlot(first: Waiting, { count }: Slots, nowMs: number): Promise<void> {
    if (nowMs >= first.deadlineMs) {
      this.refuse(first, 'rate-limit', NO_FREE_SLOT, SHARE_LIFETIME_MS);
      return;
    }
    await this.sleep(Math.min(count === 0 ? NO_SLOT_RETRY_MS : SHARE_LIFETIME_MS, first.deadlineMs - nowMs));
    if (count === 0) {
      this.slots = undefined;
    }
  }

  private refuse(first: Waiting, kind: ErpFailure['kind'], message: string, retryAfterMs: number): void {
    this.waiting.delete(first);
    first.resolve({ kind, message, retryAfterMs: Math.max(0, Math.ceil(retryAfterMs)) });
  }

  private async sleep(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    this.wake = () => {
      woken.abort();
    };
    await this.clock.sleep(milliseconds, woken.signal).catch(() => undefined);
    this.wake = () => undefined;
  }

  private async takeShare(): Promise<void> {
    this.taking ??= this.takeShareAlone().finally(() => {
      this.taking = undefined;
    });
    await this.taking;
  }

  /** Books more at once from one time to the next while all of it is used, and one request only after some was not. */
  private async takeShareAlone(): Promise<void> {
    const { booking, underWay, isTrying, circuit } = this;
    const isTrialOurs = isTrying || (circuit?.isOurTrial === true && circuit.untilMs > this.clock.monotonicMs());
    const isUsed = booking === undefined || isUsedUp(booking, this.clock.monotonicMs());
    const isNew = isUsed && this.waiting.size > 0;
    if (isNew && booking !== undefined) {
      const aSecond = Math.floor(sustainedPerMinute(this.limits.requestsPerMinute ?? Infinity) / 60);
      const wasShort = booking.booked > 0 && booking.left === 0;
      this.nextBooking = wasShort ? Math.max(1, Math.min(aSecond, this.nextBooking * 2)) : 1;
    }
    const wanted = this.wanted();
    const share = await this.shares.take({
      underWay,
      wanted,
      slots: this.slots?.count ?? 0,
      booking: isNew ? this.nextBooking : 0,
      ...((isTrialOurs || this.waiting.size > 0) && { trial: isTrialOurs ? 'under-way' : 'wanted' }),
    });
    const nowMs = this.clock.monotonicMs();
    this.pausedUntilMs = share.pausedMs > 0 ? Math.max(this.pausedUntilMs, nowMs + share.pausedMs) : this.pausedUntilMs;
    this.circuit =
      share.circuitOpenMs === undefined
        ? undefined
        : { untilMs: nowMs + share.circuitOpenMs, isOurTrial: share.isTrial && !isTrying };
    this.slots = { count: share.slots, wanted, takenAtMs: nowMs };
    if (isNew) {
      const { booked, firstInMs, spacingMs } = share;
      this.booking = { booked, firstInMs, spacingMs, atMs: nowMs, left: booked };
    }
  }

  /** Keeps the slots while requests are under way, and gives them back when nothing was for a while. */
  private async renewUntilIdle(): Promise<void> {
    try {
      for (;;) {
        await this.clock.sleep(RENEW_EVERY_MS, this.closed).catch(() => undefined);
        if (this.closed.aborted || this.isIdle()) {
          this.slots = undefined;
          await this.shares.end();
          if (this.closed.aborted || this.isIdle()) {
            return;
          }
          // A request began meanwhile. What it took may have been given back with the rest.
          await this.taking;
        }
        await this.takeShare();
      }
    } catch (error) {
      this.onError(error);
    } finally {
      this.renewing = undefined;
    }
  }

  private isIdle(): boolean {
    return this.underWay === 0 && this.waiting.size === 0;
  }
}

/** When the next of the booked requests may be made; monotonic. */
function timeOfNext({ atMs, firstInMs, spacingMs, booked, left }: Booking): number {
  return atMs + firstInMs + spacingMs * (booked - left);
}

/** What was booked and not used in time is lost: it may be another's by now. */
function isUsedUp(booking: Booking, nowMs: number): boolean {
  return booking.left === 0 || nowMs > Math.max(booking.atMs, timeOfNext(booking)) + BOOKED_FOR_MS;
}
