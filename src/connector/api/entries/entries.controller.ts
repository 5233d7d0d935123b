import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toAccountingEntryId } from '../../../kernel/ids.js';
import { EntryHistoryReader } from '../../exports/lists/entry-history.reader.js';
import { EntryListReader } from '../../exports/lists/entry-list.reader.js';
import { EntryTotalsReader } from '../../exports/lists/entry-totals.reader.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { entryNotFound } from '../http/outcome-problems.js';
import { INSTANT, PagedList, SORTED_BY, UUID } from '../http/page.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  EntriesQuery,
  EntriesResponse,
  EntryFilterQuery,
  EntryHistoryResponse,
  EntryTotalsResponse,
  toEntryHistory,
  toEntryResponse,
  toEntryTotals,
} from './entries.dto.js';

const ENTRIES = new PagedList({
  ...SORTED_BY,
  detectedAt: INSTANT,
  exportJobId: UUID,
  storedIn: UUID,
  accountingEntryId: UUID,
});

@ApiTags('Entries')
@Controller('api/v1/entries')
export class EntriesController {
  constructor(
    private readonly entryListReader: EntryListReader,
    private readonly entryHistoryReader: EntryHistoryReader,
    private readonly entryTotalsReader: EntryTotalsReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Search entries over all exports',
    description:
      'Every accounting entry that an export had a result for, once, as it stands now; the newest exports first, or sorted. Entries are found for as long as items are kept.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: EntriesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: EntriesQuery,
    @ReaderLanguage() language: string,
  ): Promise<EntriesResponse> {
    const { sort: order, ...filter } = query;
    const { data, nextCursor } = await ENTRIES.page(query, (after, limit) =>
      this.entryListReader.entries(installationId, filter, { order, after, limit }),
    );
    return { data: data.map((entry) => toEntryResponse(entry, language)), nextCursor };
  }

  @Get('totals')
  @ApiOperation({
    summary: 'Add up entries over all exports',
    description: 'How many entries a search finds, and their sums by currency.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: EntryTotalsResponse })
  async totals(
    @Caller() { installationId }: Principal,
    @Query() query: EntryFilterQuery,
  ): Promise<EntryTotalsResponse> {
    return toEntryTotals(await this.entryTotalsReader.totals(installationId, query));
  }

  @Get(':accountingEntryId')
  @ApiOperation({
    summary: 'Read the history of an entry',
    description:
      'Exports that had it with who asked for them and what proves them, what was sent to the accounting system and taken back, what kept it from the books, and who decided. Why it is booked as it is: /explanation.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: EntryHistoryResponse })
  @ApiNotFoundResponse({ description: 'no export had it' })
  async read(
    @Caller() { installationId }: Principal,
    @Param('accountingEntryId') id: string,
    @ReaderLanguage() language: string,
  ): Promise<EntryHistoryResponse> {
    const found = isUuid(id)
      ? await this.entryHistoryReader.history(installationId, toAccountingEntryId(id.toLowerCase()))
      : undefined;
    if (found === undefined) {
      throw entryNotFound();
    }
    return toEntryHistory(found, language);
  }
}
