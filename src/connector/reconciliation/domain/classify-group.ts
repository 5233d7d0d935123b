// Pure: whether a group of the ERP belongs to something that we know of.
import type { DiscrepancyFinding } from './discrepancy-class.js';

export interface ListedPosting {
  readonly key: string;
  readonly standing: boolean;
  readonly accountingEntryId: string | undefined;
  readonly installationId: string | undefined;
}

/**
 * An entry without the connector's mark is the customer's own and is ignored.
 * @param isKnown whether we have an item or a posting of that key
 */
export function classifyGroup(
  group: ListedPosting,
  installationId: string,
  isKnown: (key: string) => boolean,
): readonly DiscrepancyFinding[] {
  if (!group.standing || group.installationId !== installationId || isKnown(group.key)) {
    return [];
  }
  const { accountingEntryId } = group;
  const isCopy = accountingEntryId !== undefined && accountingEntryId !== group.key && isKnown(accountingEntryId);
  return [{ class: isCopy ? 'duplicate-in-erp' : 'orphan-entry', repair: undefined }];
}
