import { sqlState } from './database-error.js';

/** What was refused is tried again before that. */
const REMEMBERED_MS = 60_000;
const REASONS: ReadonlyMap<string, string> = new Map([
  ['53100', 'no space left on its disk'],
  ['25006', 'it is read-only'],
]);

/**
 * Why the database has refused to write a moment ago. A full disk refuses only what needs more of it, so no probe would see it
 * for certain (H20).
 */
export class WriteRefusals {
  private last: { readonly reason: string; readonly atMs: number } | undefined;

  /** @param error of any statement or COMMIT */
  note(error: unknown): void {
    const reason = REASONS.get(sqlState(error) ?? '');
    if (reason !== undefined) {
      this.last = { reason, atMs: performance.now() };
    }
  }

  /** @returns undefined when none was refused for a minute */
  current(): string | undefined {
    return this.last !== undefined && performance.now() - this.last.atMs < REMEMBERED_MS ? this.last.reason : undefined;
  }
}
