// Exactly-once over an ERP without unique keys. An attempt creates its moves as drafts, which count for nothing, and one
// request over all of them is the commit. Between the two it looks for rivals, other moves of the same effect:
//   - Drafts of earlier attempts are deleted first. A commit of theirs that is still under way finds nothing to commit.
//   - Of attempts at the same time, at least one sees the other, since each creates before it looks. The higher id waits for
//     the lower one, which goes on once it has deleted the drafts of the other. PostgreSQL lets a draft be either deleted
//     or posted, so that only one of them commits.
//   - What a crash leaves behind are drafts that nobody will post.
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import type { ErpCall } from '../erp-call.js';
import { ErpUnavailable, type ErpFailure } from '../erp-ledger.js';
import type { WriteResult } from '../kit/erp-http.js';
import type { MoveValues } from './move-values.js';
import type { TrytonMove, TrytonMoves } from './tryton-moves.js';
import type { TrytonRpc } from './tryton-rpc.js';

export interface Attempt {
  readonly key: string;
  readonly values: readonly MoveValues[];
  /** Whether a move under the key and this attempt must not both count. */
  isRival(move: TrytonMove): boolean;
}

export type AttemptResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'not-sent'; readonly failure: ErpFailure }
  | { readonly kind: 'unknown'; readonly failure: ErpFailure };

const MODEL = 'model.account.move';
/** So often an attempt looks whether those before it are done; then their drafts are taken for left over. */
const ROUNDS = 15;
const ROUND_MS = 200;
const TAKEN = {
  kind: 'unknown',
  failure: { kind: 'server-error', message: 'another attempt to post the entry is under way in Tryton' },
} as const satisfies AttemptResult;

interface Running {
  readonly attempt: Attempt;
  ids: readonly number[];
  result: AttemptResult | undefined;
}

export class CommitAttempts {
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly moves: TrytonMoves,
    private readonly clock: Clock,
  ) {}

  /**
   * @param attempts of different keys
   * @param found the moves under their keys, as they stood just now
   * @returns one result per attempt, in their order
   */
  async commit(
    call: ErpCall,
    attempts: readonly Attempt[],
    found: readonly TrytonMove[],
  ): Promise<readonly AttemptResult[]> {
    const all = attempts.map((attempt): Running => ({ attempt, ids: [], result: undefined }));
    try {
      await this.overcomeRivals(call, all, found);
      await this.createDrafts(call, all.filter(isOpen));
      const open = all.filter(isOpen);
      await this.overcomeRivals(call, open, await this.moves.find(call, keysOf(open)));
    } catch (error) {
      if (!(error instanceof ErpUnavailable)) {
        throw error;
      }
      // Nothing is committed yet, and drafts that are left over never will be.
      endAll(all.filter(isOpen), { kind: 'not-sent', failure: error.failure });
    }
    await this.commitDrafts(call, all.filter(isOpen));
    await this.deleteOwn(call, all);
    return all.map(({ result }) => result ?? TAKEN);
  }

  private async createDrafts(call: ErpCall, open: readonly Running[]): Promise<void> {
    const sent = await together(open, (some) =>
      this.rpc.write(call, z.array(z.int()), `${MODEL}.create`, [some.flatMap(({ attempt }) => attempt.values)]),
    );
    for (const { items, result } of sent) {
      if (result.kind !== 'responded') {
        endAll(items, result.kind === 'refused' ? result : { kind: 'not-sent', failure: result.failure });
        continue;
      }
      let at = 0;
      for (const item of items) {
        item.ids = result.value.slice(at, at + item.attempt.values.length);
        at += item.attempt.values.length;
      }
    }
  }

  /** Ends attempts whose effect is there, and deletes the drafts of the rivals of all others. */
  private async overcomeRivals(
    call: ErpCall,
    open: readonly Running[],
    found: readonly TrytonMove[],
    roundsLeft = ROUNDS,
  ): Promise<void> {
    const waiting = new Set(open.filter((item) => roundsLeft > 0 && isBehind(item, found)));
    const losing = new Map<Running, readonly number[]>();
    for (const item of open.filter((each) => !waiting.has(each))) {
      const rivals = rivalsOf(item, found);
      if (rivals.some(({ posted }) => posted) || !item.ids.every((id) => found.some((move) => move.id === id))) {
        item.result = TAKEN;
      } else if (rivals.length > 0) {
        losing.set(
          item,
          rivals.map(({ id }) => id),
        );
      }
    }
    const sent = await together([...losing.keys()], (some) =>
      this.delete(
        call,
        some.flatMap((item) => losing.get(item) ?? []),
      ),
    );
    const refused: Running[] = [];
    for (const { items, result } of sent) {
      if (result.kind === 'refused' && roundsLeft > 0) {
        // One of the drafts was posted meanwhile, or deleted by the attempt that it belongs to.
        refused.push(...items);
      } else if (result.kind !== 'responded') {
        const failure = 'failure' in result ? result.failure : { ...TAKEN.failure, message: result.message };
        endAll(items, { kind: 'unknown', failure });
      }
    }
    const next = [...waiting, ...refused].filter(isOpen);
    if (next.length > 0) {
      await this.clock.sleep(ROUND_MS, call.signal);
      await this.overcomeRivals(call, next, await this.moves.find(call, keysOf(next)), roundsLeft - 1);
    }
  }

  private async commitDrafts(call: ErpCall, open: readonly Running[]): Promise<void> {
    const sent = await together(open, (some) =>
      this.rpc.write(call, z.unknown(), `${MODEL}.post`, [some.flatMap(({ ids }) => ids)]),
    );
    for (const { items, result } of sent) {
      endAll(items, result.kind === 'responded' ? { kind: 'committed' } : result);
    }
  }

  /**
   * Leaves no drafts of what was not committed. What was refused because an attempt at the same time has deleted its
   * drafts is no refusal.
   */
  private async deleteOwn(call: ErpCall, all: readonly Running[]): Promise<void> {
    const created = all.filter(({ ids, result }) => ids.length > 0 && result?.kind !== 'committed');
    const abandoned = created.filter(({ result }) => result?.kind === 'refused' || result === TAKEN);
    if (abandoned.length === 0) {
      return;
    }
    try {
      const left = await this.moves.find(call, keysOf(abandoned));
      const leftIds = new Set(left.filter(({ posted }) => !posted).map(({ id }) => id));
      for (const item of abandoned) {
        if (item.result?.kind === 'refused' && !item.ids.every((id) => leftIds.has(id))) {
          item.result = TAKEN;
        }
      }
      await this.delete(
        call,
        abandoned.flatMap(({ ids }) => ids.filter((id) => leftIds.has(id))),
      );
    } catch (error) {
      if (!(error instanceof ErpUnavailable)) {
        throw error;
      }
      endAll(
        abandoned.filter(({ result }) => result?.kind === 'refused'),
        { kind: 'unknown', failure: error.failure },
      );
    }
  }

  async delete(call: ErpCall, ids: readonly number[]): Promise<WriteResult<unknown>> {
    return ids.length === 0
      ? { kind: 'responded', value: undefined }
      : this.rpc.write(call, z.unknown(), `${MODEL}.delete`, [ids]);
  }
}

function rivalsOf({ attempt, ids }: Running, found: readonly TrytonMove[]): readonly TrytonMove[] {
  return found.filter((move) => move.mark.key === attempt.key && !ids.includes(move.id) && attempt.isRival(move));
}

/** Whether rivals that were created earlier are still at work. */
function isBehind(item: Running, found: readonly TrytonMove[]): boolean {
  const [own = -Infinity] = item.ids;
  const rivals = rivalsOf(item, found);
  return !rivals.some(({ posted }) => posted) && rivals.some(({ id }) => id < own);
}

function keysOf(items: readonly Running[]): readonly string[] {
  return items.map(({ attempt }) => attempt.key);
}

/**
 * One request for all items; when it is refused, one for each, since the refusal of one takes no other along. That also
 * repeats what was refused because of a request at the same time, such as the first move of a journal in a period.
 */
async function together<Item, T>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<WriteResult<T>>,
): Promise<readonly { readonly items: readonly Item[]; readonly result: WriteResult<T> }[]> {
  if (items.length === 0) {
    return [];
  }
  const result = await send(items);
  if (result.kind !== 'refused') {
    return [{ items, result }];
  }
  const each = [];
  for (const item of items) {
    each.push({ items: [item], result: await send([item]) });
  }
  return each;
}

function isOpen({ result }: Running): boolean {
  return result === undefined;
}

function endAll(items: readonly Running[], result: AttemptResult): void {
  for (const item of items) {
    item.result = result;
  }
}
