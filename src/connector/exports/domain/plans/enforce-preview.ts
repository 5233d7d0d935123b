import { message } from '../../../../kernel/message.js';
import type { Issue } from '../../../bookkeeping/item/issues.js';
import { reasonOf } from '../item-failure.js';
import { failedItem, type PlannedItem } from './plan-chunk.js';
import { planText } from './plan-text.js';

const PREVIEW_ISSUE: Issue = { kind: 'preview', reference: 'entry' };

/**
 * Fails items whose plan is not the one that was previewed and committed.
 *
 * @param expected digest of the planned entries, by accounting entry; undefined: no preview, so anything may be posted
 * @param digest hash of a text, in hex
 */
export function enforcePreview(
  planned: readonly PlannedItem[],
  expected: ReadonlyMap<string, string> | undefined,
  digest: (text: string) => string,
): readonly PlannedItem[] {
  if (expected === undefined) return planned;
  return planned.map((item) => {
    if (item.action !== 'post' && item.action !== 'repost') return item;
    if (expected.get(item.accountingEntryId) === digest(planText(item.entries))) return item;
    const failure = {
      failureType: 'validation_failure',
      ...reasonOf(message('reason.preview')),
      issues: [PREVIEW_ISSUE],
    };
    const standing = item.action === 'repost' ? item.posting : undefined;
    return failedItem(item.accountingEntryId, failure, standing);
  });
}
