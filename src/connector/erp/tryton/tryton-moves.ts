// Moves (journal entries) that were posted through here, as they stand in Tryton.
import { z } from 'zod';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ErpCall } from '../erp-call.js';
import type { StepRecord } from '../kit/step-records.js';
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

export interface TrytonMove extends StepRecord {
  readonly moveId: number;
  readonly mark: MoveMark;
  readonly description: string;
  readonly date: LocalDate;
}

export class TrytonMoves {
  constructor(
    private readonly rpc: TrytonRpc,
    private readonly journals: TrytonJournals,
    /** Address of the web client with its database. */
    private readonly page: string,
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
    return rows.map(({ row, mark }) => this.moveOf(row, mark, reversed.has(row.id)));
  }

  /**
   * One page of the moves that are dated in a period, both days included, by ascending id.
   * @returns keys of those that were posted through here; `next`: the last id when there may be more
   * @throws ErpUnavailable
   */
  async findDated(
    call: ErpCall,
    { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
    afterId: number,
    limit: number,
  ): Promise<{
    readonly ids: readonly string[];
    readonly keys: readonly string[];
    readonly next: string | undefined;
  }> {
    const dated = [
      ['date', '>=', dayValue(from)],
      ['date', '<=', dayValue(to)],
      ['id', '>', afterId],
    ];
    const domain = await this.domain(call, dated);
    const rows = await this.rpc.readPage(call, MODEL, moveSchema, domain, limit);
    return {
      ids: rows.map(({ id }) => id.toString()),
      keys: marked(rows).map(({ mark }) => mark.key),
      next: rows.length < limit ? undefined : rows.at(-1)?.id.toString(),
    };
  }

  /** @returns ids of drafts of the connector that were created before and never posted. @throws ErpUnavailable */
  async findLeftOver(call: ErpCall, before: Date): Promise<readonly string[]> {
    const userId = await this.rpc.userId(call);
    const rows = await this.search(call, [
      ['state', '=', 'draft'],
      ['create_uid', '=', userId],
      ['create_date', '<', momentValue(before)],
    ]);
    return marked(rows).map(({ row }) => row.id.toString());
  }

  private moveOf(row: MoveRow, mark: MoveMark, reversed: boolean): TrytonMove {
    const id = row.id.toString();
    return {
      id,
      moveId: row.id,
      order: row.id,
      key: mark.key,
      revision: mark.revision,
      contentDigest: mark.contentDigest,
      role: mark.role,
      position: mark.position,
      installationId: mark.installationId,
      mark,
      description: row.description ?? '',
      date: row.date,
      number: row.post_number ?? undefined,
      counts: row.state === 'posted',
      reverses: reversedBy(row)?.toString(),
      reversed,
      url: `${this.page}/model/account.move/${id}`,
    };
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
