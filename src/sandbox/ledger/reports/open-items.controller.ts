import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { isUuid } from '../../../kernel/ids.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { CompanyGuard } from '../access/company.guard.js';
import { startOfPage, toPage } from '../http/page.js';
import { TabularResponse } from '../http/tabular-response.js';
import { CompanyDayRepository } from './company-day.repository.js';
import { inSnapshot } from './in-snapshot.js';
import { OpenItemsDto, OpenItemsQuery } from './open-items.dto.js';
import { OpenItemsRepository } from './open-items.repository.js';
import { openItemsSheet } from './open-items.sheet.js';

/** Texts that may stand in a cursor: vendor, due date, entry, line. */
const IS_PART: readonly ((text: string) => boolean)[] = [
  (text) => !text.includes('\0'),
  (text) => parseLocalDate(text) !== undefined,
  isUuid,
  (text) => /^\d{1,9}$/.test(text),
];

@ApiTags('reports')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/open-items')
export class OpenItemsController {
  constructor(
    private readonly database: Database,
    private readonly companyDayRepository: CompanyDayRepository,
    private readonly openItemsRepository: OpenItemsRepository,
  ) {}

  @Get()
  @TabularResponse(
    OpenItemsDto,
    openItemsSheet,
    'Vendors’ items and what of them is open at the end of a day: posted on it or before, less what was settled by then.',
  )
  async list(@Param('companyId') companyId: string, @Query() query: OpenItemsQuery): Promise<OpenItemsDto> {
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
