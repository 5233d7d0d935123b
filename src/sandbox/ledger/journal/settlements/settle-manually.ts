import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { Problem } from '../../../../foundation/http/problem.js';
import { BooksViewRepository } from '../books-view.repository.js';
import { laterOf, type ItemRef, type OpenItem } from '../domain/settlements/open-item.js';
import { planManualSettlement } from '../domain/settlements/plan-manual-settlement.js';
import { OpenItemRepository } from './open-item.repository.js';
import { PostingRepository } from '../postings/posting.repository.js';
import { SettlementWriter } from './settlement-writer.service.js';

/** Two items to be matched; the amount in minor units, or the open amount of both. */
export interface ManualMatch {
  readonly debit: ItemRef;
  readonly credit: ItemRef;
  readonly amountMinor?: bigint | undefined;
  readonly realizedFxAccountCode?: string | undefined;
}

/** Settlements that a person makes or undoes, where document numbers do not match the items. */
@Injectable()
export class SettleManually {
  constructor(
    private readonly database: Database,
    private readonly booksViewRepository: BooksViewRepository,
    private readonly postingRepository: PostingRepository,
    private readonly openItemRepository: OpenItemRepository,
    private readonly settlementWriter: SettlementWriter,
  ) {}

  /**
   * @returns id of the settlement
   * @throws Problem 404 for an unknown item, 422 when the two cannot be settled
   */
  async settle(companyId: string, match: ManualMatch): Promise<string> {
    return this.database.inTransaction('settlement.by-hand', async (tx) => {
      await this.postingRepository.lockCompany(tx, companyId);
      const debit = await this.find(tx, companyId, match.debit);
      const credit = await this.find(tx, companyId, match.credit);
      const later = laterOf(debit.postedOn, credit.postedOn);
      const openDays = await this.booksViewRepository.firstOpenDays(tx, companyId, [later]);
      const planned = planManualSettlement({ ...match, debit, credit, openDay: (day) => openDays.get(day) });
      if ('code' in planned) {
        throw new Problem({ status: 422, type: planned.code, detail: planned.message });
      }
      const { fx, transfer } = planned;
      await this.checkActive(
        tx,
        companyId,
        [
          match.realizedFxAccountCode,
          fx?.payableAccountCode,
          transfer?.fromAccountCode,
          transfer?.toAccountCode,
        ].flatMap((code) => code ?? []),
      );
      const [id = ''] = await this.settlementWriter.settle(tx, companyId, [planned]);
      return id;
    });
  }

  /**
   * Opens both items again.
   * @throws Problem 404 for an unknown settlement, 409 for one that is undone already or only undoes another, 422 when
   *   no period is open for it
   */
  async undo(companyId: string, settlementId: string): Promise<void> {
    await this.database.inTransaction('settlement.undo', async (tx) => {
      await this.postingRepository.lockCompany(tx, companyId);
      const known = await this.openItemRepository.findSettlement(tx, companyId, settlementId);
      if (known === undefined) {
        const detail = `The company has no settlement ${settlementId}.`;
        throw new Problem({ status: 404, type: 'settlement-not-found', detail });
      }
      const active = await this.openItemRepository.activeOfEntries(tx, [known.debitEntryId]);
      const settlement = active.find(({ id }) => id === settlementId);
      if (settlement === undefined) {
        const detail = `Settlement ${settlementId} is undone already, or only undoes another.`;
        throw new Problem({ status: 409, type: 'already-undone', detail });
      }
      const openDays = await this.booksViewRepository.firstOpenDays(tx, companyId, [settlement.settledOn]);
      const undoneOn = openDays.get(settlement.settledOn);
      if (undoneOn === undefined) {
        const detail = `No fiscal period is open on or after ${settlement.settledOn}: open one.`;
        throw new Problem({ status: 422, type: 'period-closed', detail });
      }
      await this.settlementWriter.undo(tx, companyId, [{ settlement, undoneOn }]);
    });
  }

  private async find(tx: Tx, companyId: string, ref: ItemRef): Promise<OpenItem> {
    const items = await this.openItemRepository.ofCompanyEntry(tx, companyId, ref.entryId);
    const item = items.find(({ lineNo }) => lineNo === ref.lineNo);
    if (item === undefined) {
      const detail = `Line ${ref.lineNo.toString()} of entry ${ref.entryId} is not a vendor's line of a posted entry of the company.`;
      throw new Problem({ status: 404, type: 'open-item-not-found', detail });
    }
    return item;
  }

  /** The accounts that a realized difference or a transfer is booked on. */
  private async checkActive(tx: Tx, companyId: string, codes: readonly string[]): Promise<void> {
    const accounts = await this.booksViewRepository.accounts(tx, companyId, codes);
    const inactive = codes.find((code) => accounts.get(code)?.active !== true);
    if (inactive !== undefined) {
      const detail = `Account ${inactive} is not in the chart, or is archived.`;
      throw new Problem({ status: 422, type: 'account-inactive', detail });
    }
  }
}
