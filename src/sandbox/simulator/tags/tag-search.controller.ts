import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { CompanyAccess } from '../companies/company-access.js';
import { pageOf } from '../wire/response-schemas.js';
import {
  CompanyQuery,
  JsonResponse,
  JsonBody,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
} from '../wire/api-documentation.js';
import { badParameter } from '../wire/api-error.js';
import {
  parseBody,
  queryFlag,
  queryUuids,
  queryValue,
  type Query as QueryParameters,
} from '../wire/parse-request.js';
import {
  aggregatedGroupsResponseSchema,
  aggregatedGroupWire,
  aggregatedTagsResponseSchema,
  aggregatedTagWire,
} from './aggregated-tag.js';
import { SearchTags } from './search-tags.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';
import { TagGroupRepository } from './tag-group.repository.js';
import { READ_TAGS } from './tag-scopes.js';
import { TAG_COLUMNS } from './tag.repository.js';
import { tagResponseSchema, tagSearchOf, tagSearchSchema, tagWire } from './tag.js';

const ORGANIZATION = ['organization_id', { type: 'string', format: 'uuid' }] as const;
const UUIDS = { type: 'array', items: { type: 'string', format: 'uuid' } };

/** Tags and groups across groups, plain and with what belongs to them (P7). */
@PlatformApi('tags')
@Controller('v0')
@UseGuards(PlatformAccessGuard)
export class TagSearchController {
  constructor(
    private readonly searchTags: SearchTags,
    private readonly companyAccess: CompanyAccess,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagDimensionRepository: TagDimensionRepository,
    private readonly database: Database,
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
    const filter = parseBody(tagSearchSchema, body ?? {});
    return this.database.inTransaction('search tags', async (tx) => {
      const search = tagSearchOf(await this.companiesOf(tx, caller, query), filter);
      const { rows, pagination } = await this.searchTags.search(tx, query, search);
      return { data: rows.map(tagWire), pagination };
    });
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
    return this.search(caller, query, filter);
  }

  @Get('aggregations/tag-groups')
  @RequiresScope(...READ_TAGS)
  @CompanyQuery()
  @OptionalQuery(...ORGANIZATION)
  @OptionalQuery('tag_group_ids', UUIDS)
  @JsonResponse(aggregatedGroupsResponseSchema)
  async aggregateGroups(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const asked = queryUuids(query, 'tag_group_ids');
    return this.database.inTransaction('aggregate tag groups', async (tx) => {
      const companyIds = await this.companyAccess.namedByQuery(tx, caller, query);
      if (companyIds === undefined) {
        throw badParameter('company_id or organization_id: one of them is required');
      }
      const ids = await this.tagGroupRepository.idsOf(tx, companyIds, { includeArchived: false, ids: asked });
      const dimensions = await this.tagDimensionRepository.ofGroups(tx, ids);
      const groups = await this.tagGroupRepository.findByIds(tx, ids);
      return { data: groups.map((group) => aggregatedGroupWire(group, dimensions)) };
    });
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
    const filter = parseBody(tagSearchSchema, body ?? {});
    return this.database.inTransaction('aggregate tags', async (tx) => {
      const search = tagSearchOf(await this.companiesOf(tx, caller, query), filter);
      const { rows, pagination } = await this.searchTags.search(tx, query, search);
      const groupIds = [...new Set(rows.map((tag) => tag.groupId))];
      const parts = {
        groups: await this.tagGroupRepository.findByIds(tx, groupIds),
        dimensions: await this.tagDimensionRepository.ofGroups(tx, groupIds),
        values: await this.tagDimensionRepository.valuesOf(
          tx,
          rows.map((tag) => tag.id),
        ),
      };
      return { data: rows.map((tag) => aggregatedTagWire(tag, parts)), pagination };
    });
  }

  private async companiesOf(tx: Tx, caller: Caller, query: QueryParameters): Promise<readonly string[]> {
    return (await this.companyAccess.namedByQuery(tx, caller, query)) ?? caller.companyIds;
  }
}
