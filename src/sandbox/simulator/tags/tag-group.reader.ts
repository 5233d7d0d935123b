import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { CompanyAccess } from '../companies/company-access.js';
import { badParameter } from '../wire/api-error.js';
import type { Query } from '../wire/parse-request.js';
import { aggregatedGroupWire } from './aggregated-tag.js';
import { TagAccess } from './tag-access.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';
import { tagGroupWire, type TagGroup } from './tag-group.js';
import { TagGroupRepository } from './tag-group.repository.js';

/** Reads tag groups (P7). Their lists have no pages. */
@Injectable()
export class TagGroupReader {
  constructor(
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagDimensionRepository: TagDimensionRepository,
    private readonly tagAccess: TagAccess,
    private readonly companyAccess: CompanyAccess,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 404 for a group of another company or none */
  async get(caller: Caller, id: string): Promise<TagGroup> {
    return this.database.inTransaction('get tag group', (tx) => this.tagAccess.lockGroup(tx, caller, id));
  }

  /**
   * The groups of the companies that the query names.
   * @throws ApiError 400 when the query names no company; 403 for a foreign one
   */
  async list(
    caller: Caller,
    query: Query,
    { includeArchived, includeCount }: { readonly includeArchived: boolean; readonly includeCount: boolean },
  ): Promise<object> {
    return this.database.inTransaction('list tag groups', async (tx) => {
      const companyIds = await this.companiesOf(tx, caller, query);
      return { data: await this.wireOf(tx, companyIds, includeArchived, includeCount) };
    });
  }

  /** All groups of a company, archived ones included, with the number of their tags. */
  async listOfCompany(companyId: string): Promise<object> {
    return this.database.inTransaction('list tag groups of company', async (tx) => ({
      data: await this.wireOf(tx, [companyId], true, true),
    }));
  }

  /** The number of accounting entries that carry each tag of a group. @throws ApiError 404 */
  async usage(caller: Caller, id: string): Promise<object> {
    return this.database.inTransaction('read tag group usage', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, id);
      return { data: { usages: await this.tagGroupRepository.usage(tx, group) } };
    });
  }

  /**
   * Groups with their dimensions.
   * @param ids only these groups; none means all that are not archived
   * @throws ApiError as `list`
   */
  async aggregate(caller: Caller, query: Query, ids: readonly string[]): Promise<object> {
    return this.database.inTransaction('aggregate tag groups', async (tx) => {
      const companyIds = await this.companiesOf(tx, caller, query);
      const found = await this.tagGroupRepository.idsOf(tx, companyIds, { includeArchived: false, ids });
      const dimensions = await this.tagDimensionRepository.ofGroups(tx, found);
      const groups = await this.tagGroupRepository.findByIds(tx, found);
      return { data: groups.map((group) => aggregatedGroupWire(group, dimensions)) };
    });
  }

  private async wireOf(
    tx: Tx,
    companyIds: readonly string[],
    includeArchived: boolean,
    includeCount: boolean,
  ): Promise<readonly object[]> {
    const ids = await this.tagGroupRepository.idsOf(tx, companyIds, { includeArchived, ids: [] });
    const counts = await this.tagGroupRepository.tagCounts(tx, includeCount ? ids : []);
    return (await this.tagGroupRepository.findByIds(tx, ids)).map((group) => ({
      ...tagGroupWire(group),
      ...(includeCount ? { totalTagsCount: counts.get(group.id) ?? 0 } : {}),
    }));
  }

  private async companiesOf(tx: Tx, caller: Caller, query: Query): Promise<readonly string[]> {
    const companyIds = await this.companyAccess.namedByQuery(tx, caller, query);
    if (companyIds === undefined) {
      throw badParameter('company_id or organization_id: one of them is required');
    }
    return companyIds;
  }
}
