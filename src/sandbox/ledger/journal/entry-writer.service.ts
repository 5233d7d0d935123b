import { Injectable } from '@nestjs/common';
import { TimeOrderedIds } from '../../../foundation/clock/time-ordered-ids.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import { EntryRepository, type NewEntry } from './entry.repository.js';

export type UnwrittenEntry = Omit<NewEntry, 'id' | 'sequence'>;

/** Gives entries their ids and numbers and writes them with the same few statements, whatever their count. */
@Injectable()
export class EntryWriter {
  constructor(
    private readonly timeOrderedIds: TimeOrderedIds,
    private readonly entryRepository: EntryRepository,
  ) {}

  /** @returns the entries as they were written, in the order given, which is the order of their ids and numbers */
  async write(tx: Tx, companyId: string, unwritten: readonly UnwrittenEntry[]): Promise<readonly NewEntry[]> {
    if (unwritten.length === 0) {
      return [];
    }
    const ids = this.timeOrderedIds.next(unwritten.length).values();
    const years = unwritten.filter(({ content }) => content.state === 'posted').map(({ fiscalYear }) => fiscalYear);
    const numbers = await this.allocateNumbers(tx, companyId, years);
    const written = unwritten.map((entry): NewEntry => {
      const isPosted = entry.content.state === 'posted';
      return {
        ...entry,
        id: nextOf(ids),
        sequence: isPosted ? nextOf(numbers.get(entry.fiscalYear)) : undefined,
      };
    });
    await this.entryRepository.insertEntries(tx, companyId, written);
    await this.entryRepository.insertLines(tx, companyId, written);
    return written;
  }

  /**
   * @param years the fiscal year of each entry that needs a number
   * @returns the numbers of each year, in order
   */
  async allocateNumbers(
    tx: Tx,
    companyId: string,
    years: readonly number[],
  ): Promise<ReadonlyMap<number, Iterator<bigint>>> {
    const numbers = new Map<number, Iterator<bigint>>();
    for (const year of new Set(years)) {
      const count = years.filter((each) => each === year).length;
      const first = await this.entryRepository.allocateNumbers(tx, companyId, year, count);
      numbers.set(year, Array.from({ length: count }, (_, index) => first + BigInt(index)).values());
    }
    return numbers;
  }
}

/** @throws Bug when fewer were reserved than are needed */
export function nextOf<T>(values: Iterator<T> | undefined): T {
  const step = values?.next();
  if (step === undefined || step.done === true) {
    throw new Bug('fewer ids or numbers were reserved than the batch needs');
  }
  return step.value;
}
