import type { Cause } from './causes.js';
import type { FailureType, Issue, Warning } from './item-plan.js';

/**
 * What the steps of planning one item have found. The steps run in the order of bookkeeping §5, so the first issue is
 * the one that names the failure.
 */
export class Findings {
  readonly #issues: Issue[] = [];
  readonly #warnings: Warning[] = [];

  /** The same sentence twice (a setting that two entries need) tells nobody more. */
  fail(type: FailureType, message: string, cause: Cause): void {
    const isKnown = this.#issues.some((issue) => issue.message === message);
    if (!isKnown) this.#issues.push({ type, message, cause });
  }

  warn(kind: Warning['kind'], message: string): void {
    const isKnown = this.#warnings.some((warning) => warning.message === message);
    if (!isKnown) this.#warnings.push({ kind, message });
  }

  absorb(other: Findings): void {
    for (const { type, message, cause } of other.issues) this.fail(type, message, cause);
    for (const { kind, message } of other.warnings) this.warn(kind, message);
  }

  get issues(): readonly Issue[] {
    return this.#issues;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }
}
