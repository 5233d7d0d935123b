// Pure: what is no longer as it was when something was previewed.
import { diffPlans, planAsJson } from '../../exports/domain/plans/plan-diff.js';
import { sameContent } from '../../exports/domain/plans/stored-item.js';
import type { ChunkItem } from '../../exports/domain/plans/plan-chunk.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import type { PostingPlan } from '../../bookkeeping/item/posting-plan.js';
import type { MappingDiff } from '../../mapping/domain/mapping-diff.js';
import { describeRule, fieldsOf } from '../../mapping/domain/rule-fields.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import type { PreviewResult } from './preview-result.js';

export interface PreviewChange {
  /**
   * `item`: what the platform says of the entry · `outcome`: whether it can be posted · `books`: whether it is in the books ·
   * `entries`: what would be posted, by place: another period, rate, account …
   */
  readonly what: 'mapping-version' | 'setting' | 'rule' | 'erp-company' | 'item' | 'outcome' | 'books' | 'entries';
  readonly accountingEntryId: string | null;
  /** JSON pointer into the settings or the planned entries; the number of a rule. */
  readonly pointer: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

const MAX_PER_KIND = 50;

/** Who else saved, and what. */
export function mappingChanges(before: number, after: number, diff: MappingDiff | undefined): readonly PreviewChange[] {
  const none = { accountingEntryId: null, pointer: null };
  const settings = (diff?.settings ?? []).slice(0, MAX_PER_KIND);
  const rules = (diff?.rules ?? []).slice(0, MAX_PER_KIND);
  return [
    { ...none, what: 'mapping-version', before: before.toString(), after: after.toString() },
    ...settings.map((change) => ({ what: 'setting' as const, accountingEntryId: null, ...change })),
    ...rules.map(({ id, before: old, after: now }) => ({
      what: 'rule' as const,
      accountingEntryId: null,
      pointer: id,
      before: old ? ruleText(old) : null,
      after: now ? ruleText(now) : null,
    })),
  ];
}

interface Previewed {
  readonly accountingEntryId: string;
  readonly item: ExportItem | null;
  readonly planDigest: string | null;
  readonly result: PreviewResult;
}

/**
 * @param now the same entry planned again; undefined when it is not there any more
 * @param isStanding whether it is in the books now
 */
export function changesOf(
  previewed: Previewed,
  now:
    | {
        readonly entry: ChunkItem;
        readonly plan: PostingPlan | undefined;
        readonly planDigest: string | undefined;
      }
    | undefined,
  isStanding: boolean | 'not-looked-up',
): readonly PreviewChange[] {
  const { accountingEntryId, item, planDigest, result } = previewed;
  const changed = (what: PreviewChange['what'], before: string | null, after: string | null) => ({
    what,
    accountingEntryId,
    pointer: null,
    before,
    after,
  });
  const itemNow = now !== undefined && 'item' in now.entry ? now.entry.item : undefined;
  if (now === undefined || (item !== null && (itemNow === undefined || !sameContent(item, itemNow)))) {
    return [changed('item', 'as previewed', itemNow === undefined ? null : 'changed on the platform')];
  }
  const stood = result.inBooks.state;
  if (stood !== 'not-looked-up' && isStanding !== 'not-looked-up' && isStanding !== (stood === 'standing')) {
    return [changed('books', stood, isStanding ? 'standing' : 'nothing')];
  }
  if ((now.planDigest ?? null) === planDigest) return [];
  const { plan } = now;
  if (plan?.outcome !== 'post' || planDigest === null) {
    const after = plan?.outcome === 'fail' ? plan.message : (plan?.outcome ?? 'unreadable');
    return [changed('outcome', outcomeText(result), after)];
  }
  const differences = diffPlans(result.entries, planAsJson(plan.entries));
  return differences.length === 0
    ? [changed('entries', 'as previewed', 'decided otherwise')]
    : differences.map((difference) => ({ what: 'entries' as const, accountingEntryId, ...difference }));
}

function outcomeText({ action, issues }: PreviewResult): string {
  return issues.length === 0 ? action : issues.map(({ message }) => message).join(' ');
}

function ruleText(rule: MappingRule): string {
  const { target, targetGroup } = fieldsOf(rule);
  return `${describeRule(rule)} → ${targetGroup === undefined ? '' : `${targetGroup} `}${target ?? ''}`;
}
