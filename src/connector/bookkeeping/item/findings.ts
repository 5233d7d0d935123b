import type { Message } from '../../../kernel/message.js';
import { englishText } from '../../messages/texts.js';
import type { Issue } from './issues.js';
import type { FailureType, ItemProblem, Warning } from './posting-plan.js';

/**
 * What the steps of planning one item have found. The steps run in the order of B5.3, so the first problem is
 * the one that names the failure.
 */
export class Findings {
  readonly #problems: ItemProblem[] = [];
  readonly #warnings: Warning[] = [];

  /** The same sentence twice (a setting that two entries need) adds nothing. */
  fail(type: FailureType, reason: Message, issue: Issue): void {
    this.#add({ type, message: englishText(reason), reason, issue });
  }

  warn(kind: Warning['kind'], reason: Message): void {
    this.#addWarning({ kind, message: englishText(reason), reason });
  }

  addAll(other: Findings): void {
    for (const problem of other.problems) this.#add(problem);
    for (const warning of other.warnings) this.#addWarning(warning);
  }

  #add(problem: ItemProblem): void {
    const isKnown = this.#problems.some(({ message }) => message === problem.message);
    if (!isKnown) this.#problems.push(problem);
  }

  #addWarning(warning: Warning): void {
    const isKnown = this.#warnings.some(({ message }) => message === warning.message);
    if (!isKnown) this.#warnings.push(warning);
  }

  get problems(): readonly ItemProblem[] {
    return this.#problems;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }
}
