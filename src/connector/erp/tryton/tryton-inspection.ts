// Shows groups with their lines, by key and by period.
import { z } from 'zod';
import type { ErpCall } from '../erp-call.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { InspectedEntry, InspectedGroup, ListedGroup, ListedGroups } from '../erp-ledger.js';
import { groupsOf, isStanding, type MoveGroup } from './move-groups.js';
import type { TrytonCompanies } from './tryton-companies.js';
import { inspectedLine, type TrytonLines } from './tryton-lines.js';
import type { TrytonMoves } from './tryton-moves.js';

const PAGE_MOVES = 100;
const cursor = z.coerce.number().int().min(0);

export class TrytonInspection {
  constructor(
    private readonly companies: TrytonCompanies,
    private readonly moves: TrytonMoves,
    private readonly lines: TrytonLines,
  ) {}

  /** @throws ErpUnavailable */
  async inspect(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    const shown = await this.show(call, await this.find(call, keys));
    return Map.groupBy(shown, ({ key }) => key);
  }

  /**
   * Pages go over moves; a group is on the page of the first of its moves that are dated in the period.
   * @throws ErpUnavailable
   */
  async list(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    const page = await this.moves.findDated(call, days, cursor.parse(after ?? 0), PAGE_MOVES);
    const groups = (await this.find(call, page.keys)).filter(({ moves }) => {
      const dated = moves.filter(({ date }) => days.from <= date && date <= days.to).map(({ id }) => id);
      return dated.length > 0 && page.ids.has(Math.min(...dated));
    });
    const shown = await this.show(call, groups);
    return {
      groups: groups.flatMap((group, index) => listedOf(group, shown[index]?.entries ?? [])),
      next: page.lastId?.toString(),
    };
  }

  private async find(call: ErpCall, keys: readonly string[]): Promise<readonly MoveGroup[]> {
    return [...groupsOf(await this.moves.find(call, keys)).values()].flat();
  }

  private async show(call: ErpCall, groups: readonly MoveGroup[]): Promise<readonly InspectedGroup[]> {
    if (groups.length === 0) {
      return [];
    }
    const functional = await this.companies.currency(call);
    const ids = groups.flatMap(({ moves }) => moves.map(({ id }) => id));
    const lines = await this.lines.read(call, ids);
    return groups.map(({ moves, ...group }) => ({
      ...group,
      entries: moves.map(({ id, mark: { role, currency }, reversed, date }) => ({
        id: id.toString(),
        role,
        state: reversed ? 'reversed' : 'posted',
        postingDate: date,
        currency,
        lines: (lines.get(id) ?? []).map((line) => inspectedLine(line, currency, functional)),
      })),
    }));
  }
}

function listedOf(group: MoveGroup, entries: readonly InspectedEntry[]): readonly ListedGroup[] {
  const debits = entries.flatMap(({ lines }) => lines).filter(({ amountMinor }) => amountMinor > 0n);
  return group.moves.slice(0, 1).map(({ mark, date }) => ({
    key: group.key,
    revision: group.revision,
    standing: isStanding(group),
    accountingEntryId: group.key,
    installationId: mark.installationId,
    postingDate: entries.map(({ postingDate }) => postingDate).toSorted()[0] ?? date,
    amountMinor: debits.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    currency: mark.currency,
  }));
}
