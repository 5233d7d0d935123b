import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { CompanyAccess, theCompany } from '../companies/company-access.js';
import { dataOf } from '../wire/answer-schemas.js';
import {
  CompanyQuery,
  EmptyAnswer,
  JsonAnswer,
  JsonBody,
  OptionalQuery,
  PlatformApi,
  Refuses,
} from '../wire/api-documentation.js';
import { badParameter } from '../wire/api-error.js';
import { parseBody, queryFlag, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeTagGroup } from './change-tag-group.js';
import { TagAccess } from './tag-access.js';
import {
  newTagGroupSchema,
  tagGroupAnswer,
  tagGroupsAnswer,
  tagGroupUpdateSchema,
  tagGroupWire,
  tagUsageAnswer,
} from './tag-group.js';
import { TagGroupRepository } from './tag-group.repository.js';
import { READ_TAGS, WRITE_TAGS } from './tag-scopes.js';

/** Tag groups (Integration API, "Tags"; wire-facts §7). Their lists have no pages. */
@PlatformApi('tag groups')
@Controller('v0/tag-groups')
@UseGuards(PlatformAccessGuard)
export class TagGroupController {
  constructor(
    private readonly changeGroup: ChangeTagGroup,
    private readonly companyAccess: CompanyAccess,
    private readonly access: TagAccess,
    private readonly groups: TagGroupRepository,
    private readonly database: Database,
  ) {}

  @Get()
  @RequiresScope(...READ_TAGS)
  @CompanyQuery()
  @OptionalQuery('organization_id', { type: 'string', format: 'uuid' })
  @OptionalQuery('include_archived', { type: 'boolean' })
  @OptionalQuery('include_tags_count', { type: 'boolean' })
  @JsonAnswer(tagGroupsAnswer)
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const includeArchived = queryFlag(query, 'include_archived');
    const includeCount = queryFlag(query, 'include_tags_count');
    return this.database.inTransaction('list tag groups', async (tx) => {
      const companyIds = await this.companyAccess.named(tx, caller, query);
      if (companyIds === undefined) {
        throw badParameter('company_id or organization_id: one of them is required');
      }
      const ids = await this.groups.idsOf(tx, companyIds, { includeArchived, ids: [] });
      const counts = await this.groups.tagCounts(tx, includeCount ? ids : []);
      const data = (await this.groups.findByIds(tx, ids)).map((group) => ({
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
  @JsonAnswer(dataOf(tagGroupAnswer), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    const fields = parseBody(newTagGroupSchema, body);
    return { data: tagGroupWire(await this.changeGroup.create(theCompany(caller, query), fields)) };
  }

  @Get(':groupId')
  @Refuses(404)
  @RequiresScope(...READ_TAGS)
  @JsonAnswer(dataOf(tagGroupAnswer))
  async get(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<object> {
    const group = await this.database.inTransaction('get tag group', (tx) =>
      this.access.takeGroup(tx, caller, id),
    );
    return { data: tagGroupWire(group) };
  }

  @Put(':groupId')
  @Refuses(404)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(tagGroupUpdateSchema)
  @JsonAnswer(dataOf(tagGroupAnswer))
  async update(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    const fields = parseBody(tagGroupUpdateSchema, body);
    return { data: tagGroupWire(await this.changeGroup.update(caller, id, fields)) };
  }

  @Delete(':groupId')
  @Refuses(404)
  @HttpCode(204)
  @RequiresScope(...WRITE_TAGS)
  @EmptyAnswer(204)
  async remove(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<void> {
    await this.changeGroup.remove(caller, id);
  }

  /** How many accounting entries carry each tag. */
  @Get(':groupId/usage')
  @Refuses(404)
  @RequiresScope(...READ_TAGS)
  @JsonAnswer(tagUsageAnswer)
  async usage(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<object> {
    return this.database.inTransaction('read tag group usage', async (tx) => {
      const group = await this.access.takeGroup(tx, caller, id);
      return { data: { usages: await this.groups.usage(tx, group) } };
    });
  }
}
