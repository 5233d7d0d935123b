import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import { isUuid } from '../../../../kernel/ids.js';
import { startOfPage, toPage } from '../../http/page.js';
import type { PostedEntry, PostingWarning } from '../domain/posting-outcome.js';
import type { ListedGroupsPage, ListedGroupsQuery } from './group-inspection.dto.js';
import { GroupInspectionRepository } from './group-inspection.repository.js';
import { PostingRepository } from './posting.repository.js';

/** What the books have under one key: its newest revision. */
export interface FoundGroup {
  readonly key: string;
  readonly outcome: 'found' | 'absent';
  readonly contentDigest: string | null;
  readonly revision: number | null;
  /** No entry of it is in the balances. */
  readonly reversed: boolean;
  readonly entries: readonly PostedEntry[];
  readonly warnings: readonly PostingWarning[];
}

const ABSENT = {
  outcome: 'absent',
  contentDigest: null,
  revision: null,
  reversed: false,
  entries: [],
  warnings: [],
} as const;

@Injectable()
export class PostingGroupReader {
  constructor(
    private readonly database: Database,
    private readonly postingRepository: PostingRepository,
    private readonly groupInspectionRepository: GroupInspectionRepository,
  ) {}

  /** @returns one result per key, in order, as far as the company's search shows them */
  async lookUp(companyId: string, keys: readonly string[]): Promise<readonly FoundGroup[]> {
    const found = await this.database.inTransaction('journal.lookup', async (tx) =>
      this.postingRepository.findGroups(tx, companyId, keys, {
        minAgeSeconds: await this.postingRepository.searchLag(tx, companyId),
      }),
    );
    return keys.map((key): FoundGroup => {
      const group = found.get(key);
      if (group === undefined) {
        return { key, ...ABSENT };
      }
      const { contentDigest, revision, reversed, entries, warnings } = group;
      return { key, outcome: 'found', contentDigest, revision, reversed, entries, warnings };
    });
  }

  /** @throws Problem 400 for a cursor of another list */
  async readPage(companyId: string, query: ListedGroupsQuery): Promise<ListedGroupsPage> {
    const start = startOfPage(query, 1, isUuid);
    const rows = await this.database.inTransaction('journal.groups', (tx) =>
      this.groupInspectionRepository.list(tx, companyId, query, start),
    );
    return toPage(query, rows, (group) => [group.id]);
  }
}
