import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { MasterDimension } from '../../bookkeeping/item/master-data.js';
import { ReferenceDataApi } from '../../platform/reference-data-api.js';
import { ApplyTagSteps } from './apply-tag-steps.js';
import { DimensionChoiceRepository, type DimensionChoice } from '../dimension-choice.repository.js';
import { selectDimensions, stillActive } from '../domain/dimension-selection.js';
import { preferredGroups, planTags, type PlatformTag, type TagStep } from '../domain/plan-tags.js';
import { isArchive, listOf, refuseEmpty, type ExecutablePlan, type SyncScope } from './sync-scope.js';

/** Chosen dimensions and their values, ERP → tag groups and tags of the platform. */
@Injectable()
export class SyncTags {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly dimensionChoiceRepository: DimensionChoiceRepository,
    private readonly referenceDataApi: ReferenceDataApi,
    private readonly clock: Clock,
  ) {}

  /** @throws ErpUnavailable, SyncBlocked, or the platform's error */
  async plan(work: SyncScope): Promise<ExecutablePlan<TagStep>> {
    const { installationId, companyId, auth } = work;
    const choice = await this.tenantDatabase.readOnce('find dimension choice', installationId, (tx) =>
      this.dimensionChoiceRepository.find(tx, installationId),
    );
    const erp = listOf(await work.erp.dimensions());
    const groups = await this.referenceDataApi.listTagGroups(auth, companyId);
    const chosen = choice?.codes ?? selectDimensions(erp, groups);
    if (chosen === undefined) {
      return { plan: { steps: [], problems: [undecided(erp)].flat() }, active: 0, apply: () => Promise.resolve([]) };
    }
    const dimensions = stillActive(erp, chosen);
    const tagsOf = new Map<string, readonly PlatformTag[]>();
    for (const { id } of preferredGroups(dimensions, groups).values()) {
      tagsOf.set(id, await this.referenceDataApi.listTags(auth, id));
    }
    const plan = planTags(dimensions, groups, tagsOf);
    refuseEmptyDimensions(erp.length === 0 && chosen.length > 0, dimensions, plan.steps);
    const steps = new ApplyTagSteps(this.referenceDataApi, work);
    return {
      plan,
      active: [...tagsOf.values()].flat().filter(({ archived }) => !archived).length,
      storeFindings: async (tx) => {
        if (choice === undefined || dimensions.length < choice.codes.length) {
          const codes = dimensions.map(({ code }) => code);
          await this.dimensionChoiceRepository.saveVersion(tx, installationId, next(choice, codes, this.clock.now()));
        }
      },
      apply: (some) => steps.applyAll(some),
    };
  }
}

/**
 * A group that is no longer chosen, or whose dimension is inactive, is archived nevertheless: its tags stay.
 * @param isAllGone whether the ERP does not even list a dimension, though some are chosen
 */
function refuseEmptyDimensions(
  isAllGone: boolean,
  dimensions: readonly MasterDimension[],
  steps: readonly TagStep[],
): void {
  const shows = dimensions.some(({ values }) => values.some(({ active }) => active));
  const archives = steps.filter(isArchive).some(({ subject }) => subject === 'tag' || isAllGone);
  refuseEmpty('dimensionValues', !shows, archives);
}

function next(choice: DimensionChoice | undefined, codes: readonly string[], chosenAt: Date): DimensionChoice {
  return { version: (choice?.version ?? 0) + 1, codes, chosenBy: 'sync', chosenAt };
}

function undecided(erp: readonly MasterDimension[]) {
  const names = erp.filter(({ active }) => active).map(({ code }) => code);
  return names.length === 0
    ? []
    : {
        subject: 'tag-group' as const,
        key: '',
        name: '',
        detail: `No dimension is chosen, and the platform has no tag group like one: choose up to five of ${names.slice(0, 20).join(', ')} at Reference data.`,
      };
}
