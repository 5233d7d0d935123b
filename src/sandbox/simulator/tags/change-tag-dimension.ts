import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { TagAccess } from './tag-access.js';
import type { TagDimension } from './tag-dimension.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';

type NewDimension = Pick<TagDimension, 'name' | 'code' | 'visible'>;

/** Dimensions of a tag group besides name and code (P7). */
@Injectable()
export class ChangeTagDimension {
  constructor(
    private readonly tagAccess: TagAccess,
    private readonly tagDimensionRepository: TagDimensionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** In display order. @throws ApiError 404 for an unknown group */
  async list(caller: Caller, groupId: string): Promise<readonly TagDimension[]> {
    return this.database.inTransaction('list tag dimensions', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, groupId);
      return this.tagDimensionRepository.ofGroups(tx, [group.id]);
    });
  }

  /** @throws ApiError 404 for an unknown group or dimension */
  async find(caller: Caller, groupId: string, id: string): Promise<TagDimension> {
    return this.database.inTransaction('find tag dimension', (tx) => this.lockDimension(tx, caller, groupId, id));
  }

  /** The new dimension is the last one. @throws ApiError 404 */
  async create(caller: Caller, groupId: string, fields: NewDimension): Promise<TagDimension> {
    return this.database.inTransaction('create tag dimension', async (tx) => {
      const group = await this.tagAccess.lockGroup(tx, caller, groupId);
      const others = await this.tagDimensionRepository.ofGroups(tx, [group.id]);
      const now = this.simulatorClock.now();
      const fresh = {
        ...fields,
        id: randomUUID(),
        groupId: group.id,
        displayOrder: (others.at(-1)?.displayOrder ?? 0) + 1,
        createdAt: now,
        updatedAt: now,
      };
      await this.tagDimensionRepository.add(tx, fresh);
      return fresh;
    });
  }

  /** @throws ApiError 404 */
  async update(
    caller: Caller,
    groupId: string,
    id: string,
    fields: NewDimension & Pick<TagDimension, 'displayOrder'>,
  ): Promise<TagDimension> {
    return this.database.inTransaction('update tag dimension', async (tx) => {
      const dimension = await this.lockDimension(tx, caller, groupId, id);
      const changed = { ...dimension, ...fields, updatedAt: this.simulatorClock.now() };
      await this.tagDimensionRepository.change(tx, changed);
      return changed;
    });
  }

  /** @throws ApiError 404 */
  async remove(caller: Caller, groupId: string, id: string): Promise<void> {
    await this.database.inTransaction('delete tag dimension', async (tx) => {
      const dimension = await this.lockDimension(tx, caller, groupId, id);
      await this.tagDimensionRepository.remove(tx, dimension.id);
    });
  }

  private async lockDimension(tx: Tx, caller: Caller, groupId: string, id: string): Promise<TagDimension> {
    const dimensionId = parseUuid('dimensionId', id);
    const group = await this.tagAccess.lockGroup(tx, caller, groupId);
    const found = (await this.tagDimensionRepository.ofGroups(tx, [group.id])).find((each) => each.id === dimensionId);
    if (found === undefined) {
      throw notFound('TAG_DIMENSION_NOT_FOUND', 'Tag group dimension not found.');
    }
    return found;
  }
}
