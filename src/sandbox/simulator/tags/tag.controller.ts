import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  EmptyResponse,
  JsonResponse,
  JsonBody,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { parseBody, queryFlag, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeTag } from './change-tag.js';
import { ChangeTagsInBulk } from './change-tags-in-bulk.js';
import { TagReader } from './tag.reader.js';
import { READ_TAGS, WRITE_TAGS } from './tag-scopes.js';
import { bulkArchiveSchema, bulkTagSchema, tagRequestSchema, tagResponseSchema, tagWire } from './tag.js';
import { TAG_COLUMNS } from './tag.repository.js';

/** Tags one by one and in bulk (P7). */
@PlatformApi('tags')
@Controller('v0')
export class TagController {
  constructor(
    private readonly changeTag: ChangeTag,
    private readonly changeTagsInBulk: ChangeTagsInBulk,
    private readonly tagReader: TagReader,
  ) {}

  @Get('tag-groups/:groupId/tags')
  @ErrorResponses(404)
  @RequiresScope(...READ_TAGS)
  @OptionalQuery('include_archived', { type: 'boolean' })
  @PagingParameters(TAG_COLUMNS)
  @JsonResponse(pageOf(tagResponseSchema))
  async listOfGroup(
    @CurrentCaller() caller: Caller,
    @Param('groupId') groupId: string,
    @Query() query: QueryParameters,
  ): Promise<object> {
    const includeArchived = queryFlag(query, 'include_archived');
    return this.tagReader.listOfGroup(caller, groupId, query, includeArchived);
  }

  @Post('tag-groups/:groupId/tags')
  @ErrorResponses(404, 409)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(tagRequestSchema)
  @JsonResponse(dataOf(tagResponseSchema), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Param('groupId') groupId: string,
    @Body() body: unknown,
  ): Promise<object> {
    return { data: tagWire(await this.changeTag.create(caller, groupId, parseBody(tagRequestSchema, body))) };
  }

  @Post('tags/archive')
  @ErrorResponses(404)
  @HttpCode(200)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(bulkArchiveSchema)
  @JsonResponse(dataOf(z.array(tagResponseSchema)))
  async archive(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const tags = await this.changeTagsInBulk.archive(caller, parseBody(bulkArchiveSchema, body));
    return { data: tags.map(tagWire) };
  }

  @Delete('tags')
  @ErrorResponses(404)
  @HttpCode(204)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(bulkTagSchema)
  @EmptyResponse(204)
  async removeMany(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<void> {
    await this.changeTagsInBulk.remove(caller, parseBody(bulkTagSchema, body));
  }

  @Get('tags/:tagId')
  @ErrorResponses(404)
  @RequiresScope(...READ_TAGS)
  @JsonResponse(dataOf(tagResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('tagId') id: string): Promise<object> {
    return { data: tagWire(await this.tagReader.get(caller, id)) };
  }

  @Put('tags/:tagId')
  @ErrorResponses(404, 409)
  @RequiresScope(...WRITE_TAGS)
  @JsonBody(tagRequestSchema)
  @JsonResponse(dataOf(tagResponseSchema))
  async update(@CurrentCaller() caller: Caller, @Param('tagId') id: string, @Body() body: unknown): Promise<object> {
    return { data: tagWire(await this.changeTag.update(caller, id, parseBody(tagRequestSchema, body))) };
  }

  @Delete('tags/:tagId')
  @ErrorResponses(404)
  @HttpCode(204)
  @RequiresScope(...WRITE_TAGS)
  @EmptyResponse(204)
  async remove(@CurrentCaller() caller: Caller, @Param('tagId') id: string): Promise<void> {
    await this.changeTag.remove(caller, id);
  }
}
