// What newly posted entries do to open items: load → plan (pure) → apply, within the transaction that posted them.
import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { BooksViewRepository } from '../books-view.repository.js';
import type { GroupWarning } from '../domain/find-warnings.js';
import type { ActiveSettlement, OpenItem } from '../domain/settlements/open-item.js';
import { planSettlements, type SettlementPlan, type SettlementView } from '../domain/settlements/plan-settlements.js';
import { OpenItemRepository } from './open-item.repository.js';
import { SettlementWriter } from './settlement-writer.service.js';

/** Options for settling items that have been open since an earlier transaction. */
export interface ResettleOptions {
  /** Where a difference in base goes when no item names an active account for it. */
  readonly realizedFxAccountCode: string | undefined;
}

const NOTHING: SettlementPlan = { undone: [], settled: [], blocked: [], warnings: new Map() };

@Injectable()
export class SettleEntries {
  constructor(
    private readonly openItemRepository: OpenItemRepository,
    private readonly booksViewRepository: BooksViewRepository,
    private readonly settlementWriter: SettlementWriter,
  ) {}

  /**
   * Settles the items that the entries pay, and the items that named them in their settlement intent.
   * @param entryIds of entries that became posted, or open again, in this transaction
   * @param given.from no settlement is made of a day before, `YYYY-MM-DD`
   * @param given.canceledGroupId whose cancellation has opened the items again
   * @returns warnings for a bookkeeper
   */
  async settleEntries(
    tx: Tx,
    companyId: string,
    entryIds: readonly string[],
    given: Pick<SettlementView, 'from' | 'canceledGroupId'> = {},
  ): Promise<readonly GroupWarning[]> {
    const added = await this.openItemRepository.ofEntries(tx, entryIds);
    if (added.length === 0) {
      return [];
    }
    const plan = planSettlements(await this.load(tx, companyId, added, given));
    await this.apply(tx, companyId, plan);
    return [...plan.warnings].flatMap(([groupId, found]) => found.map((each) => ({ ...each, groupId })));
  }

  /**
   * Plans the settlement of entries that are still open, and names what prevents it. A pair whose settlement was undone
   * is not settled again.
   * @param entryIds of posted entries
   */
  async plan(
    tx: Tx,
    companyId: string,
    entryIds: readonly string[],
    { realizedFxAccountCode }: ResettleOptions,
  ): Promise<SettlementPlan> {
    const added = await this.openItemRepository.ofEntries(tx, entryIds);
    if (added.length === 0) {
      return NOTHING;
    }
    const view = await this.load(tx, companyId, added, { realizedFxAccountCode });
    const ids = [...view.others, ...added].map(({ entryId }) => entryId);
    return planSettlements({
      ...view,
      separatedPairs: await this.openItemRepository.separatedPairs(tx, ids),
    });
  }

  async apply(tx: Tx, companyId: string, plan: SettlementPlan): Promise<void> {
    await this.settlementWriter.undo(tx, companyId, plan.undone);
    await this.settlementWriter.settle(tx, companyId, plan.settled);
  }

  private async load(
    tx: Tx,
    companyId: string,
    added: readonly OpenItem[],
    given: Pick<SettlementView, 'from' | 'realizedFxAccountCode' | 'canceledGroupId'>,
  ): Promise<SettlementView> {
    const { from = '', realizedFxAccountCode, canceledGroupId } = given;
    const names = {
      vendorNumbers: [...new Set(added.map((item) => item.vendorNumber))],
      numbers: [...new Set(added.flatMap(numbersOf))],
      groupIds: [...new Set(added.map((item) => item.groupId))],
    };
    const active = added.some((item) => item.intent?.kind === 'reopens')
      ? await this.openItemRepository.activeOfDocuments(tx, companyId, names)
      : [];
    const own = new Set(added.map((item) => item.entryId));
    const partnerIds = [
      ...(await this.openItemRepository.openEntries(tx, companyId, names)),
      ...active.flatMap(entriesOf),
    ];
    const others = await this.openItemRepository.ofEntries(
      tx,
      partnerIds.filter((id) => !own.has(id)),
    );
    const items = [...others, ...added];
    const accounts = await this.booksViewRepository.accounts(tx, companyId, [
      ...items.flatMap((item) => [item.accountCode, item.intent?.realizedFxAccountCode ?? []].flat()),
      ...active.flatMap((settlement) => settlement.accountCodes),
      ...[realizedFxAccountCode ?? []].flat(),
    ]);
    return {
      added,
      from,
      realizedFxAccountCode,
      canceledGroupId,
      others,
      active,
      activeAccounts: new Set([...accounts].filter(([, { active: usable }]) => usable).map(([code]) => code)),
      openDays: await this.booksViewRepository.firstOpenDays(tx, companyId, [
        ...items.map((item) => item.postedOn),
        ...active.map((settlement) => settlement.settledOn),
        ...(from === '' ? [] : [from]),
      ]),
    };
  }
}

function numbersOf({ documentNumber, intent }: OpenItem): readonly string[] {
  const own = documentNumber === null ? [] : [documentNumber];
  return [...own, ...(intent?.numbers ?? []).map((number) => number.trim())];
}

function entriesOf({ debit, credit }: ActiveSettlement): readonly string[] {
  return [debit.entryId, credit.entryId];
}
