// Exactly-once over an ERP without unique keys and transactions of ours. An attempt creates its records as drafts, which count
// for nothing, and one request over all of them is the commit. Between the two it looks for rivals, other records of the same
// effect:
//   - Drafts of earlier attempts are deleted first. A commit of theirs that is still under way finds nothing to commit.
//   - Of attempts at the same time, at least one sees the other, since each creates before it looks. The younger one waits for
//     the older one, which goes on once it has deleted the drafts of the other. The ERP lets a draft be either deleted or
//     committed, so that only one of them commits.
//   - What a crash leaves behind are drafts that will never be committed. They are deleted.
import type { Clock } from '../../../kernel/clock.js';
import type { ErpCall } from '../erp-call.js';
import { ErpUnavailable, type ErpFailure } from '../erp-ledger.js';
import type { WriteResult } from './erp-http.js';
import type { StepRecord } from './step-records.js';

/** The steps of one ERP. Each of them is any number of requests, but `commit` and `remove`, which are one each. */
export interface Steps<Draft, Found extends StepRecord> {
  /** All records under these keys, drafts and reversals too. @throws ErpUnavailable */
  find(call: ErpCall, keys: readonly string[]): Promise<readonly Found[]>;

  /** Ids of drafts of the connector that were created before and never committed. @throws ErpUnavailable */
  findLeftOver(call: ErpCall, before: Date): Promise<readonly string[]>;

  /**
   * Creates drafts; what cannot be created whole is left as drafts under its key, or removed.
   * @param works the drafts of each attempt
   * @returns for each attempt the ids of its drafts
   */
  create(call: ErpCall, works: readonly (readonly Draft[])[]): Promise<readonly WriteResult<readonly string[]>[]>;

  /** Makes all of these drafts count, or none of them; refused when one is not there any more. */
  commit(call: ErpCall, ids: readonly string[]): Promise<WriteResult<unknown>>;

  /** Deletes all of these drafts, or none of them; refused when one counts or is not there any more. */
  remove(call: ErpCall, ids: readonly string[]): Promise<WriteResult<unknown>>;
}

export interface Attempt<Draft, Found> {
  readonly key: string;
  readonly drafts: readonly Draft[];
  /** Whether a record under the key and this attempt must not both count. */
  isRival(record: Found): boolean;
}

export type AttemptResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'not-sent'; readonly failure: ErpFailure }
  | { readonly kind: 'unknown'; readonly failure: ErpFailure };

/** So often an attempt looks whether those before it are done; then their drafts are treated as left over. */
const ROUNDS = 15;
const ROUND_MS = 200;
/** No attempt takes as long. */
const LEFT_OVER_AFTER_MS = 3_600_000;
const TAKEN = {
  kind: 'unknown',
  failure: { kind: 'server-error', message: 'another attempt to post the entry is under way in the accounting system' },
} as const satisfies AttemptResult;

interface Running<Draft, Found> {
  readonly attempt: Attempt<Draft, Found>;
  ids: readonly string[];
  result: AttemptResult | undefined;
}

export class StepMachine<Draft, Found extends StepRecord> {
  private sweptAt = -Infinity;

  constructor(
    private readonly steps: Steps<Draft, Found>,
    private readonly clock: Clock,
  ) {}

  /** Deletes what crashed attempts have left, once an hour. @throws ErpUnavailable */
  async sweep(call: ErpCall): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.sweptAt >= LEFT_OVER_AFTER_MS) {
      await this.removeInParts(call, await this.steps.findLeftOver(call, new Date(now - LEFT_OVER_AFTER_MS)));
      this.sweptAt = now;
    }
  }

  /**
   * @param attempts of different keys
   * @param found the records under their keys, as they stood just now
   * @returns one result per attempt, in their order
   */
  async commit(
    call: ErpCall,
    attempts: readonly Attempt<Draft, Found>[],
    found: readonly Found[],
  ): Promise<readonly AttemptResult[]> {
    const all = attempts.map((attempt): Running<Draft, Found> => ({ attempt, ids: [], result: undefined }));
    try {
      await this.overcomeRivals(call, all, found);
      await this.createDrafts(call, all.filter(isOpen));
      const open = all.filter(isOpen);
      await this.overcomeRivals(call, open, await this.find(call, open));
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

  private async createDrafts(call: ErpCall, open: readonly Running<Draft, Found>[]): Promise<void> {
    const results = await this.steps.create(
      call,
      open.map(({ attempt }) => attempt.drafts),
    );
    for (const [index, item] of open.entries()) {
      const result = results[index];
      if (result?.kind === 'responded') {
        item.ids = result.value;
      } else if (result !== undefined) {
        item.result = result.kind === 'refused' ? result : { kind: 'not-sent', failure: result.failure };
      }
    }
  }

  /** Ends attempts whose effect is there, and deletes the drafts of the rivals of all others. */
  private async overcomeRivals(
    call: ErpCall,
    open: readonly Running<Draft, Found>[],
    found: readonly Found[],
    roundsLeft = ROUNDS,
  ): Promise<void> {
    const waiting = new Set(open.filter((item) => roundsLeft > 0 && isBehind(item, found)));
    const losing = new Map<Running<Draft, Found>, readonly string[]>();
    for (const item of open.filter((each) => !waiting.has(each))) {
      const rivals = rivalsOf(item, found);
      if (rivals.some(({ counts }) => counts) || !item.ids.every((id) => found.some((record) => record.id === id))) {
        item.result = TAKEN;
      } else if (rivals.length > 0) {
        losing.set(
          item,
          rivals.map(({ id }) => id),
        );
      }
    }
    const sent = await together([...losing.keys()], (some) =>
      this.remove(
        call,
        some.flatMap((item) => losing.get(item) ?? []),
      ),
    );
    const refused: Running<Draft, Found>[] = [];
    for (const { items, result } of sent) {
      if (result.kind === 'refused' && roundsLeft > 0) {
        // One of the drafts was committed meanwhile, or deleted by the attempt that it belongs to.
        refused.push(...items);
      } else if (result.kind !== 'responded') {
        const failure = 'failure' in result ? result.failure : { ...TAKEN.failure, message: result.message };
        endAll(items, { kind: 'unknown', failure });
      }
    }
    const next = [...waiting, ...refused].filter(isOpen);
    if (next.length > 0) {
      await this.clock.sleep(ROUND_MS, call.signal);
      await this.overcomeRivals(call, next, await this.find(call, next), roundsLeft - 1);
    }
  }

  private async commitDrafts(call: ErpCall, open: readonly Running<Draft, Found>[]): Promise<void> {
    const sent = await together(open, (some) =>
      this.steps.commit(
        call,
        some.flatMap(({ ids }) => ids),
      ),
    );
    for (const { items, result } of sent) {
      endAll(items, result.kind === 'responded' ? { kind: 'committed' } : result);
    }
  }

  /**
   * Leaves no drafts of what was not committed. What was refused because an attempt at the same time has deleted its
   * drafts is no refusal.
   */
  private async deleteOwn(call: ErpCall, all: readonly Running<Draft, Found>[]): Promise<void> {
    const created = all.filter(({ ids, result }) => ids.length > 0 && result?.kind !== 'committed');
    const abandoned = created.filter(({ result }) => result?.kind === 'refused' || result === TAKEN);
    if (abandoned.length === 0) {
      return;
    }
    try {
      const left = await this.find(call, abandoned);
      const leftIds = new Set(left.filter(({ counts }) => !counts).map(({ id }) => id));
      for (const item of abandoned) {
        if (item.result?.kind === 'refused' && !item.ids.every((id) => leftIds.has(id))) {
          item.result = TAKEN;
        }
      }
      await this.removeInParts(
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

  private async find(call: ErpCall, items: readonly Running<Draft, Found>[]): Promise<readonly Found[]> {
    return items.length === 0
      ? []
      : this.steps.find(
          call,
          items.map(({ attempt }) => attempt.key),
        );
  }

  /** A draft that the ERP does not delete keeps no other: what is refused is sent again in halves. */
  private async removeInParts(call: ErpCall, ids: readonly string[]): Promise<void> {
    const result = await this.remove(call, ids);
    if (result.kind === 'refused' && ids.length > 1) {
      const half = Math.ceil(ids.length / 2);
      await this.removeInParts(call, ids.slice(0, half));
      await this.removeInParts(call, ids.slice(half));
    }
  }

  private async remove(call: ErpCall, ids: readonly string[]): Promise<WriteResult<unknown>> {
    return ids.length === 0 ? { kind: 'responded', value: undefined } : this.steps.remove(call, ids);
  }
}

function rivalsOf<Draft, Found extends StepRecord>(
  { attempt, ids }: Running<Draft, Found>,
  found: readonly Found[],
): readonly Found[] {
  return found.filter((record) => record.key === attempt.key && !ids.includes(record.id) && attempt.isRival(record));
}

/** Whether rivals that were created earlier are still at work. */
function isBehind<Draft, Found extends StepRecord>(item: Running<Draft, Found>, found: readonly Found[]): boolean {
  const own = found.filter(({ id }) => item.ids.includes(id)).map(({ order }) => order);
  const rivals = rivalsOf(item, found);
  return (
    !rivals.some(({ counts }) => counts) &&
    rivals.some(({ order }) => order < Math.min(...own, Infinity) && own.length > 0)
  );
}

/**
 * One request for all items; when it is refused, one for each, since the refusal of one takes no other along. That also
 * repeats what was refused because of a request at the same time, such as the first entry of a journal in a period.
 */
export async function together<Item, T>(
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

function isOpen({ result }: { readonly result: AttemptResult | undefined }): boolean {
  return result === undefined;
}

function endAll(items: readonly { result: AttemptResult | undefined }[], result: AttemptResult): void {
  for (const item of items) {
    item.result = result;
  }
}
