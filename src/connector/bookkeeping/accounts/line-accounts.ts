import { message, type Message } from '../../../kernel/message.js';
import type { Issue } from '../item/issues.js';
import type { BookkeepingContext, ErpAccount } from '../item/bookkeeping-context.js';
import { textOf, type ItemAccount, type Nullable } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { Decision, PostingAccount } from '../item/posting-plan.js';
import { named } from './named.js';
import { findRule, type RuleScope } from './rule-index.js';
import { activeAccount, configuredAccount, settingCatalog } from './settings-accounts.js';

/** The line an account is looked up for. */
interface AccountLookUp {
  /** Its position, from 1. */
  readonly line: number;
  /** False when the line has nothing but tax; a named account must resolve nevertheless. */
  readonly isNeeded: boolean;
  readonly scope: RuleScope;
}

/**
 * The ledger account of one line by the precedence of B5.1.
 *
 * @returns undefined after a finding, or when none is named and none is needed.
 */
export function resolveLineAccount(
  account: Nullable<ItemAccount>,
  { line, isNeeded, scope }: AccountLookUp,
  context: BookkeepingContext,
  findings: Findings,
): PostingAccount | undefined {
  const ruled = account ? accountByRule(account, scope, context, findings) : 'no rule';
  if (ruled !== 'no rule') return ruled;
  if (!isNamed(account)) {
    return isNeeded ? fallbackAccount(line, scope.itemType, context, findings) : undefined;
  }
  const found = accountOnItem(account, context);
  if (found === undefined) {
    const isAmbiguous = context.accountsByCode.isAmbiguous(textOf(account.code) ?? '');
    findings.fail(
      'account_unknown',
      message(isAmbiguous ? 'reason.account.ambiguous' : 'reason.account', { line, account: describeAccount(account) }),
      accountIssue(account),
    );
  }
  return found;
}

/** @returns the item's account in the ERP by identifier, then by code; undefined when neither is active there. */
export function accountOnItem(account: ItemAccount, context: BookkeepingContext): PostingAccount | undefined {
  const byIdentifier = context.accountsById.get(textOf(account.identifier) ?? '');
  if (byIdentifier !== undefined) return posting(byIdentifier, { by: 'identifier' });
  const byCode = context.accountsByCode.get(textOf(account.code) ?? '');
  return byCode && posting(byCode, { by: 'code' });
}

/** What an account is mapped by: its code or identifier, else the platform's id. */
export function accountKey(account: ItemAccount): string {
  return textOf(account.code) ?? textOf(account.identifier) ?? account.id;
}

/** Code and name, as far as the platform sent them, as part of a message: "6071 (Meals)". */
export function describeAccount(account: ItemAccount): Message {
  const key = textOf(account.code) ?? textOf(account.identifier);
  return named(key, textOf(account.name) ?? (key === undefined ? account.id : undefined));
}

function accountIssue(account: ItemAccount): Issue {
  const name = textOf(account.name);
  return { kind: 'account', reference: accountKey(account), ...(name !== undefined && { name }) };
}

// An account that has only a name is still named: it was chosen, so no fallback may replace it.
function isNamed(account: Nullable<ItemAccount>): account is ItemAccount {
  return [account?.identifier, account?.code, account?.name].some((text) => textOf(text) !== undefined);
}

function accountByRule(
  account: ItemAccount,
  scope: RuleScope,
  context: BookkeepingContext,
  findings: Findings,
): PostingAccount | undefined | 'no rule' {
  const keys = [textOf(account.identifier), textOf(account.code), account.id].filter((key) => key !== undefined);
  const rule = findRule(context.ruleIndex.accounts, keys, scope);
  if (rule === undefined) return 'no rule';
  const target = activeAccount(rule.target, context);
  if (target !== undefined) return posting(target, { by: 'rule', ruleId: rule.id });
  findings.fail(
    'account_unknown',
    context.accountsByCode.isAmbiguous(rule.target)
      ? message('reason.rule.ambiguous', { rule: rule.id, what: 'account', target: rule.target })
      : message('reason.rule.account', { rule: rule.id, account: describeAccount(account), target: rule.target }),
    { kind: 'rule', reference: rule.id },
  );
  return undefined;
}

function fallbackAccount(
  line: number,
  itemType: string,
  context: BookkeepingContext,
  findings: Findings,
): PostingAccount | undefined {
  const reference = context.settings.fallbackAccounts[itemType];
  if (reference === undefined) {
    findings.fail('account_unknown', message('reason.account.none', { line, type: itemType }), {
      kind: 'setting-missing',
      reference: settingCatalog.fallback(itemType).key,
    });
    return undefined;
  }
  const account = configuredAccount(settingCatalog.fallback(itemType), reference, context, findings);
  if (account === undefined) return undefined;
  findings.warn('fallback-account', message('warning.fallback-account', { line, account: account.code }));
  return { ...account, decision: { by: 'fallback' } };
}

function posting(account: ErpAccount, decision: Decision): PostingAccount {
  return { id: account.externalId, code: account.code, decision };
}
