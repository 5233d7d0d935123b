import { parseStoredMessage, message, type Message } from '../../../kernel/message.js';
import type { PlannedChange, SyncKind } from './sync-plan.js';

/** Of a shorter list every change is a person's business as usual. */
const MIN_ROWS = 10;
/** A person confirms the loss of more. */
const MAX_LOSS_PERCENT = 20;
const LIST_LOSS = 'sync.question.list-loss';

/** What a person confirms, or does not. */
export interface ListLoss {
  /** Records that would be archived. */
  readonly archives: number;
  /** Records of the list that are not archived now. */
  readonly of: number;
}

/**
 * A list of the ERP that has lost more than a fifth of its rows is more likely wrong than intended: a filter, a permission, another
 * company. A person says whether it is.
 * @param active records of the platform that the plan compares and that are not archived
 * @param losses steps of the plan that may archive what the ERP has lost
 * @param confirmed how many of them a person has said may be archived
 * @returns what the person has to decide; undefined when the plan may be carried out
 */
export function questionOf(
  kind: SyncKind,
  active: number,
  losses: readonly PlannedChange[],
  confirmed: number,
): Message | undefined {
  // A group of tags is archived because a person no longer wants the dimension.
  const lost = losses.filter(({ action, subject }) => action === 'archive' && subject !== 'tag-group').length;
  if (active < MIN_ROWS || lost * 100 <= active * MAX_LOSS_PERCENT || lost <= confirmed) {
    return undefined;
  }
  return message(LIST_LOSS, {
    kind: kind === 'vendor-drafts' ? 'vendors' : kind,
    all: active,
    some: lost,
  });
}

/**
 * @param failure of a run that waits for confirmation, as it is kept
 * @returns undefined for every other text
 */
export function listLossIn(failure: string): ListLoss | undefined {
  const kept = parseStoredMessage(failure);
  if (kept?.code !== LIST_LOSS) {
    return undefined;
  }
  const { some, all } = kept.parameters;
  return { archives: Number(some), of: Number(all) };
}
