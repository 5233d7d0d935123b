import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { GroupWarning } from '../domain/find-warnings.js';
import type { PostingWarning } from '../domain/posting-outcome.js';
import { stillOpen } from '../domain/settlements/settlement-warnings.js';
import { OpenItemRepository } from '../settlements/open-item.repository.js';
import { SettleEntries } from '../settlements/settle-entries.js';
import { WarningRepository } from '../warning.repository.js';
import type { WrittenGroup } from './group-writer.service.js';

/** What follows once entries are posted, in the same transaction: settlements, and warnings for a bookkeeper. */
@Injectable()
export class CompletePosting {
  constructor(
    private readonly settleEntries: SettleEntries,
    private readonly openItemRepository: OpenItemRepository,
    private readonly warningRepository: WarningRepository,
  ) {}

  /**
   * Settles what the entries of new groups pay, and compares them with earlier documents. A revision also reports what the
   * cancellation of the one before has left open (B9.2).
   * @returns the warnings by group
   */
  async completeNewGroups(
    tx: Tx,
    companyId: string,
    groups: readonly WrittenGroup[],
  ): Promise<ReadonlyMap<string, readonly PostingWarning[]>> {
    const entries = groups.flatMap((group) => group.entries);
    const withVendor = entries.filter(
      ({ content }) => content.state === 'posted' && content.lines.some((line) => line.vendorNumber != null),
    );
    const ofSettlement = await this.settle(tx, companyId, withVendor);
    const ofDocuments = await this.warningRepository.find(tx, companyId, entries);
    const ofRevisions = await this.leftByRevisions(tx, groups);
    const known = new Set(ofSettlement.map(({ groupId, message }) => `${groupId} ${message}`));
    const more = ofRevisions.filter(({ groupId, message }) => !known.has(`${groupId} ${message}`));
    return this.warningRepository.add(tx, companyId, [...ofDocuments, ...ofSettlement, ...more]);
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

  /**
   * Settles what is open again after the cancellation of entries.
   * @param given.canceledGroupId gets the warnings
   */
  async completeReopened(
    tx: Tx,
    companyId: string,
    entryIds: readonly string[],
    given: Parameters<SettleEntries['settleEntries']>[3],
  ): Promise<void> {
    const warnings = await this.settleEntries.settleEntries(tx, companyId, entryIds, given);
    await this.warningRepository.add(tx, companyId, warnings);
  }

  private async leftByRevisions(tx: Tx, groups: readonly WrittenGroup[]): Promise<readonly GroupWarning[]> {
    const revised = groups.filter(({ revision }) => revision > 1).map(({ id }) => id);
    const left = await this.openItemRepository.leftByRevisions(tx, revised);
    return left.map(({ groupId, item }) => ({ ...stillOpen(item, item.openMinor), groupId }));
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
