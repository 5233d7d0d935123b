import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { isUuid } from '../../../kernel/ids.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { startOfPage, toPage } from '../http/page.js';
import { CompanyDayRepository } from './company-day.repository.js';
import { inSnapshot } from '../companies/in-snapshot.js';
import type { OpenItemsDto, OpenItemsQuery } from './open-items.dto.js';
import { OpenItemsRepository } from './open-items.repository.js';

/** Valid texts of a cursor: vendor, due date, entry, line. */
const IS_PART: readonly ((text: string) => boolean)[] = [
  (text) => !text.includes('\0'),
  (text) => parseLocalDate(text) !== undefined,
  isUuid,
  (text) => /^\d{1,9}$/.test(text),
];

/** Vendors' items, and how much of each is open at the end of a day. */
@Injectable()
export class ShowOpenItems {
  constructor(
    private readonly database: Database,
    private readonly companyDayRepository: CompanyDayRepository,
    private readonly openItemsRepository: OpenItemsRepository,
  ) {}

  /** @throws Problem 400 for a cursor of another list */
  async showOpenItems(companyId: string, query: OpenItemsQuery): Promise<OpenItemsDto> {
    const start = startOfPage(query, IS_PART.length, (text, column) => IS_PART[column]?.(text) === true);
    return inSnapshot(this.database, 'open-items', async (tx) => {
      const day = await this.companyDayRepository.day(tx, companyId, query.date);
      const rows = await this.openItemsRepository.page(tx, companyId, day.date, query, start);
      const page = toPage(query, rows, ({ vendorNumber, dueOn, entryId, lineNo }) => [
        vendorNumber,
        dueOn,
        entryId,
        lineNo.toString(),
      ]);
      return { ...day, ...page };
    });
  }
}
