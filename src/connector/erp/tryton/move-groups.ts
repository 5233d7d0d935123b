// Posting groups as they stand in Tryton: posted moves by key and revision.
import type { PostedGroup } from '../erp-ledger.js';
import type { TrytonMove } from './tryton-moves.js';

export interface MoveGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  /** In the order in which they were planned; without reversals. */
  readonly moves: readonly TrytonMove[];
}

/** @returns every revision by key, oldest first */
export function groupsOf(moves: readonly TrytonMove[]): ReadonlyMap<string, readonly MoveGroup[]> {
  const entries = moves.filter(({ posted, reverses }) => posted && reverses === undefined);
  const byRevision = Map.groupBy(entries, ({ mark }) => `${mark.revision.toString()} ${mark.key}`);
  const groups = [...byRevision.values()].flatMap((some) =>
    some.slice(0, 1).map(({ mark: { key, revision, contentDigest } }) => ({
      key,
      revision,
      contentDigest,
      moves: some.toSorted((a, b) => a.mark.position - b.mark.position || a.id - b.id),
    })),
  );
  return Map.groupBy(
    groups.toSorted((a, b) => a.revision - b.revision),
    ({ key }) => key,
  );
}

/** Whether one of its entries is in the balances. */
export function isStanding({ moves }: MoveGroup): boolean {
  return moves.some(({ reversed }) => !reversed);
}

/** @param page address of the web client with its database */
export function postedOf(group: MoveGroup, page: string): PostedGroup {
  const { key, revision, contentDigest, moves } = group;
  return {
    key,
    revision,
    contentDigest,
    reversed: !isStanding(group),
    entries: moves.map(({ id, mark, postNumber }) => ({
      role: mark.role,
      id: id.toString(),
      number: postNumber,
      url: `${page}/model/account.move/${id.toString()}`,
    })),
    warnings: [],
  };
}
