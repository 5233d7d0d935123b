import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { isUuid } from '../../../kernel/ids.js';
import { entryNotFound } from '../http/not-found.js';
import { startOfPage, toPage } from '../http/page.js';
import type { JournalEntryDetailDto, JournalEntryPage, JournalQuery } from './journal-entry.dto.js';
import { JournalRepository } from './journal.repository.js';

@Injectable()
export class JournalReader {
  constructor(
    private readonly database: Database,
    private readonly journalRepository: JournalRepository,
  ) {}

  /** @throws Problem 400 for a cursor of another list */
  async readPage(companyId: string, query: JournalQuery): Promise<JournalEntryPage> {
    const start = startOfPage(query, 1, isUuid);
    const rows = await this.database.inTransaction('journal.page', (tx) =>
      this.journalRepository.page(tx, companyId, query, start),
    );
    return toPage(query, rows, (entry) => [entry.id]);
  }

  /** @throws Problem 404 for an unknown entry */
  async readEntry(companyId: string, entryId: string): Promise<JournalEntryDetailDto> {
    const entry = await this.database.inTransaction('journal.find', (tx) =>
      this.journalRepository.find(tx, companyId, entryId),
    );
    if (entry === undefined) {
      throw entryNotFound(entryId);
    }
    return entry;
  }
}
