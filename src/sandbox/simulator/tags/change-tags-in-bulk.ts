import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ActiveLimits } from './active-limits.js';
import { TagAccess } from './tag-access.js';
import type { Tag } from './tag.js';
import { TagRepository } from './tag.repository.js';

/** Changes 1 to 100 tags of a company, all or none (P7, "Bulk archive", "Bulk delete"). */
@Injectable()
export class ChangeTagsInBulk {
  constructor(
    private readonly tagAccess: TagAccess,
    private readonly activeLimits: ActiveLimits,
    private readonly tagRepository: TagRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 403 for a foreign company; 404 when a tag is missing; 400 when a group gets too many active tags */
  async archive(
    caller: Caller,
    request: { readonly companyId: string; readonly tagIds: readonly string[]; readonly archived: boolean },
  ): Promise<readonly Tag[]> {
    const companyIds = companiesOf(caller, request.companyId);
    return this.database.inTransaction('archive tags', async (tx) => {
      const tags = await this.tagAccess.lockTags(tx, companyIds, request.tagIds);
      await this.tagRepository.setArchived(tx, request.tagIds, request.archived, this.simulatorClock.now());
      const filled = tags.filter((tag) => tag.archived && !request.archived);
      for (const groupId of new Set(filled.map((tag) => tag.groupId))) {
        await this.activeLimits.assertTags(tx, groupId);
      }
      return this.tagRepository.findByIds(tx, request.tagIds);
    });
  }

  /** @throws ApiError 403; 404 */
  async remove(
    caller: Caller,
    request: { readonly companyId: string; readonly tagIds: readonly string[] },
  ): Promise<void> {
    const companyIds = companiesOf(caller, request.companyId);
    await this.database.inTransaction('delete tags', async (tx) => {
      await this.tagAccess.lockTags(tx, companyIds, request.tagIds);
      await this.tagRepository.remove(tx, request.tagIds);
    });
  }
}
