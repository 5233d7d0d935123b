import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ControlApi } from '../access/access-rules.js';
import { ReadPage } from '../paging/read-page.js';
import { TagGroupReader } from '../tags/tag-group.reader.js';
import { tagSearchOf, tagWire } from '../tags/tag.js';
import { TagRepository } from '../tags/tag.repository.js';
import { parseBody, parseUuid, queryUuids, type Query as QueryParameters } from '../wire/parse-request.js';
import { tagGroupSeeds } from './reference-seeds.js';
import { SeedTags } from './seed-tags.js';

/** Seeds a company's tags in bulk, and lists them. */
@ControlApi()
@Controller('control/companies/:id')
export class ControlTagController {
  constructor(
    private readonly seedTags: SeedTags,
    private readonly tagGroupReader: TagGroupReader,
    private readonly tagRepository: TagRepository,
    private readonly readPage: ReadPage,
  ) {}

  @Post('tag-groups')
  async addTagGroups(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    return this.seedTags.tagGroups(parseUuid('id', id), parseBody(tagGroupSeeds, body));
  }

  /** Archived ones included, each with the number of its tags. */
  @Get('tag-groups')
  async tagGroups(@Param('id') id: string): Promise<object> {
    return this.tagGroupReader.listOfCompany(parseUuid('id', id));
  }

  /** Archived ones included; `tag_group_id` picks groups. */
  @Get('tags')
  async tags(@Param('id') id: string, @Query() query: QueryParameters): Promise<object> {
    const tagGroupIds = [...queryUuids(query, 'tag_group_id')];
    const search = tagSearchOf([parseUuid('id', id)], { includeArchived: true, tagGroupIds });
    return this.readPage.respond(query, this.tagRepository.listOf(search), tagWire);
  }
}
