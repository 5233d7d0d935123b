// Posts groups of moves.
import type { Clock } from '../../../kernel/clock.js';
import type { ErpCall } from '../erp-call.js';
import {
  ErpUnavailable,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
} from '../erp-ledger.js';
import type { Attempt, AttemptResult, CommitAttempts } from './commit-attempts.js';
import { groupsOf, isStanding, postedOf, type MoveGroup } from './move-groups.js';
import type { MoveReferencesReader } from './move-references.js';
import { groupValues, Refusal, type MoveReferences } from './move-values.js';
import type { TrytonMoves } from './tryton-moves.js';

/** No attempt takes as long. */
const LEFT_OVER_AFTER_MS = 3_600_000;
const TAKEN: ErpFailure = { kind: 'server-error', message: 'Tryton has an entry with this key already' };

export class TrytonPostings {
  private sweptAt = -Infinity;

  constructor(
    private readonly moves: TrytonMoves,
    private readonly references: MoveReferencesReader,
    private readonly commits: CommitAttempts,
    private readonly clock: Clock,
    /** Address of the web client with its database. */
    private readonly page: string,
  ) {}

  async post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    try {
      return await this.tryPost(call, groups);
    } catch (error) {
      const failure = failureOf(error);
      return groups.map(() => ({ outcome: 'not-sent', failure }));
    }
  }

  /** @returns the newest revision under each key. @throws ErpUnavailable */
  async find(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    const groups = groupsOf(await this.moves.find(call, keys));
    const newest = [...groups.values()].flatMap((revisions) => revisions.slice(-1));
    return new Map(newest.map((group) => [group.key, postedOf(group, this.page)]));
  }

  /** @throws ErpUnavailable before anything is committed */
  private async tryPost(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    await this.deleteLeftOver(call);
    const entries = groups.flatMap((group) => group.entries);
    const references = await this.references.read(call, entries);
    const keys = groups.map(({ key }) => key);
    const found = await this.moves.find(call, keys);
    const booked = groupsOf(found);
    const prepared = groups.map((group) => prepare(call, group, booked.get(group.key) ?? [], references));
    const attempts = prepared.filter((each) => 'values' in each);
    const results = await this.commits.commit(call, attempts, found);
    const posted = await this.tryFind(
      call,
      attempts.filter((_, index) => results[index]?.kind === 'committed').map(({ key }) => key),
    );
    return prepared.map((each) =>
      'values' in each ? outcomeOf(results[attempts.indexOf(each)], each.key, posted) : each,
    );
  }

  private async tryFind(
    call: ErpCall,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup> | ErpFailure> {
    try {
      return await this.find(call, keys);
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Drafts of a crashed attempt would keep a period from being closed. */
  private async deleteLeftOver(call: ErpCall): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.sweptAt >= LEFT_OVER_AFTER_MS) {
      await this.commits.delete(call, await this.moves.findLeftOver(call, new Date(now - LEFT_OVER_AFTER_MS)));
      this.sweptAt = now;
    }
  }
}

/** @throws what is no failure of the ERP */
export function failureOf(error: unknown): ErpFailure {
  if (error instanceof ErpUnavailable) {
    return error.failure;
  }
  throw error;
}

function prepare(
  call: ErpCall,
  group: PostingGroup,
  booked: readonly MoveGroup[],
  references: MoveReferences,
): Attempt | PostOutcome {
  const { key, revision } = group;
  const newest = booked.at(-1);
  if (newest !== undefined && newest.revision >= revision) {
    return { outcome: 'unknown', failure: TAKEN };
  }
  const standing = booked.find(isStanding);
  if (standing !== undefined) {
    const message = `Revision ${standing.revision.toString()} of this entry is in the books of Tryton.`;
    return { outcome: 'refused', message };
  }
  try {
    return {
      key,
      values: groupValues(call.company, group, references),
      isRival: (move) => move.reverses === undefined && !(move.reversed && move.mark.revision < revision),
    };
  } catch (error) {
    if (error instanceof Refusal) {
      return { outcome: 'refused', message: error.message };
    }
    throw error;
  }
}

function outcomeOf(
  result: AttemptResult | undefined,
  key: string,
  posted: ReadonlyMap<string, PostedGroup> | ErpFailure,
): PostOutcome {
  switch (result?.kind) {
    case 'refused':
      return { outcome: 'refused', message: result.message };
    case 'not-sent':
    case 'unknown':
      return { outcome: result.kind, failure: result.failure };
    case 'committed':
    case undefined: {
      const found = 'kind' in posted ? undefined : posted.get(key);
      const failure = 'kind' in posted ? posted : TAKEN;
      return found === undefined ? { outcome: 'unknown', failure } : { outcome: 'created', posted: found };
    }
  }
}
