// Pure: what can be done here about an issue, and the change of the mapping that does it.
import type { BookkeepingSettings } from '../../bookkeeping/item/bookkeeping-context.js';
import { message, type Message } from '../../../kernel/message.js';
import type { Issue, IssueKind } from '../../bookkeeping/item/issues.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import type { RuleUpsert } from '../../mapping/domain/rule-change-set.js';
import { identityOf } from '../../mapping/domain/rule-identity.js';
import { fieldsOf, readRule, type FieldProblem, type RuleFields } from '../../mapping/domain/rule-fields.js';

/** `rule`, `setting`: a change of the mapping · `outside`: resolved in the ERP or on the platform, then exported again. */
export type ResolutionKind = 'rule' | 'setting' | 'outside';

/** @param isRuleGone a rule that was deleted since can get no other target: the entries are decided without it */
export function resolutionKindOf({ kind }: Issue, isRuleGone = false): ResolutionKind {
  return isRuleGone ? 'outside' : RESOLUTIONS[kind];
}

const RESOLUTIONS: Readonly<Record<IssueKind, ResolutionKind>> = {
  account: 'rule',
  'tax-code': 'rule',
  tag: 'rule',
  rule: 'rule',
  'setting-missing': 'setting',
  'setting-invalid': 'setting',
  vendor: 'outside',
  'vendor-refused': 'outside',
  'vendor-blocked': 'outside',
  'vendor-account': 'outside',
  'contra-account': 'outside',
  'tax-account': 'outside',
  'tax-share': 'outside',
  period: 'outside',
  'no-period': 'outside',
  rate: 'outside',
  refused: 'outside',
  entry: 'outside',
  unreadable: 'outside',
  changed: 'outside',
  receipt: 'outside',
  preview: 'outside',
  'not-confirmed': 'outside',
  job: 'outside',
};

/** What is wrong: of an entry by the check that failed, else by the issue's kind. */
export function problemOf(issue: Issue, isRuleGone = false): Message {
  const kind = isRuleGone ? 'rule-gone' : issue.kind;
  return message(issue.kind === 'entry' ? `issue.entry.${issue.reference}` : `issue.${kind}`, parametersOf(issue));
}

/** What to do about it, in one sentence. */
export function adviceOn(issue: Issue, isRuleGone = false): Message {
  return message(`issue.${isRuleGone ? 'rule-gone' : issue.kind}.advice`, parametersOf(issue));
}

function parametersOf({ kind, reference, name, group }: Issue): Message['parameters'] {
  return {
    reference,
    named: name === undefined ? reference : `${reference} (${name})`,
    account: name ?? 'none',
    group: group ?? '',
    ...((kind === 'setting-missing' || kind === 'setting-invalid') && settingOf(reference)),
    ...(kind === 'rate' && rateOf(reference)),
  };
}

/** "KWD-EUR-2026-11-24" is the rate from KWD to EUR of that day. */
function rateOf(reference: string): Message['parameters'] {
  const [, from = '', to = '', day = ''] = RATE.exec(reference) ?? [];
  return { from, to, day };
}

const RATE = /^([A-Z]{3})-([A-Z]{3})-(.+)$/;

/** A setting by what the texts call it, and what it is of: "wallet-EUR" is a wallet of EUR. */
function settingOf(key: string): Message['parameters'] {
  const [, name = '', of = ''] = SETTING.exec(key) ?? [];
  const setting = name.replaceAll('-', '_');
  return {
    setting: setting === 'company_bank' && of !== '' ? 'company_bank_of' : setting,
    // The type of an item has a name in each language; what else it may be of is a currency.
    of: setting === 'fallback' ? message(`item-type.${of}`, { of }) : of,
  };
}

const SETTING = /^(accounts-payable|company-bank|fallback|fx-rounding|out-of-pocket|realized-fx|wallet)(?:-(.+))?$/;

/** What a rule of the fix says; the rest follows from the issue. */
export interface RuleResolution {
  readonly target: string;
  readonly targetGroup?: string | undefined;
  readonly itemType?: string | undefined;
  readonly tagGroup?: string | undefined;
  readonly tag?: string | undefined;
}

export type ParsedRuleResolution =
  | { readonly upsert: RuleUpsert }
  | { readonly problems: readonly FieldProblem[] }
  /** The rule that the issue is about was deleted since. */
  | 'rule-gone';

/** @param current the rules there are: a rule that is there for the same already gets the new target */
export function ruleFor(
  issue: Issue,
  resolution: RuleResolution,
  current: readonly MappingRule[],
): ParsedRuleResolution {
  const broken = issue.kind === 'rule' ? current.find(({ id }) => id === issue.reference) : undefined;
  if (issue.kind === 'rule' && broken === undefined) {
    return 'rule-gone';
  }
  const fields: RuleFields =
    broken === undefined
      ? given({
          subject: issue.kind,
          sourceGroup: issue.kind === 'tag' ? issue.group : undefined,
          source: issue.reference,
          ...resolution,
        })
      : { ...fieldsOf(broken), ...given({ target: resolution.target, targetGroup: resolution.targetGroup }) };
  const read = readRule(fields);
  if ('problems' in read) {
    return read;
  }
  const identity = identityOf(read.rule);
  const known = broken ?? current.find((rule) => identityOf(rule) === identity);
  return { upsert: { rule: read.rule, ...(known && { id: known.id }) } };
}

function given(fields: Readonly<Record<string, string | undefined>>): RuleFields {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined));
}

/** @returns undefined for a setting that there is not */
export function settingsWith(
  accounts: BookkeepingSettings,
  setting: string,
  account: string,
): BookkeepingSettings | undefined {
  const [, currency] = /^wallet-([A-Z]{3})$/.exec(setting) ?? [];
  if (currency !== undefined) return { ...accounts, wallets: { ...accounts.wallets, [currency]: account } };
  const [, bankCurrency] = /^company-bank-([A-Z]{3})$/.exec(setting) ?? [];
  if (bankCurrency !== undefined) {
    const companyBankByCurrency = { ...accounts.companyBankByCurrency, [bankCurrency]: account };
    return { ...accounts, companyBankByCurrency };
  }
  const [, itemType] = /^fallback-([a-z_]+)$/.exec(setting) ?? [];
  if (itemType !== undefined) {
    return { ...accounts, fallbackAccounts: { ...accounts.fallbackAccounts, [itemType]: account } };
  }
  const field = PLAIN_SETTINGS.get(setting);
  return field && { ...accounts, [field]: account };
}

const PLAIN_SETTINGS: ReadonlyMap<string, keyof BookkeepingSettings> = new Map([
  ['out-of-pocket', 'outOfPocket'],
  ['company-bank', 'companyBank'],
  ['accounts-payable', 'accountsPayable'],
  ['fx-rounding', 'fxRounding'],
  ['realized-fx', 'realizedFx'],
]);
