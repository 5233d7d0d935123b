import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Caller } from '../access/caller.js';
import { ReadPage, type PageResponse } from '../paging/read-page.js';
import type { Query } from '../wire/parse-request.js';
import { aggregatedTagWire } from './aggregated-tag.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';
import { TagGroupRepository } from './tag-group.repository.js';
import { TagReader } from './tag.reader.js';
import type { TagFilter } from './tag.js';

/** Reads tags with everything that belongs to them (P7, "aggregations"). */
@Injectable()
export class AggregatedTagReader {
  constructor(
    private readonly tagReader: TagReader,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagDimensionRepository: TagDimensionRepository,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /** As `TagReader.search`, each tag with its group, its dimensions and their values. */
  async search(caller: Caller, query: Query, filter: TagFilter): Promise<PageResponse> {
    return this.database.inTransaction('aggregate tags', async (tx) => {
      const list = await this.tagReader.find(tx, caller, query, filter);
      const { rows, pagination } = await this.readPage.readPage(tx, query, list);
      const groupIds = [...new Set(rows.map((tag) => tag.groupId))];
      const tagIds = rows.map((tag) => tag.id);
      const parts = {
        groups: await this.tagGroupRepository.findByIds(tx, groupIds),
        dimensions: await this.tagDimensionRepository.ofGroups(tx, groupIds),
        values: await this.tagDimensionRepository.valuesOf(tx, tagIds),
      };
      return { data: rows.map((tag) => aggregatedTagWire(tag, parts)), pagination };
    });
  }
}
