import { Injectable } from '@nestjs/common';
import { TimeOrderedIds } from '../../../../foundation/clock/time-ordered-ids.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { Bug } from '../../../../kernel/faults.js';
import type { BooksView } from '../domain/check-group.js';
import type { PostingGroup } from '../domain/posting-group.js';
import { EntryWriter, nextOf } from '../entry-writer.service.js';
import type { NewEntry } from '../entry.repository.js';
import { PostingRepository } from './posting.repository.js';

/** A group that passed every check, and the revision of its key that it becomes. */
export interface AcceptedGroup {
  readonly group: PostingGroup;
  readonly revision: number;
}

/** A group with its written entries. */
export interface WrittenGroup extends AcceptedGroup {
  readonly id: string;
  readonly entries: readonly NewEntry[];
}

/** Writes accepted groups with all their entries. */
@Injectable()
export class GroupWriter {
  constructor(
    private readonly timeOrderedIds: TimeOrderedIds,
    private readonly postingRepository: PostingRepository,
    private readonly entryWriter: EntryWriter,
  ) {}

  /**
   * @param books has the period of every posting date
   * @returns the groups in the order given
   */
  async write(
    tx: Tx,
    companyId: string,
    accepted: readonly AcceptedGroup[],
    books: BooksView,
  ): Promise<readonly WrittenGroup[]> {
    if (accepted.length === 0) {
      return [];
    }
    const ids = this.timeOrderedIds.next(accepted.length).values();
    const groups = accepted.map((each) => ({ ...each, id: nextOf(ids) }));
    await this.postingRepository.insertGroups(
      tx,
      companyId,
      groups.map(({ id, revision, group }) => ({
        id,
        key: group.key,
        revision,
        contentDigest: group.contentDigest,
      })),
    );
    const written = await this.entryWriter.write(
      tx,
      companyId,
      groups.flatMap(({ id, group }) =>
        group.entries.map((content) => ({
          groupId: id,
          fiscalYear: fiscalYearOf(content.postingDate, books),
          content,
        })),
      ),
    );
    const byGroup = Map.groupBy(written, (entry) => entry.groupId);
    return groups.map((group) => ({ ...group, entries: byGroup.get(group.id) ?? [] }));
  }
}

function fiscalYearOf(postingDate: string, books: BooksView): number {
  const period = books.periods.get(postingDate);
  if (period === undefined) {
    throw new Bug(`an entry of ${postingDate} was accepted without a fiscal period`);
  }
  return period.fiscalYear;
}
