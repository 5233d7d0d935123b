import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Pagination } from '../paging/page.js';
import { ReadPage } from '../paging/read-page.js';
import type { Query } from '../wire/parse-request.js';
import { TAG_SORTING_KEYS, type Tag, type TagSearch } from './tag.js';
import { TagRepository } from './tag.repository.js';

/** One page of the tags that a search finds. */
@Injectable()
export class SearchTags {
  constructor(
    private readonly tags: TagRepository,
    private readonly readPage: ReadPage,
  ) {}

  /** @param query its paging parameters are read, nothing else */
  async run(
    tx: Tx,
    query: Query,
    search: TagSearch,
  ): Promise<{ readonly rows: readonly Tag[]; readonly pagination: Pagination }> {
    return this.readPage.run(tx, query, {
      sortingKeys: TAG_SORTING_KEYS,
      keys: (window) => this.tags.keys(tx, search, window),
      rows: (ids) => this.tags.findByIds(tx, ids),
    });
  }
}
