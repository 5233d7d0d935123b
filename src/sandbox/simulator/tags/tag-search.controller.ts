import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { pageOf } from '../wire/response-schemas.js';
import {
  CompanyQuery,
  JsonResponse,
  JsonBody,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
} from '../wire/api-documentation.js';
import { parseBody, queryFlag, queryUuids, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { aggregatedGroupsResponseSchema, aggregatedTagsResponseSchema } from './aggregated-tag.js';
import { AggregatedTagReader } from './aggregated-tag.reader.js';
import { TagGroupReader } from './tag-group.reader.js';
import { TagReader } from './tag.reader.js';
import { READ_TAGS } from './tag-scopes.js';
import { TAG_COLUMNS } from './tag.repository.js';
import { tagResponseSchema, tagSearchSchema } from './tag.js';

const ORGANIZATION = ['organization_id', { type: 'string', format: 'uuid' }] as const;
const UUIDS = { type: 'array', items: { type: 'string', format: 'uuid' } };

/** Tags and groups across groups, plain and with what belongs to them (P7). */
@PlatformApi('tags')
@Controller('v0')
export class TagSearchController {
  constructor(
    private readonly tagReader: TagReader,
    private readonly tagGroupReader: TagGroupReader,
    private readonly aggregatedTagReader: AggregatedTagReader,
  ) {}

  // A literal colon is written twice in a route pattern.
  @Post('tags::search')
  @HttpCode(200)
  @RequiresScope(...READ_TAGS)
  @CompanyQuery()
  @OptionalQuery(...ORGANIZATION)
  @JsonBody(tagSearchSchema, false)
  @PagingParameters(TAG_COLUMNS)
  @JsonResponse(pageOf(tagResponseSchema))
  async search(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    return this.tagReader.search(caller, query, parseBody(tagSearchSchema, body ?? {}));
  }

  @Get('tags')
  @RequiresScope(...READ_TAGS)
  @ApiOperation({ deprecated: true })
  @CompanyQuery()
  @OptionalQuery('text_search')
  @OptionalQuery('tag_group_id', UUIDS)
  @OptionalQuery('include_archived', { type: 'boolean' })
  @PagingParameters(TAG_COLUMNS)
  @JsonResponse(pageOf(tagResponseSchema))
  async searchByQuery(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const filter = {
      includeArchived: queryFlag(query, 'include_archived'),
      tagGroupIds: [...queryUuids(query, 'tag_group_id')],
      textSearch: queryValue(query, 'text_search'),
    };
    return this.tagReader.search(caller, query, filter);
  }

  @Get('aggregations/tag-groups')
  @RequiresScope(...READ_TAGS)
  @CompanyQuery()
  @OptionalQuery(...ORGANIZATION)
  @OptionalQuery('tag_group_ids', UUIDS)
  @JsonResponse(aggregatedGroupsResponseSchema)
  async aggregateGroups(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    return this.tagGroupReader.aggregate(caller, query, queryUuids(query, 'tag_group_ids'));
  }

  @Post('aggregations/tags')
  @HttpCode(200)
  @RequiresScope(...READ_TAGS)
  @CompanyQuery()
  @JsonBody(tagSearchSchema, false)
  @PagingParameters(TAG_COLUMNS)
  @JsonResponse(aggregatedTagsResponseSchema)
  async aggregateTags(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    return this.aggregatedTagReader.search(caller, query, parseBody(tagSearchSchema, body ?? {}));
  }
}
