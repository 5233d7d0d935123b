/** The only source of time for code that must be testable with an hour passing in a millisecond. */
export abstract class Clock {
  abstract now(): Date;

  /** Milliseconds from a fixed unknown start. Never runs backwards: for durations, not for dates. */
  abstract monotonicMs(): number;

  /** Resolves after ms milliseconds; rejects with the signal's reason when the signal fires first. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
