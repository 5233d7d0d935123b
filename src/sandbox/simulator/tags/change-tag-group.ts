import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { ActiveLimits } from './active-limits.js';
import { TagAccess } from './tag-access.js';
import type { TagGroup, TagGroupUpdate } from './tag-group.js';
import { TagGroupRepository } from './tag-group.repository.js';

/** Creates, changes and deletes tag groups (P7). Archiving a group leaves its tags as they are. */
@Injectable()
export class ChangeTagGroup {
  constructor(
    private readonly tagAccess: TagAccess,
    private readonly activeLimits: ActiveLimits,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @param companyId one of the caller's
   * @throws ApiError 400 when the company has the maximum number of active groups
   */
  async create(companyId: string, fields: TagGroupUpdate): Promise<TagGroup> {
    const now = this.simulatorClock.now();
    const fresh = { ...fields, id: randomUUID(), companyId, createdAt: now, updatedAt: now };
    await this.database.inTransaction('create tag group', async (tx) => {
      await this.companyRepository.serialize(tx, companyId);
      await this.tagGroupRepository.add(tx, [fresh]);
      if (!fresh.archived) {
        await this.activeLimits.assertGroups(tx, companyId);
      }
    });
    return fresh;
  }

  /** @throws ApiError 404; 400 as `create` when it becomes active */
  async update(caller: Caller, id: string, fields: TagGroupUpdate): Promise<TagGroup> {
    return this.database.inTransaction('update tag group', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, id);
      const changed = { ...group, ...fields, updatedAt: this.simulatorClock.now() };
      if (group.archived && !changed.archived) {
        await this.companyRepository.serialize(tx, group.companyId);
        await this.tagGroupRepository.change(tx, changed);
        await this.activeLimits.assertGroups(tx, group.companyId);
      } else {
        await this.tagGroupRepository.change(tx, changed);
      }
      return changed;
    });
  }

  /** Deletes its tags as well. @throws ApiError 404 */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.database.inTransaction('delete tag group', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, id);
      await this.tagGroupRepository.remove(tx, [group.id]);
    });
  }
}
