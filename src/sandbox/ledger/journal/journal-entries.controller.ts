import { Controller, Get, Param, ParseUUIDPipe, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { CompanyGuard } from '../access/company.guard.js';
import { FORMATS } from '../http/response-format.js';
import { startOfPage, toPage } from '../http/page.js';
import { TabularResponse } from '../http/tabular-response.js';
import { JournalEntryDetailDto, JournalEntryPage, JournalQuery } from './journal-entry.dto.js';
import { journalEntrySheet, journalSheet } from './journal-entry.sheet.js';
import { JournalRepository } from './journal.repository.js';

@ApiTags('journal')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/journal-entries')
export class JournalEntriesController {
  constructor(
    private readonly database: Database,
    private readonly journalRepository: JournalRepository,
  ) {}

  @Get()
  @TabularResponse(
    JournalEntryPage,
    journalSheet,
    'Entries with their lines, in the order in which they were made. As CSV a row per line.',
  )
  async list(@Param('companyId') companyId: string, @Query() query: JournalQuery): Promise<JournalEntryPage> {
    const start = startOfPage(query, 1, isUuid);
    const rows = await this.database.inTransaction('journal.page', (tx) =>
      this.journalRepository.page(tx, companyId, query, start),
    );
    return toPage(query, rows, (entry) => [entry.id]);
  }

  @Get(':entryId')
  @TabularResponse(
    JournalEntryDetailDto,
    journalEntrySheet,
    'An entry with all it belongs to. As CSV its lines only.',
  )
  @ApiQuery({ name: 'format', enum: FORMATS, required: false, description: 'wins over the Accept header' })
  async find(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
  ): Promise<JournalEntryDetailDto> {
    const entry = await this.database.inTransaction('journal.find', (tx) =>
      this.journalRepository.find(tx, companyId, entryId),
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
