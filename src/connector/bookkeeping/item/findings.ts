import type { Issue } from './issues.js';
import type { FailureType, ItemProblem, Warning } from './posting-plan.js';

/**
 * What the steps of planning one item have found. The steps run in the order of B5.3, so the first issue is
 * the one that names the failure.
 */
export class Findings {
  readonly #problems: ItemProblem[] = [];
  readonly #warnings: Warning[] = [];

  /** The same sentence twice (a setting that two entries need) tells nobody more. */
  fail(type: FailureType, message: string, cause: Issue): void {
    const isKnown = this.#problems.some((issue) => issue.message === message);
    if (!isKnown) this.#problems.push({ type, message, issue: cause });
  }

  warn(kind: Warning['kind'], message: string): void {
    const isKnown = this.#warnings.some((warning) => warning.message === message);
    if (!isKnown) this.#warnings.push({ kind, message });
  }

  addAll(other: Findings): void {
    for (const { type, message, issue } of other.problems) this.fail(type, message, issue);
    for (const { kind, message } of other.warnings) this.warn(kind, message);
  }

  get problems(): readonly ItemProblem[] {
    return this.#problems;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }
}
