import { Injectable } from '@nestjs/common';
import { TimeOrderedIds } from '../../../../foundation/clock/time-ordered-ids.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { itemKey, type OpenItem } from '../domain/settlements/open-item.js';
import { nextOf } from '../entry-writer.service.js';
import type { NewEntry } from '../entry.repository.js';
import { OpenItemRepository } from './open-item.repository.js';
import { SettlementRepository } from './settlement.repository.js';

/** Settles the open items of entries with those of their reversals: together they come to nothing. */
@Injectable()
export class SettleReversals {
  constructor(
    private readonly timeOrderedIds: TimeOrderedIds,
    private readonly openItemRepository: OpenItemRepository,
    private readonly settlementRepository: SettlementRepository,
  ) {}

  /**
   * @param ids of reversed entries
   * @param reversals written in this transaction
   */
  async settleReversals(
    tx: Tx,
    companyId: string,
    ids: readonly string[],
    reversals: readonly NewEntry[],
  ): Promise<void> {
    const originals = await this.openItemRepository.ofEntries(tx, ids);
    const mirrors = new Map(
      (
        await this.openItemRepository.ofEntries(
          tx,
          reversals.map((entry) => entry.id),
        )
      ).map((item) => [itemKey(item), item]),
    );
    const reversalOf = new Map(reversals.map((entry) => [entry.reversesId, entry]));
    const newIds = this.timeOrderedIds.next(originals.length).values();
    const pairs = originals.flatMap((original) => {
      const reversal = reversalOf.get(original.entryId);
      const mirror = mirrors.get(itemKey({ entryId: reversal?.id ?? '', lineNo: original.lineNo }));
      return mirror === undefined ? [] : [pairOf(original, mirror)];
    });
    await this.settlementRepository.insert(
      tx,
      companyId,
      pairs.map((pair) => ({ ...pair, id: nextOf(newIds), fxEntryId: null, transferEntryId: null, undoesId: null })),
    );
  }
}

function pairOf(original: OpenItem, mirror: OpenItem) {
  const [debit, credit] = original.amountMinor > 0n ? [original, mirror] : [mirror, original];
  return {
    debit: { entryId: debit.entryId, lineNo: debit.lineNo },
    credit: { entryId: credit.entryId, lineNo: credit.lineNo },
    amountMinor: debit.openMinor,
    debitBaseMinor: debit.openBaseMinor,
    creditBaseMinor: -credit.openBaseMinor,
    settledOn: mirror.postedOn,
  };
}
