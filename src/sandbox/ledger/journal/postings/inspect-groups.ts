import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { InspectedGroupDto } from './group-inspection.dto.js';
import { GroupInspectionRepository } from './group-inspection.repository.js';
import { OpenItemRepository } from '../settlements/open-item.repository.js';
import { PostingRepository } from './posting.repository.js';
import { SettleEntries } from '../settlements/settle-entries.js';

/** Shows whole groups as the books have them now, and which settlement intents are not carried out. */
@Injectable()
export class InspectGroups {
  constructor(
    private readonly database: Database,
    private readonly postingRepository: PostingRepository,
    private readonly groupInspectionRepository: GroupInspectionRepository,
    private readonly openItemRepository: OpenItemRepository,
    private readonly settleEntries: SettleEntries,
  ) {}

  /** @returns every revision under the keys, by key and revision, as far as the company's search shows them */
  async inspect(companyId: string, keys: readonly string[]): Promise<readonly InspectedGroupDto[]> {
    return this.database.inTransaction('journal.inspect', async (tx) => {
      const lag = await this.postingRepository.searchLag(tx, companyId);
      const groups = await this.groupInspectionRepository.inspect(tx, companyId, keys, lag);
      const settling = await this.openItemRepository.settling(tx, companyId, keys);
      const open = settling.filter(({ isOpen }) => isOpen).map(({ id }) => id);
      // A settlement that is possible now, or prevented by something, shows that both of its items are open.
      const { undone, settled, blocked } = await this.settleEntries.plan(tx, companyId, open, {
        realizedFxAccountCode: undefined,
      });
      const pairs = [...settled, ...undone.map(({ settlement }) => settlement)];
      const openIds = new Set([
        ...pairs.flatMap(({ debit, credit }) => [debit.entryId, credit.entryId]),
        ...blocked.flatMap(({ entryIds }) => entryIds),
      ]);
      const settlingIds = new Set(settling.map(({ id }) => id));
      return groups.map(({ entries, ...group }) => ({
        ...group,
        entries: entries.map((entry) => ({
          ...entry,
          settlementOpen: settlingIds.has(entry.id) ? openIds.has(entry.id) : null,
        })),
      }));
    });
  }
}
