// Pure: what can be done here about a cause, and the change of the mapping that does it.
import type { BookkeepingSettings } from '../../bookkeeping/item/bookkeeping-context.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import type { RuleUpsert } from '../../mapping/domain/rule-change-set.js';
import { fieldsOf, readRule, type FieldProblem, type RuleFields } from '../../mapping/domain/rule-fields.js';

/** `rule`, `setting`: a change of the mapping · `elsewhere`: mended in the ERP or on the platform, then exported again. */
export type ResolutionKind = 'rule' | 'setting' | 'outside';

export function resolutionKindOf({ kind }: Issue): ResolutionKind {
  switch (kind) {
    case 'account':
    case 'tax-code':
    case 'tag':
    case 'rule':
      return 'rule';
    case 'setting-missing':
    case 'setting-invalid':
      return 'setting';
    default:
      return 'outside';
  }
}

/** One sentence that says what to do. */
export function adviceOn(cause: Issue): string {
  const { kind, reference } = cause;
  const named = cause.name === undefined ? reference : `${reference} (${cause.name})`;
  switch (kind) {
    case 'account':
      return `Say with a rule which account of the accounting system ${named} is, or create it there.`;
    case 'tax-code':
      return `Say with a rule which tax code of the accounting system ${named} is, or create it there.`;
    case 'tag':
      return `Say with a rule which dimension value tag ${reference} of group ${cause.group ?? ''} is, or create it in the accounting system.`;
    case 'rule':
      return `Rule ${reference} sends to something that is not active: give it another target.`;
    case 'setting-missing':
      return `Choose an account for the setting ${reference}.`;
    case 'setting-invalid':
      return `The setting ${reference} names ${cause.name ?? 'an account'}, which is not active: choose another account.`;
    case 'vendor':
    case 'vendor-refused':
      return `Create vendor ${named} in the accounting system, or correct the vendor's code on the platform.`;
    case 'vendor-blocked':
      return `Release vendor ${named} in the accounting system, or choose another one on the platform.`;
    case 'vendor-account':
      return `Correct the payables account of vendor ${named} in the accounting system.`;
    case 'contra-account':
      return `Create or activate the wallet's contra account ${reference} in the accounting system, or choose another one on the platform.`;
    case 'tax-account':
    case 'tax-share':
      return `Correct tax code ${reference} in the accounting system.`;
    case 'period':
      return `Open period ${reference} in the accounting system, or let entries of closed periods go to the next open one.`;
    case 'no-period':
      return `Create a period for ${reference} in the accounting system.`;
    case 'rate':
      return `Enter the exchange rate ${reference} in the accounting system; where it has no rates, an administrator uploads it to the connector.`;
    case 'not-confirmed':
      return 'See the uncertain postings: the next export looks first what became of them.';
    case 'changed':
      return 'Undo the changes on the platform, or let changed entries be reversed and posted anew.';
    case 'preview':
      return 'Preview these entries again, and commit that preview.';
    case 'entry':
    case 'unreadable':
    case 'receipt':
      return 'Correct the entries on the platform.';
    case 'refused':
    case 'job':
      return 'Do what the reason says, then export again.';
  }
}

/** What a rule of the fix says; the rest follows from the cause. */
export interface RuleResolution {
  readonly target: string;
  readonly targetGroup?: string | undefined;
  readonly itemType?: string | undefined;
  readonly tagGroup?: string | undefined;
  readonly tag?: string | undefined;
}

export type ParsedRuleResolution = { readonly upsert: RuleUpsert } | { readonly problems: readonly FieldProblem[] };

/** @param current the rules there are: a rule that is there for the same already gets the new target */
export function ruleFor(cause: Issue, mend: RuleResolution, current: readonly MappingRule[]): ParsedRuleResolution {
  const broken = cause.kind === 'rule' ? current.find(({ id }) => id === cause.reference) : undefined;
  const fields: RuleFields =
    broken === undefined
      ? given({
          subject: cause.kind,
          sourceGroup: cause.kind === 'tag' ? cause.group : undefined,
          source: cause.reference,
          ...mend,
        })
      : { ...fieldsOf(broken), ...given({ target: mend.target, targetGroup: mend.targetGroup }) };
  const read = readRule(fields);
  return 'problems' in read ? read : { upsert: { rule: read.rule, ...(broken && { id: broken.id }) } };
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
