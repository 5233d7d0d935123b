// Moves (journal entries) that were posted through here, as they stand in Tryton.
import { z } from 'zod';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ErpCall } from '../erp-call.js';
import { keyPrefix, parseDescription, type MoveMark } from './move-description.js';
import type { TrytonJournals } from './tryton-journals.js';
import type { Domain, TrytonRpc } from './tryton-rpc.js';
import { day, dayValue, momentValue, text } from './tryton-values.js';

const MODEL = 'account.move';
const moveSchema = z.object({
  id: z.int(),
  description: text.nullish(),
  state: z.enum(['draft', 'posted']),
  date: day,
  post_number: text.nullish(),
  origin: text.nullish(),
});
type MoveRow = z.output<typeof moveSchema>;

export interface TrytonMove {
  readonly id: number;
  readonly mark: MoveMark;
  readonly description: string;
  readonly date: LocalDate;
  readonly postNumber: string | undefined;
  /** It counts. A draft is left over, or part of an attempt that is under way. */
  readonly posted: boolean;
  /** Id of the move that this one reverses. */
  readonly reverses: number | undefined;
  /** A posted move reverses it. */
  readonly reversed: boolean;
}

export class TrytonMoves {
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly journals: TrytonJournals,
  ) {}

  /**
   * All moves under these keys, drafts too, with their reversals, by ascending id.
   * @throws ErpUnavailable
   */
  async find(call: ErpCall, keys: readonly string[]): Promise<readonly TrytonMove[]> {
    if (keys.length === 0) {
      return [];
    }
    const wanted = new Set(keys);
    const prefixes = keys.map((key) => ['description', 'like', `${keyPrefix(key)}%`]);
    const rows = marked(await this.search(call, [['OR', ...prefixes]])).filter(({ mark }) => wanted.has(mark.key));
    // A reversal that a person made may have any description.
    const posted = rows.filter(({ row }) => row.state === 'posted').map(({ row }) => referenceTo(row.id));
    const reversals = posted.length === 0 ? [] : await this.search(call, [['origin', 'in', posted]]);
    const reversed = new Set(reversals.filter(({ state }) => state === 'posted').map(reversedBy));
    return rows.map(({ row, mark }) => moveOf(row, mark, reversed.has(row.id)));
  }

  /**
   * One page of the moves that are dated in a period, both days included, by ascending id.
   * @returns keys of those that were posted through here, and the last id when there may be more
   * @throws ErpUnavailable
   */
  async findDated(
    call: ErpCall,
    { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
    afterId: number,
    limit: number,
  ): Promise<{
    readonly ids: ReadonlySet<number>;
    readonly keys: readonly string[];
    readonly lastId: number | undefined;
  }> {
    const dated = [
      ['date', '>=', dayValue(from)],
      ['date', '<=', dayValue(to)],
      ['id', '>', afterId],
    ];
    const domain = await this.domain(call, dated);
    const rows = await this.rpc.readPage(call, MODEL, moveSchema, domain, limit);
    return {
      ids: new Set(rows.map(({ id }) => id)),
      keys: [...new Set(marked(rows).map(({ mark }) => mark.key))],
      lastId: rows.length < limit ? undefined : rows.at(-1)?.id,
    };
  }

  /** @returns ids of drafts of the connector that were created before and never posted. @throws ErpUnavailable */
  async findLeftOver(call: ErpCall, before: Date): Promise<readonly number[]> {
    const userId = await this.rpc.userId(call);
    const rows = await this.search(call, [
      ['state', '=', 'draft'],
      ['create_uid', '=', userId],
      ['create_date', '<', momentValue(before)],
    ]);
    return marked(rows).map(({ row }) => row.id);
  }

  private async search(call: ErpCall, domain: Domain): Promise<readonly MoveRow[]> {
    return this.rpc.readAll(call, MODEL, moveSchema, await this.domain(call, domain));
  }

  private async domain(call: ErpCall, domain: Domain): Promise<Domain> {
    const journals = await this.journals.all(call);
    return [['company', '=', Number(call.company)], ['journal', 'in', journals], ...domain];
  }
}

export function referenceTo(moveId: number): string {
  return `${MODEL},${moveId.toString()}`;
}

function reversedBy({ origin }: MoveRow): number | undefined {
  const [, id] = /^account\.move,(\d+)$/.exec(origin ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

function marked(rows: readonly MoveRow[]): readonly { readonly row: MoveRow; readonly mark: MoveMark }[] {
  return rows.flatMap((row) => {
    const mark = parseDescription(row.description ?? '');
    return mark === undefined ? [] : [{ row, mark }];
  });
}

function moveOf(row: MoveRow, mark: MoveMark, reversed: boolean): TrytonMove {
  return {
    id: row.id,
    mark,
    description: row.description ?? '',
    date: row.date,
    postNumber: row.post_number ?? undefined,
    posted: row.state === 'posted',
    reverses: reversedBy(row),
    reversed,
  };
}
