import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import { mapConstraintConflict } from '../wire/constraint-conflict.js';
import { ActiveLimits } from './active-limits.js';
import { TagAccess } from './tag-access.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';
import type { Tag, TagRequest } from './tag.js';
import { TAG_KEY, TagRepository } from './tag.repository.js';

/** Creates, changes and deletes one tag (P7). */
@Injectable()
export class ChangeTag {
  constructor(
    private readonly tagAccess: TagAccess,
    private readonly activeLimits: ActiveLimits,
    private readonly tagRepository: TagRepository,
    private readonly tagDimensionRepository: TagDimensionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @throws ApiError 404 for an unknown group; 409 when a tag of the group has the code; 400 when the group has the
   * maximum number of active tags
   */
  async create(caller: Caller, groupId: string, request: TagRequest): Promise<Tag> {
    const { archived, code, name = null, otherDimensionValues } = request;
    return this.database.inTransaction('create tag', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, groupId);
      const now = this.simulatorClock.now();
      const owner = { companyId: group.companyId, groupId: group.id };
      const fresh = { id: randomUUID(), ...owner, archived, code, name, createdAt: now, updatedAt: now };
      const added = await this.tagRepository.add(tx, [fresh]);
      if (!added.has(fresh.id)) {
        throw codeTaken();
      }
      await this.assertWithinLimit(tx, fresh);
      await this.putOtherValues(tx, fresh, otherDimensionValues ?? [], '');
      return fresh;
    });
  }

  /**
   * A name that is left out stays.
   * @throws ApiError 404; 409 when another tag of the group has the code; 400 as `create` when it becomes active
   */
  async update(caller: Caller, id: string, request: TagRequest): Promise<Tag> {
    return mapConstraintConflict(TAG_KEY, codeTaken, () =>
      this.database.inTransaction('update tag', async (tx) => {
        const tag = await this.tagAccess.lockTag(tx, caller, id);
        const { archived, code, name, otherDimensionValues } = request;
        const changed = {
          ...tag,
          archived,
          code,
          name: name ?? tag.name,
          updatedAt: this.simulatorClock.now(),
        };
        await this.tagRepository.change(tx, changed);
        if (tag.archived) {
          await this.assertWithinLimit(tx, changed);
        }
        await this.putOtherValues(tx, changed, otherDimensionValues ?? []);
        return changed;
      }),
    );
  }

  /** @throws ApiError 404 */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.database.inTransaction('delete tag', async (tx) => {
      const tag = await this.tagAccess.lockTag(tx, caller, id);
      await this.tagRepository.remove(tx, [tag.id]);
    });
  }

  private async assertWithinLimit(tx: Tx, tag: Tag): Promise<void> {
    if (!tag.archived) {
      await this.activeLimits.assertTags(tx, tag.groupId);
    }
  }

  /**
   * Values in display order; more values than dimensions are ignored.
   * @param otherwise the value of a dimension without a given one; unset leaves it as it is
   */
  private async putOtherValues(tx: Tx, tag: Tag, values: readonly string[], otherwise?: string): Promise<void> {
    const dimensions = await this.tagDimensionRepository.ofGroups(tx, [tag.groupId]);
    const given = dimensions.flatMap(({ id: dimensionId }, index) => {
      const value = values[index] ?? otherwise;
      const { id: tagId, groupId, updatedAt } = tag;
      return value === undefined ? [] : { groupId, tagId, dimensionId, value, createdAt: updatedAt, updatedAt };
    });
    if (given.length > 0) {
      await this.tagDimensionRepository.putValues(tx, given);
    }
  }
}

function codeTaken(): ApiError {
  return new ApiError(409, 'TAG_ALREADY_EXISTS', 'A tag with the same code exists in this tag group.');
}
