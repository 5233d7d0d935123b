import { Injectable } from '@nestjs/common';
import { TimeOrderedIds } from '../../../../foundation/clock/time-ordered-ids.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { Bug } from '../../../../kernel/faults.js';
import { BooksViewRepository } from '../books-view.repository.js';
import type { UndoneSettlement } from '../domain/settlements/open-item.js';
import { realizedFxEntry, reversalOf, transferEntry } from '../domain/generated-entries.js';
import type { CancellationPlan } from '../domain/plan-cancellation.js';
import type { PlannedSettlement } from '../domain/settlements/plan-settlements.js';
import { EntryWriter, nextOf, type UnwrittenEntry } from '../entry-writer.service.js';
import { EntryRepository, type NewEntry } from '../entry.repository.js';
import { SettlementRepository, undoing } from './settlement.repository.js';

/** Writes settlements and their reversals, each with the entries of its realized exchange difference and its transfer. */
@Injectable()
export class SettlementWriter {
  constructor(
    private readonly booksViewRepository: BooksViewRepository,
    private readonly timeOrderedIds: TimeOrderedIds,
    private readonly entryRepository: EntryRepository,
    private readonly entryWriter: EntryWriter,
    private readonly settlementRepository: SettlementRepository,
  ) {}

  /**
   * @param settled in open periods
   * @returns ids of the settlements, in their order
   */
  async settle(tx: Tx, companyId: string, settled: readonly PlannedSettlement[]): Promise<readonly string[]> {
    if (settled.length === 0) {
      return [];
    }
    const years = await this.fiscalYears(
      tx,
      companyId,
      settled.flatMap(({ fx, transfer, settledOn }) => ((fx ?? transfer) ? settledOn : [])),
    );
    const unwritten = settled.flatMap(({ fx, transfer, settledOn }): readonly UnwrittenEntry[] =>
      [
        transfer && { groupId: transfer.groupId, content: transferEntry(transfer, settledOn) },
        fx && { groupId: fx.groupId, content: realizedFxEntry(fx, settledOn) },
      ].flatMap((entry) => (entry === undefined ? [] : [{ ...entry, fiscalYear: years(settledOn) }])),
    );
    const entries = (await this.entryWriter.write(tx, companyId, unwritten)).values();
    const ids = this.timeOrderedIds.next(settled.length);
    const unusedIds = ids.values();
    await this.settlementRepository.insert(
      tx,
      companyId,
      settled.map(({ fx, transfer, ...settlement }) => ({
        ...settlement,
        id: nextOf(unusedIds),
        transferEntryId: transfer === undefined ? null : nextOf(entries).id,
        fxEntryId: fx === undefined ? null : nextOf(entries).id,
        undoesId: null,
      })),
    );
    return ids;
  }

  /** Reopens the items of these settlements and reverses the entries that were made with them, each on its day. */
  async undo(tx: Tx, companyId: string, undone: readonly UndoneSettlement[]): Promise<void> {
    if (undone.length === 0) {
      return;
    }
    const dayOf = new Map(
      undone.flatMap(({ settlement: { fxEntryId, transferEntryId }, undoneOn }) =>
        [fxEntryId, transferEntryId].flatMap((id) => (id === null ? [] : [[id, undoneOn] as const])),
      ),
    );
    const stored = await this.entryRepository.find(tx, companyId, [...dayOf.keys()]);
    const reversals = await this.writeReversals(
      tx,
      companyId,
      stored.map((entry) => ({ entry, on: dayOf.get(entry.id) ?? entry.postingDate })),
    );
    const reversalIds = new Map(reversals.map((entry) => [entry.reversesId, entry.id]));
    const ids = this.timeOrderedIds.next(undone.length).values();
    await this.settlementRepository.insert(
      tx,
      companyId,
      undone.map((each) =>
        undoing(each, {
          id: nextOf(ids),
          fxEntryId: reversalIds.get(each.settlement.fxEntryId ?? undefined) ?? null,
          transferEntryId: reversalIds.get(each.settlement.transferEntryId ?? undefined) ?? null,
        }),
      ),
    );
  }

  /**
   * @param reversed posted entries that are not reversed yet, each with a day in an open period
   * @param reason kept with the reversals
   * @returns the reversals, in the order of the entries
   */
  async writeReversals(
    tx: Tx,
    companyId: string,
    reversed: CancellationPlan['reversed'],
    reason?: string,
  ): Promise<readonly NewEntry[]> {
    const years = await this.fiscalYears(
      tx,
      companyId,
      reversed.map(({ on }) => on),
    );
    return this.entryWriter.write(
      tx,
      companyId,
      reversed.map(({ entry, on }) => ({
        groupId: entry.groupId,
        fiscalYear: years(on),
        reversesId: entry.id,
        content: reversalOf(entry, on, reason),
      })),
    );
  }

  private async fiscalYears(tx: Tx, companyId: string, days: readonly string[]): Promise<(day: string) => number> {
    const periods = await this.booksViewRepository.periods(tx, companyId, days);
    return (day) => {
      const year = periods.get(day)?.fiscalYear;
      if (year === undefined) {
        throw new Bug(`${day} was chosen for an entry and is in no fiscal period`);
      }
      return year;
    };
  }
}
