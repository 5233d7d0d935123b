// Pure: what keys that nothing knew could be mapped to.
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { tagKeyOf } from '../../bookkeeping/accounts/rule-index.js';
import { targetProblem, type Targets } from './targets.js';
import { fieldsOf, type RuleContent, type RuleFields } from './rule-fields.js';
import { identityOf } from './rule-identity.js';

/** Something of the platform that neither a rule nor the ERP knew. */
export interface UnmappedKey {
  readonly subject: RuleContent['subject'];
  /** Of a tag. */
  readonly sourceGroup?: string;
  readonly source: string;
  /** Name on the platform, where it is known. */
  readonly name?: string;
}

/** A key that made items fail. */
export interface KeyFailures extends UnmappedKey {
  /** Entries that named it. */
  readonly items: number;
  readonly lastSeen: Date;
}

export interface Proposal {
  readonly targetGroup?: string;
  readonly target: string;
  readonly because: 'used-before' | 'same-code' | 'same-name' | 'most-used';
}

export interface Suggestion extends KeyFailures {
  /** The best first; empty where nothing resembles it. */
  readonly proposals: readonly Proposal[];
}

const MAX_PROPOSALS = 5;

/**
 * The keys that still nothing knows, the most frequent first.
 *
 * @param earlier the rules of all versions, with what they said then
 */
export function suggestTargets(
  failures: readonly KeyFailures[],
  current: readonly MappingRule[],
  earlier: readonly RuleContent[],
  targets: Targets,
): readonly Suggestion[] {
  const mapped = new Set(current.map(identityOf));
  const proposer = new Proposer(current, earlier, targets);
  return failures
    .filter((seen) => !mapped.has(identityOf(asRule(seen))) && !isKnown(seen, targets))
    .sort((one, other) => other.items - one.items || (one.source < other.source ? -1 : 1))
    .map((seen) => ({ ...seen, proposals: proposer.propose(seen) }));
}

/** The rule that would send a key to a value of the same name. */
function asRule({ subject, source, sourceGroup = '' }: UnmappedKey): RuleContent {
  if (subject !== 'tag') return { subject, sourceKey: source, target: source };
  const key = { groupCode: sourceGroup, code: source };
  return { subject, source: key, target: key };
}

function isKnown(key: UnmappedKey, targets: Targets): boolean {
  return targetProblem(asRule(key), targets) === undefined;
}

interface Candidate {
  readonly subject: RuleContent['subject'];
  readonly targetGroup?: string;
  readonly target: string;
  readonly name: string;
}

function candidatesIn({ masterData: { accounts, taxCodes, dimensions } }: Targets): readonly Candidate[] {
  const isActive = ({ active }: { readonly active: boolean }) => active;
  return [
    ...accounts.filter(isActive).map(({ code, name }) => ({ subject: 'account' as const, target: code, name })),
    ...taxCodes.filter(isActive).map(({ code, name }) => ({ subject: 'tax-code' as const, target: code, name })),
    ...dimensions
      .filter(isActive)
      .flatMap(({ code: targetGroup, values }) =>
        values.filter(isActive).map(({ code }) => ({ subject: 'tag' as const, targetGroup, target: code, name: code })),
      ),
  ];
}

function keyIn(subject: RuleContent['subject'], text: string): string {
  return `${subject} ${text}`;
}

/** Keys that are mapped alike: all accounts, all tax codes, or the tags of one group. */
function groupOf({ subject, sourceGroup = '' }: UnmappedKey): string {
  return keyIn(subject, sourceGroup.toLowerCase());
}

function groupedBy<One>(all: readonly One[], keyOfOne: (one: One) => string): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const key = keyOfOne(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups;
}

/** Finds targets among what is active in the ERP. There may be thousands of keys, rules and targets: what is looked up is indexed once. */
class Proposer {
  private readonly byCode: ReadonlyMap<string, readonly Candidate[]>;
  private readonly byName: ReadonlyMap<string, readonly Candidate[]>;
  private readonly earlierOfKey: ReadonlyMap<string, readonly RuleContent[]>;
  private readonly currentOfGroup: ReadonlyMap<string, readonly RuleContent[]>;
  private readonly mostUsedOfGroup = new Map<string, readonly Proposal[]>();

  constructor(
    current: readonly MappingRule[],
    earlier: readonly RuleContent[],
    private readonly targets: Targets,
  ) {
    const candidates = candidatesIn(targets);
    this.byCode = groupedBy(candidates, ({ subject, target }) => keyIn(subject, comparableCode(target)));
    this.byName = groupedBy(candidates, ({ subject, name }) => keyIn(subject, comparableName(name)));
    this.earlierOfKey = groupedBy(earlier, (rule) => identityOf(asRule(keyOf(rule))));
    this.currentOfGroup = groupedBy<RuleContent>(current, (rule) => groupOf(keyOf(rule)));
  }

  /**
   * Targets that the key may stand for, the most likely first: what was used for it before, the same code, the same name,
   * what is used most. Each once, and few.
   */
  propose(key: KeyFailures): readonly Proposal[] {
    const found = [...this.usedBefore(key), ...this.sameCode(key), ...this.sameName(key), ...this.mostUsed(key)];
    const byTarget = new Map<string, Proposal>();
    for (const proposal of found) {
      const target = tagKeyOf({ groupCode: proposal.targetGroup ?? '', code: proposal.target });
      if (!byTarget.has(target)) byTarget.set(target, proposal);
    }
    return [...byTarget.values()].slice(0, MAX_PROPOSALS);
  }

  private usedBefore(key: KeyFailures): readonly Proposal[] {
    return this.byUse(this.earlierOfKey.get(identityOf(asRule(key))) ?? [], 'used-before');
  }

  private sameCode({ subject, source }: KeyFailures): readonly Proposal[] {
    const code = comparableCode(source);
    const found = code === '' ? [] : (this.byCode.get(keyIn(subject, code)) ?? []);
    return found.map((candidate) => toProposal(candidate, 'same-code'));
  }

  private sameName({ subject, name }: KeyFailures): readonly Proposal[] {
    const found = name === undefined ? [] : (this.byName.get(keyIn(subject, comparableName(name))) ?? []);
    return found.map((candidate) => toProposal(candidate, 'same-name'));
  }

  // Of a tag, within the dimension that its group goes to.
  private mostUsed(key: KeyFailures): readonly Proposal[] {
    const group = groupOf(key);
    const known =
      this.mostUsedOfGroup.get(group) ?? this.byUse(this.currentOfGroup.get(group) ?? [], 'most-used').slice(0, 1);
    this.mostUsedOfGroup.set(group, known);
    return known;
  }

  private byUse(rules: readonly RuleContent[], because: Proposal['because']): readonly Proposal[] {
    const uses = new Map<string, { readonly fields: RuleFields; readonly count: number }>();
    for (const rule of rules) {
      if (targetProblem(rule, this.targets) !== undefined) continue;
      const fields = fieldsOf(rule);
      const target = tagKeyOf({ groupCode: fields.targetGroup ?? '', code: fields.target ?? '' });
      uses.set(target, { fields, count: (uses.get(target)?.count ?? 0) + 1 });
    }
    return [...uses.values()]
      .sort((one, other) => other.count - one.count)
      .map(({ fields: { target = '', targetGroup } }) =>
        toProposal({ target, ...(targetGroup !== undefined && { targetGroup }) }, because),
      );
  }
}

function keyOf(rule: RuleContent): UnmappedKey {
  const { source = '', sourceGroup } = fieldsOf(rule);
  return { subject: rule.subject, source, ...(sourceGroup !== undefined && { sourceGroup }) };
}

function toProposal(
  { target, targetGroup }: Pick<Candidate, 'target' | 'targetGroup'>,
  because: Proposal['because'],
): Proposal {
  return { ...(targetGroup !== undefined && { targetGroup }), target, because };
}

// "06071" and "6071", "cc-100" and "CC 100": what people write differently and mean the same.
function comparableCode(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

function comparableName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();
}
