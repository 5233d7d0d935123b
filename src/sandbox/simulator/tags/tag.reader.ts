import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { CompanyAccess } from '../companies/company-access.js';
import { ReadPage, type PageResponse } from '../paging/read-page.js';
import type { Query } from '../wire/parse-request.js';
import { TagAccess } from './tag-access.js';
import { tagSearchOf, tagWire, type Tag, type TagFilter } from './tag.js';
import { TagRepository } from './tag.repository.js';

/** Reads tags one by one and by search (P7). */
@Injectable()
export class TagReader {
  constructor(
    private readonly tagRepository: TagRepository,
    private readonly tagAccess: TagAccess,
    private readonly companyAccess: CompanyAccess,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 404 for a tag of another company or none */
  async get(caller: Caller, id: string): Promise<Tag> {
    return this.database.inTransaction('get tag', (tx) => this.tagAccess.lockTag(tx, caller, id));
  }

  /** One page of a group's tags. @throws ApiError 404 for an unknown group */
  async listOfGroup(caller: Caller, groupId: string, query: Query, includeArchived: boolean): Promise<PageResponse> {
    const list = async (tx: Tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, groupId);
      return this.tagRepository.listOf(tagSearchOf([group.companyId], { includeArchived, tagGroupIds: [group.id] }));
    };
    return this.readPage.respond(query, list, tagWire);
  }

  /** One page of the tags that a filter finds in the companies of the query. @throws ApiError 403 */
  async search(caller: Caller, query: Query, filter: TagFilter): Promise<PageResponse> {
    return this.readPage.respond(query, (tx) => this.find(tx, caller, query, filter), tagWire);
  }

  /** The list that `search` serves. */
  async find(tx: Tx, caller: Caller, query: Query, filter: TagFilter) {
    const companyIds = (await this.companyAccess.namedByQuery(tx, caller, query)) ?? caller.companyIds;
    return this.tagRepository.listOf(tagSearchOf(companyIds, filter));
  }
}
