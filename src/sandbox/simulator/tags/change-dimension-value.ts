import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { TagAccess } from './tag-access.js';
import type { DimensionValuePath, TagDimensionValue } from './tag-dimension.js';
import { TagDimensionRepository } from './tag-dimension.repository.js';
import type { Tag } from './tag.js';

/** The value of a tag in a dimension of its group (P7, "Dimension values"). */
@Injectable()
export class ChangeDimensionValue {
  constructor(
    private readonly tagAccess: TagAccess,
    private readonly tagDimensionRepository: TagDimensionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** In display order. @throws ApiError 404 for an unknown tag */
  async list(caller: Caller, tagId: string): Promise<readonly TagDimensionValue[]> {
    return this.database.inTransaction('list dimension values', async (tx) => {
      const tag = await this.tagAccess.lockTag(tx, caller, tagId);
      return this.tagDimensionRepository.valuesOf(tx, [tag.id]);
    });
  }

  /** @throws ApiError 404 for an unknown tag, or a dimension it has no value of */
  async find(caller: Caller, { tagId, dimensionId }: DimensionValuePath): Promise<TagDimensionValue> {
    return this.database.inTransaction('find dimension value', async (tx) =>
      this.lockValue(tx, await this.tagAccess.lockTag(tx, caller, tagId), dimensionId),
    );
  }

  /** @throws ApiError 404 for an unknown tag or dimension; 409 when there is a value already */
  async create(
    caller: Caller,
    { tagId, dimensionId }: DimensionValuePath,
    { value }: Pick<TagDimensionValue, 'value'>,
  ): Promise<TagDimensionValue> {
    return this.database.inTransaction('create dimension value', async (tx) => {
      const tag = await this.tagAccess.lockTag(tx, caller, tagId);
      const id = parseUuid('dimensionId', dimensionId);
      const ofGroup = await this.tagDimensionRepository.ofGroups(tx, [tag.groupId]);
      if (!ofGroup.some((dimension) => dimension.id === id)) {
        throw notFound('TAG_DIMENSION_NOT_FOUND', 'Tag group dimension not found.');
      }
      const values = await this.tagDimensionRepository.valuesOf(tx, [tag.id]);
      if (values.some((stored) => stored.dimensionId === id)) {
        throw new ApiError(409, 'TAG_DIMENSION_VALUE_ALREADY_EXISTS', 'The tag has a value in this dimension.');
      }
      const now = this.simulatorClock.now();
      const owner = { groupId: tag.groupId, tagId: tag.id, dimensionId: id };
      const fresh = { ...owner, value, createdAt: now, updatedAt: now };
      await this.tagDimensionRepository.putValues(tx, [fresh]);
      return fresh;
    });
  }

  /** @throws ApiError 404 */
  async update(
    caller: Caller,
    { tagId, dimensionId }: DimensionValuePath,
    { value }: Pick<TagDimensionValue, 'value'>,
  ): Promise<TagDimensionValue> {
    return this.database.inTransaction('update dimension value', async (tx) => {
      const tag = await this.tagAccess.lockTag(tx, caller, tagId);
      const stored = await this.lockValue(tx, tag, dimensionId);
      const changed = { ...stored, value, updatedAt: this.simulatorClock.now() };
      await this.tagDimensionRepository.putValues(tx, [changed]);
      return changed;
    });
  }

  /** @throws ApiError 404 */
  async remove(caller: Caller, { tagId, dimensionId }: DimensionValuePath): Promise<void> {
    await this.database.inTransaction('delete dimension value', async (tx) => {
      const tag = await this.tagAccess.lockTag(tx, caller, tagId);
      const stored = await this.lockValue(tx, tag, dimensionId);
      await this.tagDimensionRepository.removeValue(tx, tag.id, stored.dimensionId);
    });
  }

  private async lockValue(tx: Tx, tag: Tag, dimensionId: string): Promise<TagDimensionValue> {
    const id = parseUuid('dimensionId', dimensionId);
    const found = (await this.tagDimensionRepository.valuesOf(tx, [tag.id])).find(
      (stored) => stored.dimensionId === id,
    );
    if (found === undefined) {
      throw notFound('TAG_DIMENSION_VALUE_NOT_FOUND', 'The tag has no value in this dimension.');
    }
    return found;
  }
}
