import { Controller, Get, Param, ParseUUIDPipe, Query, UseInterceptors } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { FORMATS } from '../http/response-format.js';
import { TabularResponse } from '../http/tabular-response.js';
import { JournalEntryDetailDto, JournalEntryPage, JournalQuery } from './journal-entry.dto.js';
import { journalEntrySheet, journalSheet } from './journal-entry.sheet.js';
import { EntryPageInterceptor } from './journal-entry.page.js';
import { JournalReader } from './journal.reader.js';

@CompanyRoutes('journal')
@Controller('companies/:companyId/journal-entries')
export class JournalEntriesController {
  constructor(private readonly journalReader: JournalReader) {}

  @Get()
  @TabularResponse(
    JournalEntryPage,
    journalSheet,
    'Entries with their lines, in the order of their creation. As CSV one row per line.',
  )
  async list(@Param('companyId') companyId: string, @Query() query: JournalQuery): Promise<JournalEntryPage> {
    return this.journalReader.readPage(companyId, query);
  }

  @Get(':entryId')
  @UseInterceptors(new EntryPageInterceptor())
  @TabularResponse(
    JournalEntryDetailDto,
    journalEntrySheet,
    'An entry with its group, reversals, settlements and audit link. As CSV its lines only; for a browser a page.',
  )
  @ApiQuery({ name: 'format', enum: FORMATS, required: false, description: 'wins over the Accept header' })
  async find(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
  ): Promise<JournalEntryDetailDto> {
    return this.journalReader.readEntry(companyId, entryId);
  }
}
