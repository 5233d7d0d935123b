// Takes groups out of the balances, by moves that reverse theirs.
import type { Clock } from '../../../kernel/clock.js';
import { localDateIn } from '../../../kernel/local-date.js';
import type { ErpCall } from '../erp-call.js';
import type { ReverseOutcome } from '../erp-ledger.js';
import type { Attempt, AttemptResult, CommitAttempts } from './commit-attempts.js';
import { groupsOf, type MoveGroup } from './move-groups.js';
import type { MoveReferencesReader } from './move-references.js';
import { Refusal, reversalValues } from './move-values.js';
import type { TrytonLines } from './tryton-lines.js';
import type { TrytonMove, TrytonMoves } from './tryton-moves.js';
import { failureOf } from './tryton-postings.js';

export class TrytonReversals {
  constructor(
    private readonly moves: TrytonMoves,
    private readonly lines: TrytonLines,
    private readonly references: MoveReferencesReader,
    private readonly commits: CommitAttempts,
    private readonly clock: Clock,
  ) {}

  async reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    try {
      return await this.tryReverse(call, keys);
    } catch (error) {
      const failure = failureOf(error);
      return keys.map(() => ({ outcome: 'unavailable', failure }));
    }
  }

  /** @throws ErpUnavailable */
  private async tryReverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    const found = await this.moves.find(call, keys);
    const groups = groupsOf(found);
    const prepared = await this.prepare(call, groups);
    const attempts = prepared.filter((each) => 'values' in each);
    const results = await this.commits.commit(call, attempts, found);
    const outcomes = new Map<string, ReverseOutcome>([...groups.keys()].map((key) => [key, { outcome: 'reversed' }]));
    for (const each of prepared) {
      outcomes.set(each.key, 'values' in each ? outcomeOf(results[attempts.indexOf(each)]) : each.refused);
    }
    return keys.map((key) => outcomes.get(key) ?? { outcome: 'absent' });
  }

  /** @returns for each key with moves that nothing reverses. @throws ErpUnavailable */
  private async prepare(
    call: ErpCall,
    groups: ReadonlyMap<string, readonly MoveGroup[]>,
  ): Promise<readonly (Attempt | { readonly key: string; readonly refused: ReverseOutcome })[]> {
    const moves = [...groups.values()].flat().flatMap((group) => group.moves.filter(({ reversed }) => !reversed));
    if (moves.length === 0) {
      return [];
    }
    const today = localDateIn(this.clock.now(), 'UTC');
    const dates = [today, ...moves.map(({ date }) => date)];
    const references = await this.references.read(call, [], dates);
    const ids = moves.map(({ id }) => id);
    const lines = await this.lines.read(call, ids);
    return [...Map.groupBy(moves, ({ mark }) => mark.key)].map(([key, some]) => {
      const isRival = (move: TrytonMove) => move.mark.isReversal && some.some(({ id }) => id === move.reverses);
      const valuesOf = (move: TrytonMove) =>
        reversalValues(call.company, move, lines.get(move.id) ?? [], references, today);
      try {
        return { key, values: some.map(valuesOf), isRival };
      } catch (error) {
        if (error instanceof Refusal) {
          return { key, refused: { outcome: 'refused', message: error.message } };
        }
        throw error;
      }
    });
  }
}

function outcomeOf(result: AttemptResult | undefined): ReverseOutcome {
  switch (result?.kind) {
    case 'committed':
    case undefined:
      return { outcome: 'reversed' };
    case 'refused':
      return { outcome: 'refused', message: result.message };
    case 'not-sent':
    case 'unknown':
      return { outcome: 'unavailable', failure: result.failure };
  }
}
