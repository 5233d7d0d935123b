// The explicit rules of an installation, step 1 of the precedence of B5.1.

interface TagKey {
  readonly groupCode: string;
  readonly code: string;
}

interface RuleConditions {
  readonly id: string;
  /** Narrows the rule to one item type, and within it to lines that carry one tag. */
  readonly when?: { readonly itemType: string; readonly tag?: TagKey };
}

/** `sourceKey` is an identifier, code or id of the platform's account or tax code; `target` an external id or code. */
interface AccountRule extends RuleConditions {
  readonly subject: 'account';
  readonly sourceKey: string;
  readonly target: string;
}

interface TaxCodeRule extends RuleConditions {
  readonly subject: 'tax-code';
  readonly sourceKey: string;
  readonly target: string;
}

interface TagRule extends RuleConditions {
  readonly subject: 'tag';
  readonly source: TagKey;
  readonly target: TagKey;
}

export type MappingRule = AccountRule | TaxCodeRule | TagRule;

export interface RuleIndex {
  readonly accounts: ReadonlyMap<string, AccountRule>;
  readonly taxCodes: ReadonlyMap<string, TaxCodeRule>;
  readonly tags: ReadonlyMap<string, TagRule>;
}

/** Where a rule is being looked for: the tags in the order in which the line carries them. */
export interface RuleScope {
  readonly itemType: string;
  readonly tags: readonly TagKey[];
}

// Cannot occur in a code that a person typed.
const SEPARATOR = '\u0000';

/** One text for a tag: group and code count without regard to case, and in whichever of Unicode's forms an "ö" comes. */
export function tagKeyOf(tag: TagKey): string {
  return sourceKeyOf(`${tag.groupCode.trim()}${SEPARATOR}${tag.code.trim()}`).toLowerCase();
}

/** One text for a code or id: rules are kept in one form of Unicode, and the platform may write a code in another. */
export function sourceKeyOf(text: string): string {
  return text.normalize('NFC');
}

export function indexRules(rules: readonly MappingRule[]): RuleIndex {
  const accounts = new Map<string, AccountRule>();
  const taxCodes = new Map<string, TaxCodeRule>();
  const tags = new Map<string, TagRule>();
  for (const rule of rules) {
    if (rule.subject === 'account') accounts.set(ruleKey(rule.sourceKey, rule.when), rule);
    else if (rule.subject === 'tax-code') taxCodes.set(ruleKey(rule.sourceKey, rule.when), rule);
    else tags.set(ruleKey(tagKeyOf(rule.source), rule.when), rule);
  }
  return { accounts, taxCodes, tags };
}

/**
 * The most specific rule: source key + item type + tag (in the order of the tags), source key + item type, source key.
 *
 * @param sourceKeys the names under which the source is known, the preferred one first.
 */
export function findRule<Rule extends MappingRule>(
  rules: ReadonlyMap<string, Rule>,
  sourceKeys: readonly string[],
  scope: RuleScope,
): Rule | undefined {
  if (rules.size === 0) return undefined;
  const { itemType } = scope;
  const conditions: RuleConditions['when'][] = [
    ...scope.tags.map((tag) => ({ itemType, tag })),
    { itemType },
    undefined,
  ];
  for (const when of conditions) {
    for (const sourceKey of sourceKeys) {
      const rule = rules.get(ruleKey(sourceKey, when));
      if (rule !== undefined) return rule;
    }
  }
  return undefined;
}

function ruleKey(sourceKey: string, when: RuleConditions['when']): string {
  const tag = when?.tag;
  return [sourceKeyOf(sourceKey), when?.itemType ?? '', tag ? tagKeyOf(tag) : ''].join(SEPARATOR + SEPARATOR);
}
