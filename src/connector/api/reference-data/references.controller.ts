import { Controller, Get, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import type { UseKind } from '../../exports/domain/search/search-lines.js';
import { ListReferences, positionOf } from '../../review/list-references.js';
import { setupIncomplete } from '../http/outcome-problems.js';
import { NUMBER, PagedList, textKey, UUID } from '../http/page.js';
import { Caller, type Principal } from '../http/principal.js';
import { ReferencesQuery, ReferencesResponse, toReferencesResponse } from './references.dto.js';

const TEXT = textKey(/^/);
const REFERENCES = new PagedList({
  id: UUID,
  rank: NUMBER,
  entries: NUMBER,
  lastDay: TEXT,
  group: TEXT,
  code: TEXT,
  name: TEXT,
});
const NOT_LINKED = { description: 'no company of the accounting system is linked' };
const FRESH =
  'With what it is mapped to and how much it is used, what is not mapped first. Both sides are asked once a minute at most.';

/** What there is on the platform, and what becomes of it in the books. */
@ApiTags('Reference data')
@Controller('api/v1/reference-data')
export class ReferencesController {
  constructor(private readonly listReferences: ListReferences) {}

  @Get('categories')
  @ApiOperation({ summary: 'List categories of the platform', description: `Accounts that people choose. ${FRESH}` })
  @Access('viewer')
  @ApiOkResponse({ type: ReferencesResponse })
  @ApiConflictResponse(NOT_LINKED)
  async categories(@Caller() caller: Principal, @Query() query: ReferencesQuery): Promise<ReferencesResponse> {
    return this.page(caller, 'categories', query);
  }

  @Get('tax-codes')
  @ApiOperation({ summary: 'List tax codes of the platform', description: `Tax codes that people choose. ${FRESH}` })
  @Access('viewer')
  @ApiOkResponse({ type: ReferencesResponse })
  @ApiConflictResponse(NOT_LINKED)
  async taxCodes(@Caller() caller: Principal, @Query() query: ReferencesQuery): Promise<ReferencesResponse> {
    return this.page(caller, 'tax-codes', query);
  }

  @Get('tags')
  @ApiOperation({ summary: 'List tags of the platform', description: `Tags of all groups. ${FRESH}` })
  @Access('viewer')
  @ApiOkResponse({ type: ReferencesResponse })
  @ApiConflictResponse(NOT_LINKED)
  async tags(@Caller() caller: Principal, @Query() query: ReferencesQuery): Promise<ReferencesResponse> {
    return this.page(caller, 'tags', query);
  }

  @Get('vendors')
  @ApiOperation({ summary: 'List vendors of the platform', description: `Vendors that people choose. ${FRESH}` })
  @Access('viewer')
  @ApiOkResponse({ type: ReferencesResponse })
  @ApiConflictResponse(NOT_LINKED)
  async vendors(@Caller() caller: Principal, @Query() query: ReferencesQuery): Promise<ReferencesResponse> {
    return this.page(caller, 'vendors', query);
  }

  private async page(
    { installationId }: Principal,
    kind: UseKind,
    query: ReferencesQuery,
  ): Promise<ReferencesResponse> {
    const { search, state, sort, limit } = query;
    const active = query.active === undefined ? undefined : query.active === 'true';
    const page = { after: REFERENCES.decode(query.after), limit: limit + 1 };
    const found = await this.listReferences.list(installationId, kind, { search, state, active, sort }, page);
    if (found === undefined) {
      throw setupIncomplete();
    }
    const { data, nextCursor } = REFERENCES.pageOf(
      limit,
      found.rows.map((view) => ({ view, ...positionOf(view) })),
    );
    const rows = data.map(({ view }) => view);
    return toReferencesResponse(found, rows, nextCursor);
  }
}
