import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import { Bug } from '../../kernel/faults.js';
import type { BooksView } from './domain/check-group.js';
import type { PostingGroup } from './domain/posting-group.js';
import { PostingRepository, type NewEntry, type NewGroup } from './posting.repository.js';

/** A group that passed every check, and which revision of its key it becomes. */
export interface AcceptedGroup {
  readonly group: PostingGroup;
  readonly revision: number;
}

/** Gives groups their ids and numbers and writes them, whatever their count, with the same few statements. */
@Injectable()
export class GroupWriter {
  constructor(private readonly postings: PostingRepository) {}

  /**
   * @param books has the period of every posting date
   * @returns the entries written, by key of their group
   */
  async write(
    tx: Tx,
    companyId: string,
    accepted: readonly AcceptedGroup[],
    books: BooksView,
  ): Promise<ReadonlyMap<string, readonly NewEntry[]>> {
    const count = accepted.reduce((sum, { group }) => sum + 1 + group.entries.length, 0);
    if (count === 0) {
      return new Map();
    }
    const ids = (await this.postings.newIds(tx, count)).values();
    const numbers = await this.takeNumbers(tx, companyId, accepted, books);
    const newGroups: NewGroup[] = [];
    const entriesByKey = new Map<string, readonly NewEntry[]>();
    for (const { group, revision } of accepted) {
      const groupId = next(ids);
      const { key, contentDigest } = group;
      newGroups.push({ id: groupId, key, revision, contentDigest });
      const entries = group.entries.map((content) => {
        const fiscalYear = fiscalYearOf(content.postingDate, books);
        const sequence = content.state === 'posted' ? next(numbers.get(fiscalYear)) : undefined;
        return { id: next(ids), groupId, fiscalYear, sequence, content };
      });
      entriesByKey.set(key, entries);
    }
    const newEntries = [...entriesByKey.values()].flat();
    await this.postings.insertGroups(tx, companyId, newGroups);
    await this.postings.insertEntries(tx, companyId, newEntries);
    await this.postings.insertLines(tx, companyId, newEntries);
    return entriesByKey;
  }

  private async takeNumbers(
    tx: Tx,
    companyId: string,
    accepted: readonly AcceptedGroup[],
    books: BooksView,
  ): Promise<ReadonlyMap<number, Iterator<bigint>>> {
    const years = accepted
      .flatMap(({ group }) => group.entries)
      .filter((entry) => entry.state === 'posted')
      .map((entry) => fiscalYearOf(entry.postingDate, books));
    const numbers = new Map<number, Iterator<bigint>>();
    for (const year of new Set(years)) {
      const count = years.filter((each) => each === year).length;
      const first = await this.postings.takeNumbers(tx, companyId, year, count);
      numbers.set(year, Array.from({ length: count }, (_, index) => first + BigInt(index)).values());
    }
    return numbers;
  }
}

function fiscalYearOf(postingDate: string, books: BooksView): number {
  const period = books.periods.get(postingDate);
  if (period === undefined) {
    throw new Bug(`an entry of ${postingDate} was accepted without a period`);
  }
  return period.fiscalYear;
}

function next<T>(values: Iterator<T> | undefined): T {
  const step = values?.next();
  if (step === undefined || step.done === true) {
    throw new Bug('fewer ids or numbers were reserved than the batch needs');
  }
  return step.value;
}
