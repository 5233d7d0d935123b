import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ChangeCompanies } from '../companies/change-companies.js';
import { TagGroupRepository } from '../tags/tag-group.repository.js';
import { TagRepository } from '../tags/tag.repository.js';
import { seededTagGroups, type tagGroupSeeds } from './reference-seeds.js';
import { assertAllAdded, seedInto, type SeededIds } from './seed-reference-data.js';

/** Seeds tag groups with their tags. */
@Injectable()
export class SeedTags {
  constructor(
    private readonly changeCompanies: ChangeCompanies,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly tagRepository: TagRepository,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 404 for an unknown company; 409 when two tags of a group have one code */
  async tagGroups(companyId: string, seeds: z.output<typeof tagGroupSeeds>): Promise<SeededIds> {
    const { groups, tags } = seededTagGroups(companyId, seeds, this.simulatorClock.now());
    return seedInto(this.changeCompanies, companyId, groups, async (tx) => {
      await this.tagGroupRepository.add(tx, groups);
      assertAllAdded(tags, await this.tagRepository.add(tx, tags));
    });
  }
}
