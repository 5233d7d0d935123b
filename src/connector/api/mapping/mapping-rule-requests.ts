// Parses rules of requests, and builds the problem when they cannot be saved.
import type { Problem } from '../../../foundation/http/problem.js';
import { message, type Message } from '../../../kernel/message.js';
import { overlaps, type ChangeProblem, type RuleUpsert } from '../../mapping/domain/rule-change-set.js';
import { readRule, type FieldProblem, type RuleContent, type RuleFields } from '../../mapping/domain/rule-fields.js';
import { ruleNotFound } from '../http/outcome-problems.js';
import { problem, worded } from '../http/problems.js';
import type { RuleRequest, RuleUpsertRequest } from './mapping-rules.dto.js';

const RULE_ID = /^[1-9]\d{0,8}$/;
const MAX_ERRORS = 100;

/** @throws Problem 404 for text that is no number of a rule */
export function ruleIdOf(text: string): string {
  if (!RULE_ID.test(text)) {
    throw ruleNotFound();
  }
  return text;
}

function fieldsOfRequest(body: RuleRequest): RuleFields {
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}

export function parseRule(body: RuleRequest): RuleContent {
  const read = readRule(fieldsOfRequest(body));
  if ('problems' in read) {
    throw invalidRules(read.problems.map((problem) => ({ ...problem, pointer: `/${problem.field}` })));
  }
  return read.rule;
}

/** @param list the member of the request that has them. @throws Problem that names each mistake */
export function parseUpserts(list: 'upserts' | 'rules', bodies: readonly RuleUpsertRequest[]): readonly RuleUpsert[] {
  const problems: (FieldProblem & { readonly pointer: string })[] = [];
  const rules = bodies.flatMap((body, index) => {
    const read = readRule(fieldsOfRequest(body));
    if ('rule' in read) return [{ ...(body.id !== undefined && { id: body.id }), rule: read.rule }];
    const pointers = read.problems.map((one) => ({
      ...one,
      pointer: `/${list}/${index.toString()}/${one.field}`,
    }));
    problems.push(...pointers);
    return [];
  });
  if (problems.length > 0) {
    throw invalidRules(problems);
  }
  return rules;
}

/** Rules that could be all those of a mapping. @throws Problem that names each mistake, and what overlaps as saving does */
export function parseWholeMapping(bodies: readonly RuleUpsertRequest[]): readonly RuleContent[] {
  const upserts = parseUpserts('rules', bodies);
  const problems = overlaps([], { upserts, deletes: [] });
  if (problems.length > 0) {
    throw rejectedChanges(problems, ({ index, field = '' }) => `/rules/${index.toString()}/${field}`);
  }
  return upserts.map(({ rule }) => rule);
}

export function rejectedChanges(
  problems: readonly ChangeProblem[],
  pointerOf: (problem: ChangeProblem) => string,
): Problem {
  const [only] = problems;
  const isAboutOneRule = problems.length === 1 && only?.code === 'unknown-rule' && pointerOf(only) === '';
  return isAboutOneRule
    ? ruleNotFound()
    : invalidRules(problems.map((problem) => ({ ...problem, pointer: pointerOf(problem) })));
}

interface RuleError {
  readonly pointer: string;
  readonly code: string;
  readonly detail: Message;
}

function invalidRules(errors: readonly RuleError[]): Problem {
  return problem('invalid-rules', message('problem.invalid-rules.detail'), {
    errors: errors.slice(0, MAX_ERRORS).map(({ pointer, code, detail }) => ({ pointer, code, ...worded(detail) })),
  });
}
