import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Pagination } from '../paging/page.js';
import { ReadPage } from '../paging/read-page.js';
import type { Query } from '../wire/parse-request.js';
import type { Tag, TagSearch } from './tag.js';
import { TAG_COLUMNS, TagRepository } from './tag.repository.js';

/** One page of the tags that a search finds. */
@Injectable()
export class SearchTags {
  constructor(
    private readonly tagRepository: TagRepository,
    private readonly readPage: ReadPage,
  ) {}

  /** @param query its paging parameters are read, nothing else */
  async search(
    tx: Tx,
    query: Query,
    search: TagSearch,
  ): Promise<{ readonly rows: readonly Tag[]; readonly pagination: Pagination }> {
    return this.readPage.readPage(tx, query, {
      list: this.tagRepository.listOf(search),
      columns: TAG_COLUMNS,
      rows: (ids) => this.tagRepository.findByIds(tx, ids),
    });
  }
}
