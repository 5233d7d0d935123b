// What the ERP has, as far as a mapping points at it.
import { message, type Message } from '../../../kernel/message.js';
import {
  indexContext,
  type BookkeepingContext,
  type BookkeepingData,
} from '../../bookkeeping/item/bookkeeping-context.js';
import { CodeIndex } from '../../bookkeeping/accounts/code-index.js';
import { sourceKeyOf, tagKeyOf } from '../../bookkeeping/accounts/rule-index.js';
import { activeAccount } from '../../bookkeeping/accounts/settings-accounts.js';
import type { MappingSettings } from './mapping.js';
import type { RuleContent } from './rule-fields.js';

type MasterData = Omit<BookkeepingData, 'rates' | 'settings' | 'policies' | 'rules' | 'mappingVersion'>;

/** The ERP's data as it came, and with the planner's look-up tables, so that both find the same. */
export interface Targets {
  readonly masterData: MasterData;
  readonly context: BookkeepingContext;
  /** Everything that an external id or a code stands for, archived or not. */
  readonly named: { readonly account: NamedIndex; readonly 'tax-code': NamedIndex };
}

type NamedIndex = ReadonlyMap<string, readonly Coded[]>;

export interface TargetProblem {
  readonly code: 'target-missing' | 'target-inactive' | 'target-ambiguous';
  /** What is wrong and what to do about it. */
  readonly detail: Message;
}

/** Rates and rules say nothing of targets, so they are left out of the tables. */
export function targetsIn(books: MasterData, { accounts, policies }: MappingSettings): Targets {
  const context = indexContext({
    ...books,
    rates: [],
    settings: accounts,
    policies,
    rules: [],
    mappingVersion: 0,
  });
  return {
    masterData: books,
    context,
    named: { account: indexNames(books.accounts), 'tax-code': indexNames(books.taxCodes) },
  };
}

function indexNames(all: readonly Coded[]): NamedIndex {
  const index = new CodeIndex<Coded[]>();
  for (const one of all) {
    for (const name of new Set([one.externalId, one.code].map(sourceKeyOf))) {
      const known = index.get(name);
      if (known === undefined) index.set(name, [one]);
      else known.push(one);
    }
  }
  return index;
}

/** @returns why nothing can be posted to a rule's target; undefined when it can */
export function targetProblem(rule: RuleContent, targets: Targets): TargetProblem | undefined {
  const { masterData, context, named } = targets;
  switch (rule.subject) {
    case 'account':
      return accountProblem(rule.target, targets);
    case 'tax-code': {
      const { target } = rule;
      const found = context.taxCodesById.has(target) || context.taxCodesByCode.has(target);
      return found ? undefined : codeProblem('tax-code', target, named['tax-code']);
    }
    case 'tag':
      return context.dimensionValues.has(tagKeyOf(rule.target)) ? undefined : valueProblem(rule.target, masterData);
  }
}

/** @param reference external id or code */
export function accountProblem(reference: string, { context, named }: Targets): TargetProblem | undefined {
  const found = activeAccount(reference, context) !== undefined;
  return found ? undefined : codeProblem('account', reference, named.account);
}

interface Coded {
  readonly externalId: string;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
}

function codeProblem(what: 'account' | 'tax-code', reference: string, index: NamedIndex): TargetProblem {
  const named = index.get(reference) ?? [];
  const [first] = named;
  if (first === undefined) return missing({ what, reference });
  if (named.some(({ active }) => active)) {
    const ids = named.filter(({ active }) => active).map(({ externalId }) => externalId);
    return {
      code: 'target-ambiguous',
      detail: message('rule-target.ambiguous', { what, reference, ids: ids.join(', ') }),
    };
  }
  return inactive({ what, reference, name: first.name });
}

function valueProblem(target: { readonly groupCode: string; readonly code: string }, books: MasterData): TargetProblem {
  const named = { what: 'value', reference: target.code, group: target.groupCode };
  const there = books.dimensions.flatMap((dimension) =>
    dimension.values
      .filter(({ code }) => tagKeyOf({ groupCode: dimension.code, code }) === tagKeyOf(target))
      .map((value) => dimension.active && value.active),
  );
  if (there.includes(true)) {
    const { reference, group } = named;
    return { code: 'target-ambiguous', detail: message('rule-target.ambiguous-value', { reference, group }) };
  }
  return there.length > 0 ? inactive(named) : missing(named);
}

function missing(named: Message['parameters']): TargetProblem {
  return { code: 'target-missing', detail: message('rule-target.missing', { group: '', ...named }) };
}

function inactive(named: Message['parameters']): TargetProblem {
  return { code: 'target-inactive', detail: message('rule-target.inactive', { group: '', name: '', ...named }) };
}
