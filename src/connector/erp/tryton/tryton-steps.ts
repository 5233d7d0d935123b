// The steps in which moves get into the books of Tryton: created as drafts, then posted by one request over all of them.
// PostgreSQL lets a draft be either deleted or posted.
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import type { ErpCall } from '../erp-call.js';
import type { PostingGroup } from '../erp-ledger.js';
import type { WriteResult } from '../kit/erp-http.js';
import { together } from '../kit/step-machine.js';
import type { Days, Drafts, LedgerSteps } from '../kit/step-ledger.js';
import type { ShownEntry } from '../kit/step-records.js';
import type { MoveReferencesReader } from './move-references.js';
import { groupValues, Refusal, reversalValues, type MoveValues } from './move-values.js';
import { todayAt, type TrytonCompanies } from './tryton-companies.js';
import { inspectedLine, type TrytonLines } from './tryton-lines.js';
import type { TrytonMove, TrytonMoves } from './tryton-moves.js';
import type { TrytonRpc } from './tryton-rpc.js';

const MODEL = 'model.account.move';
const PAGE_MOVES = 100;
const cursor = z.coerce.number().int().min(0);

export class TrytonSteps implements LedgerSteps<MoveValues, TrytonMove> {
  constructor(
    private readonly companies: TrytonCompanies,
    private readonly rpc: TrytonRpc,
    private readonly moves: TrytonMoves,
    private readonly lines: TrytonLines,
    private readonly references: MoveReferencesReader,
    private readonly clock: Clock,
  ) {}

  find(call: ErpCall, keys: readonly string[]): Promise<readonly TrytonMove[]> {
    return this.moves.find(call, keys);
  }

  findLeftOver(call: ErpCall, before: Date): Promise<readonly string[]> {
    return this.moves.findLeftOver(call, before);
  }

  async drafts(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly Drafts<MoveValues>[]> {
    const references = await this.references.read(
      call,
      groups.flatMap((group) => group.entries),
    );
    return groups.map((group) => drafted(() => groupValues(call.company, group, references)));
  }

  async reversals(call: ErpCall, records: readonly (readonly TrytonMove[])[]): Promise<readonly Drafts<MoveValues>[]> {
    const moves = records.flat();
    const today = todayAt(this.clock, await this.companies.facts(call));
    const references = await this.references.read(call, [], [today, ...moves.map(({ date }) => date)]);
    const lines = await this.lines.read(
      call,
      moves.map(({ moveId }) => moveId),
    );
    return records.map((some) =>
      drafted(() =>
        some.map((move) => reversalValues(call.company, move, lines.get(move.moveId) ?? [], references, today)),
      ),
    );
  }

  async show(call: ErpCall, records: readonly TrytonMove[]): Promise<(move: TrytonMove) => ShownEntry> {
    const functional = await this.companies.currency(call);
    const lines = await this.lines.read(
      call,
      records.map(({ moveId }) => moveId),
    );
    return ({ moveId, date: postingDate, mark: { currency } }) => ({
      postingDate,
      currency,
      lines: (lines.get(moveId) ?? []).map((line) => inspectedLine(line, currency, functional)),
    });
  }

  page(call: ErpCall, days: Days, after: string | undefined) {
    return this.moves.findDated(call, days, cursor.parse(after ?? 0), PAGE_MOVES);
  }

  async create(
    call: ErpCall,
    works: readonly (readonly MoveValues[])[],
  ): Promise<readonly WriteResult<readonly string[]>[]> {
    const sent = await together(works, (some) =>
      this.rpc.write(call, z.array(z.int()), `${MODEL}.create`, [some.flat()]),
    );
    return sent.flatMap(({ items, result }) => {
      let at = 0;
      return items.map(({ length }): WriteResult<readonly string[]> => {
        at += length;
        return result.kind === 'responded'
          ? { kind: 'responded', value: result.value.slice(at - length, at).map(String) }
          : result;
      });
    });
  }

  commit(call: ErpCall, ids: readonly string[]): Promise<WriteResult<unknown>> {
    return this.rpc.write(call, z.unknown(), `${MODEL}.post`, [ids.map(Number)]);
  }

  remove(call: ErpCall, ids: readonly string[]): Promise<WriteResult<unknown>> {
    return this.rpc.write(call, z.unknown(), `${MODEL}.delete`, [ids.map(Number)]);
  }
}

function drafted(values: () => readonly MoveValues[]): Drafts<MoveValues> {
  try {
    return { drafts: values() };
  } catch (error) {
    if (error instanceof Refusal) {
      return { refused: error.message };
    }
    throw error;
  }
}
