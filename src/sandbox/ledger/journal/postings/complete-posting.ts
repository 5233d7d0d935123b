import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { GroupWarning } from '../domain/find-warnings.js';
import type { PostingWarning } from '../domain/posting-outcome.js';
import type { NewEntry } from '../entry.repository.js';
import { SettleEntries } from '../settlements/settle-entries.js';
import { WarningRepository } from '../warning.repository.js';

/** What follows once entries are posted, in the same transaction: settlements, and warnings for a bookkeeper. */
@Injectable()
export class CompletePosting {
  constructor(
    private readonly settleEntries: SettleEntries,
    private readonly warningRepository: WarningRepository,
  ) {}

  /**
   * Settles what new entries pay, and compares them with earlier documents.
   * @returns the warnings by group
   */
  async completeNewEntries(
    tx: Tx,
    companyId: string,
    entries: readonly NewEntry[],
  ): Promise<ReadonlyMap<string, readonly PostingWarning[]>> {
    const withVendor = entries.filter(
      ({ content }) => content.state === 'posted' && content.lines.some((line) => line.vendorNumber != null),
    );
    const ofSettlement = await this.settle(tx, companyId, withVendor);
    const ofDocuments = await this.warningRepository.find(tx, companyId, entries);
    return this.warningRepository.add(tx, companyId, [...ofDocuments, ...ofSettlement]);
  }

  /**
   * Settles what drafts pay that have become posted. They were compared with earlier documents when they were written.
   * @returns the warnings by group
   */
  async completeDrafts(
    tx: Tx,
    companyId: string,
    drafts: readonly { readonly id: string }[],
  ): Promise<ReadonlyMap<string, readonly PostingWarning[]>> {
    return this.warningRepository.add(tx, companyId, await this.settle(tx, companyId, drafts));
  }

  private async settle(
    tx: Tx,
    companyId: string,
    entries: readonly { readonly id: string }[],
  ): Promise<readonly GroupWarning[]> {
    const ids = entries.map(({ id }) => id);
    return this.settleEntries.settleEntries(tx, companyId, ids);
  }
}
