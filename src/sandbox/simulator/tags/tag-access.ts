import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import type { TagGroup } from './tag-group.js';
import { TagGroupRepository } from './tag-group.repository.js';
import type { Tag } from './tag.js';
import { TagRepository } from './tag.repository.js';

/** The first steps of every operation on tags. */
@Injectable()
export class TagAccess {
  constructor(
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagRepository: TagRepository,
  ) {}

  /**
   * Locks and returns a group of one of the caller's companies.
   * @throws ApiError 404; 400 when the id is no UUID
   */
  async lockGroup(tx: Tx, caller: Caller, id: string): Promise<TagGroup> {
    const groupId = parseUuid('groupId', id);
    await this.tagGroupRepository.lock(tx, [groupId]);
    const [group] = await this.tagGroupRepository.findByIds(tx, [groupId]);
    if (group === undefined || !caller.companyIds.includes(group.companyId)) {
      throw notFound('TAG_GROUP_NOT_FOUND', 'Tag group not found.');
    }
    return group;
  }

  /** As `lockGroup` for a tag; its group is locked. */
  async lockTag(tx: Tx, caller: Caller, id: string): Promise<Tag> {
    const [tag] = await this.lockTags(tx, caller.companyIds, [parseUuid('tagId', id)]);
    if (tag === undefined) {
      throw notFound('TAG_NOT_FOUND', 'Tag not found.');
    }
    return tag;
  }

  /**
   * Tags of these companies, their groups locked.
   * @throws ApiError 404 when one is missing
   */
  async lockTags(tx: Tx, companyIds: readonly string[], ids: readonly string[]): Promise<readonly Tag[]> {
    const seen = await this.tagRepository.findByIds(tx, ids);
    await this.tagGroupRepository.lock(tx, [...new Set(seen.map(({ groupId }) => groupId))]);
    // Read again: they may have changed before the lock was free.
    const tags = (await this.tagRepository.findByIds(tx, ids)).filter((tag) => companyIds.includes(tag.companyId));
    const missing = ids.filter((id) => !tags.some((tag) => tag.id === id));
    if (missing.length > 0) {
      throw notFound('TAG_NOT_FOUND', `Tag not found: ${missing.slice(0, 5).join(', ')}`);
    }
    return tags;
  }
}
