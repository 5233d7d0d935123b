import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { ApiError } from '../wire/api-error.js';
import { TagGroupRepository } from './tag-group.repository.js';
import { TagRepository } from './tag.repository.js';

/** Limits of active groups and tags (P7: a limit exists; its number is a setting here). */
@Injectable()
export class ActiveLimits {
  constructor(
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagRepository: TagRepository,
  ) {}

  /**
   * Called after the change, while the company is locked.
   * @throws ApiError 400 when the company now has too many active groups
   */
  async assertGroups(tx: Tx, companyId: string): Promise<void> {
    const { mostActiveTagGroups: most } = await this.simulatorStateRepository.readSettings(tx);
    if ((await this.tagGroupRepository.countActive(tx, companyId)) > most) {
      throw new ApiError(
        400,
        'TAG_GROUP_LIMIT_REACHED',
        `The company already has ${most.toString()} active tag groups, which is the limit. Archive one of them first.`,
      );
    }
  }

  /**
   * Called after the change, while the group is locked.
   * @throws ApiError 400 when the group now has too many active tags
   */
  async assertTags(tx: Tx, groupId: string): Promise<void> {
    const { mostActiveTags: most } = await this.simulatorStateRepository.readSettings(tx);
    if ((await this.tagRepository.countActive(tx, groupId)) > most) {
      throw new ApiError(
        400,
        'TAG_LIMIT_REACHED',
        `Tag group already contains the maximum number of active tags (${most.toString()}).`,
      );
    }
  }
}
