import { retryDelaySeconds, type BackOff } from './retry-delay.js';

/** How long a run that fails is tried again, and how often. */
export interface Patience extends BackOff {
  /** Failed attempts in a row. */
  readonly maxAttempts: number;
}

/** Of what the other side asks for with `Retry-After`: an open run keeps other runs of its kind from beginning, so it must end. */
const MAX_REQUESTED_SECONDS = 3_600;

export const USUAL_PATIENCE: Patience = { firstSeconds: 15, maxSeconds: 900, maxAttempts: 20 };

/** How an attempt at a run ended before the run's end. */
export type Interruption =
  | { readonly kind: 'lease-lost' }
  /** At a point from which another worker can go on. */
  | { readonly kind: 'stopped' }
  /** Cannot go on for so many seconds; nothing has failed. */
  | { readonly kind: 'postponed'; readonly seconds: number }
  | {
      readonly kind: 'error';
      /** What a person has to do; undefined when another attempt may succeed. */
      readonly failure: string | undefined;
      /** What a person reads after the last attempt. */
      readonly finalFailure: string;
      /** Of the other side's `Retry-After`, 0 without one. */
      readonly retryAfterSeconds: number;
    };

export type NextRun =
  /** Another worker owns the run and decides. */
  | { readonly kind: 'none' }
  /** @property isFailure counts as one of the attempts in a row that failed */
  | { readonly kind: 'release'; readonly seconds: number; readonly isFailure: boolean }
  | { readonly kind: 'fail'; readonly failure: string };

/**
 * Decides when a run whose attempt was interrupted is taken up again, or that it has failed.
 * @param attempts failed in a row, this one included, at least 1
 */
export function decideNextRun(interruption: Interruption, attempts: number, patience = USUAL_PATIENCE): NextRun {
  switch (interruption.kind) {
    case 'lease-lost':
      return { kind: 'none' };
    case 'stopped':
      return { kind: 'release', seconds: 0, isFailure: false };
    case 'postponed':
      return { kind: 'release', seconds: interruption.seconds, isFailure: false };
    case 'error': {
      const { failure, finalFailure, retryAfterSeconds } = interruption;
      const final = failure ?? (attempts >= patience.maxAttempts ? finalFailure : undefined);
      return final === undefined
        ? {
            kind: 'release',
            seconds: retryDelaySeconds(patience, attempts, Math.min(retryAfterSeconds, MAX_REQUESTED_SECONDS)),
            isFailure: true,
          }
        : { kind: 'fail', failure: final };
    }
  }
}
