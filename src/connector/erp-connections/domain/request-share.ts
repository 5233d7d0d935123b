// Pure: the share of one process in the requests that an ERP allows the connector.
import { sustainedPerMinute } from '../../erp/domain/request-rate.js';

/** As the adapter declares it for one connection. */
export interface ErpRequestLimits {
  readonly concurrentRequests: number;
  /** Undefined: no such limit. */
  readonly requestsPerMinute: number | undefined;
}

/** Of a minute's requests, those that may be made at once after a rest. */
const BURST_SHARE = 0.1;
/**
 * How late a process may use what it has booked: with that no minute has more requests than all, of which 0.8 come evenly:
 * 0.1 + 0.8 × 65 s / 60 s.
 */
export const BOOKED_FOR_MS = 5_000;

/**
 * How long the one request may be under way that finds out whether an ERP responds again, before its process requests more
 * time. One that stops leaves the trial to another after it.
 */
const TRIAL_FOR_MS = 10_000;

/** Another process that makes requests to the same ERP. */
export interface Rival {
  /** Requests that it may make at the same time. */
  readonly slots: number;
  /** Requests that it wants to make at the same time. */
  readonly wanted: number;
}

/** What a process requests. */
export interface ShareRequest {
  /** Running requests: their slots cannot be released. */
  readonly underWay: number;
  /** Requests that it wants to make at the same time, those under way included. */
  readonly wanted: number;
  /** Slots that it has. */
  readonly slots: number;
  /** Requests of the minute that it wants to book. */
  readonly booking: number;
  /**
   * An ERP that did not respond is called by one request, of the first process to request one: `wanted` where a request waits,
   * `under-way` in the process whose request it is.
   */
  readonly trial?: 'wanted' | 'under-way';
}

/** Times are milliseconds from now; of the past they are negative. */
export interface ErpRequestState {
  readonly bookedUntilMs: number;
  readonly pausedUntilMs: number;
  /** The ERP does not respond: until then it is left alone, and by all but one request after that. Undefined: it responds. */
  readonly circuitOpenUntilMs: number | undefined;
  readonly rivals: readonly Rival[];
}

export interface RequestShare {
  /** Requests that may be under way at the same time. */
  readonly slots: number;
  /** Requests of the minute that were booked. */
  readonly booked: number;
  /** When the first one may be made, perhaps already, and how long after it each of the next ones. */
  readonly firstInMs: number;
  readonly spacingMs: number;
  /** How far ahead all processes have booked then. */
  readonly bookedUntilMs: number;
  readonly pausedMs: number;
  /** Undefined: the ERP responds. 0: its time is over, and a request that waits would be the trial. */
  readonly circuitOpenMs: number | undefined;
  /** The one request that is made in the meantime is this process's. */
  readonly isTrial: boolean;
}

/** @param maxWaitMs longest time for which it is worth to wait for a booked request */
export function decideShare(
  limits: ErpRequestLimits,
  state: ErpRequestState,
  request: ShareRequest,
  maxWaitMs: number,
): RequestShare {
  const slots = decideSlots(limits.concurrentRequests, state.rivals, request);
  const trial = decideTrial(state.circuitOpenUntilMs, request.trial);
  return { slots, ...trial, ...book(limits.requestsPerMinute, state, request.booking, maxWaitMs) };
}

function decideTrial(openUntilMs: number | undefined, trial: ShareRequest['trial']) {
  const isTrial = openUntilMs !== undefined && (trial === 'under-way' || (trial === 'wanted' && openUntilMs <= 0));
  return { isTrial, circuitOpenMs: isTrial ? TRIAL_FOR_MS : openUntilMs && Math.max(0, openUntilMs) };
}

/** Equal shares as far as they are wanted; together never more than the limit. More processes than slots take turns. */
function decideSlots(limit: number, rivals: readonly Rival[], { underWay, wanted, slots }: ShareRequest): number {
  const sum = (of: (rival: Rival) => number) => rivals.reduce((total, rival) => total + of(rival), 0);
  const share = limit / (rivals.length + 1);
  const isAwaited = slots > 0 && rivals.some((rival) => rival.slots === 0 && rival.wanted > 0);
  const fair = isAwaited ? Math.floor(share) : Math.ceil(share);
  const unwanted = limit - sum((rival) => rival.wanted);
  const free = limit - sum((rival) => rival.slots);
  return Math.max(underWay, Math.min(wanted, Math.max(fair, unwanted), free));
}

/** The generic cell rate algorithm: each booking moves the moment up to which all are booked. */
function book(
  perMinute: number | undefined,
  { bookedUntilMs, pausedUntilMs }: ErpRequestState,
  booking: number,
  maxWaitMs: number,
): Omit<RequestShare, 'slots' | 'circuitOpenMs' | 'isTrial'> {
  const pausedMs = Math.max(0, pausedUntilMs);
  if (perMinute === undefined) {
    return { booked: Number.MAX_SAFE_INTEGER, firstInMs: 0, spacingMs: 0, bookedUntilMs, pausedMs };
  }
  const spacingMs = 60_000 / sustainedPerMinute(perMinute);
  const burstMs = Math.max(1, perMinute * BURST_SHARE) * spacingMs;
  // After a pause the ERP gets no burst.
  const from = Math.max(0, bookedUntilMs, pausedMs > 0 ? pausedMs + burstMs : 0);
  const firstInMs = from + spacingMs - burstMs;
  if (booking === 0 || firstInMs > maxWaitMs) {
    return { booked: 0, firstInMs, spacingMs, bookedUntilMs, pausedMs };
  }
  return { booked: booking, firstInMs, spacingMs, bookedUntilMs: from + booking * spacingMs, pausedMs };
}
