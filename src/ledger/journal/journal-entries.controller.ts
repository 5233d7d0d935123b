import { Controller, Get, Param, ParseUUIDPipe, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../foundation/database/database.js';
import { Problem } from '../../foundation/http/problem.js';
import { isUuid } from '../../kernel/ids.js';
import { CompanyGuard } from '../access/company.guard.js';
import { startOfPage, toPage, type Page } from '../http/page.js';
import { JournalEntryDto, JournalEntryPage, JournalQuery } from './journal-entry.dto.js';
import { JournalRepository } from './journal.repository.js';

@ApiTags('journal')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/journal-entries')
export class JournalEntriesController {
  constructor(
    private readonly database: Database,
    private readonly journal: JournalRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: JournalEntryPage })
  async list(
    @Param('companyId') companyId: string,
    @Query() query: JournalQuery,
  ): Promise<Page<JournalEntryDto>> {
    const start = startOfPage(query, 1, isUuid);
    const rows = await this.database.inTransaction('journal.page', (tx) =>
      this.journal.page(tx, companyId, query, start),
    );
    return toPage(query, rows, (entry) => [entry.id]);
  }

  @Get(':entryId')
  @ApiOkResponse({ type: JournalEntryDto })
  async find(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
  ): Promise<JournalEntryDto> {
    const entry = await this.database.inTransaction('journal.find', (tx) =>
      this.journal.find(tx, companyId, entryId),
    );
    if (entry === undefined) {
      throw new Problem({
        status: 404,
        type: 'entry-not-found',
        detail: `The company has no journal entry ${entryId}.`,
      });
    }
    return entry;
  }
}
