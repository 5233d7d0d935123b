import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { CompanyAccess, companyOfQuery } from '../companies/company-access.js';
import { dataOf } from '../wire/response-schemas.js';
import {
  CompanyQuery,
  EmptyResponse,
  JsonResponse,
  JsonBody,
  OptionalQuery,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { badParameter } from '../wire/api-error.js';
import { parseBody, queryFlag, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeTagGroup } from './change-tag-group.js';
import { TagAccess } from './tag-access.js';
import {
  newTagGroupSchema,
  tagGroupResponseSchema,
  tagGroupsResponseSchema,
  tagGroupUpdateSchema,
  tagGroupWire,
  tagUsageResponseSchema,
} from './tag-group.js';
import { TagGroupRepository } from './tag-group.repository.js';
import { READ_TAGS, WRITE_TAGS } from './tag-scopes.js';

/** Tag groups (P7). Their lists have no pages. */
@PlatformApi('tag groups')
@Controller('v0/tag-groups')
@UseGuards(PlatformAccessGuard)
export class TagGroupController {
  constructor(
    private readonly changeTagGroup: ChangeTagGroup,
    private readonly companyAccess: CompanyAccess,
    private readonly tagAccess: TagAccess,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly database: Database,
  ) {}

  @Get()
  @RequiresScope(...READ_TAGS)
  @CompanyQuery()
  @OptionalQuery('organization_id', { type: 'string', format: 'uuid' })
  @OptionalQuery('include_archived', { type: 'boolean' })
  @OptionalQuery('include_tags_count', { type: 'boolean' })
  @JsonResponse(tagGroupsResponseSchema)
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const includeArchived = queryFlag(query, 'include_archived');
    const includeCount = queryFlag(query, 'include_tags_count');
    return this.database.inTransaction('list tag groups', async (tx) => {
      const companyIds = await this.companyAccess.namedByQuery(tx, caller, query);
      if (companyIds === undefined) {
        throw badParameter('company_id or organization_id: one of them is required');
      }
      const ids = await this.tagGroupRepository.idsOf(tx, companyIds, { includeArchived, ids: [] });
      const counts = await this.tagGroupRepository.tagCounts(tx, includeCount ? ids : []);
      const data = (await this.tagGroupRepository.findByIds(tx, ids)).map((group) => ({
        ...tagGroupWire(group),
        ...(includeCount ? { totalTagsCount: counts.get(group.id) ?? 0 } : {}),
      }));
      return { data };
    });
  }

  @Post()
  @RequiresScope(...WRITE_TAGS)
  @CompanyQuery()
  @JsonBody(newTagGroupSchema)
  @JsonResponse(dataOf(tagGroupResponseSchema), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    const fields = parseBody(newTagGroupSchema, body);
    return { data: tagGroupWire(await this.changeTagGroup.create(companyOfQuery(caller, query), fields)) };
  }

  @Get(':groupId')
  @ErrorResponses(404)
  @RequiresScope(...READ_TAGS)
  @JsonResponse(dataOf(tagGroupResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<object> {
    const group = await this.database.inTransaction('get tag group', (tx) =>
      this.tagAccess.lockGroup(tx, caller, id),
    );
    return { data: tagGroupWire(group) };
  }

  @Put(':groupId')
  @ErrorResponses(404)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(tagGroupUpdateSchema)
  @JsonResponse(dataOf(tagGroupResponseSchema))
  async update(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    const fields = parseBody(tagGroupUpdateSchema, body);
    return { data: tagGroupWire(await this.changeTagGroup.update(caller, id, fields)) };
  }

  @Delete(':groupId')
  @ErrorResponses(404)
  @HttpCode(204)
  @RequiresScope(...WRITE_TAGS)
  @EmptyResponse(204)
  async remove(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<void> {
    await this.changeTagGroup.remove(caller, id);
  }

  /** How many accounting entries carry each tag. */
  @Get(':groupId/usage')
  @ErrorResponses(404)
  @RequiresScope(...READ_TAGS)
  @JsonResponse(tagUsageResponseSchema)
  async usage(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<object> {
    return this.database.inTransaction('read tag group usage', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, id);
      return { data: { usages: await this.tagGroupRepository.usage(tx, group) } };
    });
  }
}
