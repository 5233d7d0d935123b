import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { BooksViewRepository } from './books-view.repository.js';
import { laterOf } from './domain/settlements/open-item.js';
import type { StoredEntry } from './domain/generated-entries.js';
import {
  cancellationDays,
  planCancellation,
  type CancellationPlan,
  type CancellationRefusal,
} from './domain/plan-cancellation.js';
import { entryNumber, entryUrl, type PostedEntry } from './domain/posting-outcome.js';
import { EntryRepository } from './entry.repository.js';
import { CompletePosting } from './postings/complete-posting.js';
import { OpenItemRepository } from './settlements/open-item.repository.js';
import { SettleReversals } from './settlements/settle-reversals.js';
import { SettlementWriter } from './settlements/settlement-writer.service.js';

export type Cancellation =
  | {
      readonly kind: 'cancelled';
      /** Of the posted ones, in the order of the entries. */
      readonly reversals: readonly PostedEntry[];
    }
  | CancellationRefusal;

export interface CancellationOptions {
  readonly postingDate?: string | undefined;
  readonly reason?: string | undefined;
}

/** Takes entries out of the balances: posted ones by a reversal, drafts by discarding them. */
@Injectable()
export class CancelEntries {
  constructor(
    private readonly booksViewRepository: BooksViewRepository,
    private readonly entryRepository: EntryRepository,
    private readonly openItemRepository: OpenItemRepository,
    private readonly completePosting: CompletePosting,
    private readonly settleReversals: SettleReversals,
    private readonly settlementWriter: SettlementWriter,
  ) {}

  /**
   * Cancels all of the entries or none. The items that they settled are open again.
   * @param standing drafts and posted entries of a locked company, none of them cancelled yet
   * @param options.postingDate of the reversals, `YYYY-MM-DD`; the entry's own day when absent. A day in a closed period
   *   moves to the first open day after it.
   * @param options.reason kept with the reversals
   */
  async cancel(
    tx: Tx,
    companyId: string,
    standing: readonly StoredEntry[],
    { postingDate, reason }: CancellationOptions,
  ): Promise<Cancellation> {
    const posted = standing.filter((entry) => entry.state === 'posted');
    const active = await this.openItemRepository.activeOfEntries(
      tx,
      posted.map((entry) => entry.id),
    );
    const request = { standing, active, postingDate };
    const accounts = await this.booksViewRepository.accounts(tx, companyId, [
      ...posted.flatMap((entry) => entry.lines.map((line) => line.accountCode)),
      ...active.flatMap((settlement) => settlement.accountCodes),
    ]);
    const plan = planCancellation({
      ...request,
      activeAccounts: new Set([...accounts].filter(([, { active: usable }]) => usable).map(([code]) => code)),
      openDays: await this.booksViewRepository.firstOpenDays(tx, companyId, cancellationDays(request)),
    });
    if (plan.kind === 'refused') {
      return plan;
    }
    await this.entryRepository.discard(tx, companyId, plan.discarded);
    const reversals = await this.reverse(tx, companyId, plan, reason);
    await this.settleReopened(tx, companyId, plan);
    return { kind: 'cancelled', reversals };
  }

  private async reverse(
    tx: Tx,
    companyId: string,
    { reversed, undone }: CancellationPlan,
    reason: string | undefined,
  ): Promise<readonly PostedEntry[]> {
    if (reversed.length === 0) {
      return [];
    }
    await this.settlementWriter.undo(tx, companyId, undone);
    const reversals = await this.settlementWriter.writeReversals(tx, companyId, reversed, reason);
    const ids = reversed.map(({ entry }) => entry.id);
    await this.settleReversals.settleReversals(tx, companyId, ids, reversals);
    return reversals.map(({ id, content, fiscalYear, sequence }) => ({
      id,
      role: content.role,
      state: content.state,
      number: sequence === undefined ? null : entryNumber(fiscalYear, sequence),
      url: entryUrl(companyId, id),
    }));
  }

  /** Reopened items may be those that another entry is to settle; the canceled group shows which stay open. */
  private async settleReopened(tx: Tx, companyId: string, { reversed, undone }: CancellationPlan): Promise<void> {
    const canceledIds = new Set(reversed.map(({ entry }) => entry.id));
    const sides = undone.flatMap(({ settlement }) => [settlement.debit.entryId, settlement.credit.entryId]);
    const reopened = [...new Set(sides)].filter((id) => !canceledIds.has(id));
    const from = undone.map(({ undoneOn }) => undoneOn).reduce(laterOf, '');
    const canceledGroupId = reversed.at(-1)?.entry.groupId;
    await this.completePosting.completeReopened(tx, companyId, reopened, { from, canceledGroupId });
  }
}
