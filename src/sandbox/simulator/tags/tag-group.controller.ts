import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { companyOfQuery } from '../companies/company-access.js';
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
import { parseBody, queryFlag, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeTagGroup } from './change-tag-group.js';
import { TagGroupReader } from './tag-group.reader.js';
import {
  newTagGroupSchema,
  tagGroupResponseSchema,
  tagGroupsResponseSchema,
  tagGroupUpdateSchema,
  tagGroupWire,
  tagUsageResponseSchema,
} from './tag-group.js';
import { READ_TAGS, WRITE_TAGS } from './tag-scopes.js';

/** Tag groups (P7). Their lists have no pages. */
@PlatformApi('tag groups')
@Controller('v0/tag-groups')
export class TagGroupController {
  constructor(
    private readonly changeTagGroup: ChangeTagGroup,
    private readonly tagGroupReader: TagGroupReader,
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
    return this.tagGroupReader.list(caller, query, { includeArchived, includeCount });
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
    return { data: tagGroupWire(await this.tagGroupReader.get(caller, id)) };
  }

  @Put(':groupId')
  @ErrorResponses(404)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(tagGroupUpdateSchema)
  @JsonResponse(dataOf(tagGroupResponseSchema))
  async update(@CurrentCaller() caller: Caller, @Param('groupId') id: string, @Body() body: unknown): Promise<object> {
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

  /** The number of accounting entries that carry each tag. */
  @Get(':groupId/usage')
  @ErrorResponses(404)
  @RequiresScope(...READ_TAGS)
  @JsonResponse(tagUsageResponseSchema)
  async usage(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<object> {
    return this.tagGroupReader.usage(caller, id);
  }
}
