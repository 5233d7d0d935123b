// Pure: what a file of rules contains, line by line, and what is wrong with it.
import type { Message } from '../../../../kernel/message.js';
import type { RuleContent } from '../rule-fields.js';

/** A position in a file and the problem there. */
export interface FileProblem {
  /** From 1: the line of a CSV file, the rule's position in a JSON list. */
  readonly line: number;
  /** Name of the column; undefined where the problem is the line as a whole. */
  readonly column: string | undefined;
  /** Stable, kebab-case. */
  readonly code: string;
  /** What is wrong and what to do about it. */
  readonly detail: Message;
}

/** A rule with its line. */
export interface RuleLine {
  readonly line: number;
  readonly rule: RuleContent;
}
