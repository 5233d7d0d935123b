// Applies the steps of one plan of tags: keeps the groups that it has created, and those that are full.
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { ReferenceDataApi } from '../../platform/reference-data-api.js';
import type { GroupRef, TagStep } from '../domain/plan-tags.js';
import type { StepOutcome } from '../domain/sync-run.js';
import { applyInOrder, applyRepeatable, applyOnce, refusalText } from './step-outcome.js';
import type { SyncScope } from './sync-scope.js';

type OneStep = Exclude<TagStep, { readonly subject: 'tag'; readonly action: 'archive' }>;
type ArchiveStep = Extract<TagStep, { readonly subject: 'tag'; readonly action: 'archive' }>;
type ActiveTagStep = Extract<TagStep, { readonly subject: 'tag'; readonly action: 'create' | 'update' | 'unarchive' }>;

const NO_GROUP: StepOutcome = {
  outcome: 'refused',
  detail: 'Its tag group could not be made on the platform: see the problem of the tag group.',
};

export class ApplyTagSteps {
  /** Ids of the groups made by this plan, by dimension. */
  private readonly createdGroups = new Map<string, string>();
  /** Groups that the platform refused to create, by dimension. */
  private readonly refusedGroups = new Set<string>();
  /** By group id, what the platform said when it took no more active tags. */
  private readonly fullGroups = new Map<string, string>();

  constructor(
    private readonly referenceDataApi: ReferenceDataApi,
    private readonly work: SyncScope,
  ) {}

  async applyAll(steps: readonly TagStep[]): Promise<readonly StepOutcome[]> {
    const archives = steps.filter(isTagArchive);
    return archives.length === steps.length && archives.length > 1
      ? this.archiveMany(archives)
      : applyInOrder(steps, (step) => (isTagArchive(step) ? this.archiveOne(step) : this.applyOne(step)));
  }

  /** All of them or none: when one of them no longer exists, a new plan leaves it out. */
  private async archiveMany(steps: readonly ArchiveStep[]): Promise<readonly StepOutcome[]> {
    const outcome = await applyRepeatable(() =>
      this.referenceDataApi.archiveTags(
        this.work.auth,
        this.work.companyId,
        steps.map(({ id }) => id),
      ),
    );
    return steps.map(() => outcome);
  }

  private async archiveOne({ id }: ArchiveStep): Promise<StepOutcome> {
    return applyRepeatable(() => this.referenceDataApi.archiveTags(this.work.auth, this.work.companyId, [id]));
  }

  private async applyOne(step: OneStep): Promise<StepOutcome> {
    if (step.subject === 'tag') {
      return this.activeTag(step);
    }
    return step.action === 'create' ? this.createGroup(step) : this.changeGroup(step);
  }

  private async createGroup({
    key,
    content,
  }: Extract<OneStep, { readonly subject: 'tag-group'; readonly action: 'create' }>): Promise<StepOutcome> {
    const { auth, companyId } = this.work;
    const outcome = await applyOnce(async () => {
      const { id } = await this.referenceDataApi.createTagGroup(auth, companyId, content);
      this.createdGroups.set(key, id);
    });
    if (outcome.outcome === 'refused') {
      this.refusedGroups.add(key);
      return { outcome: 'refused', detail: groupText(outcome.detail) };
    }
    return outcome;
  }

  private async changeGroup({
    action,
    id,
    content,
  }: Extract<OneStep, { readonly action: 'archive' | 'update' | 'unarchive'; readonly subject: 'tag-group' }>) {
    const outcome = await applyRepeatable(() => this.referenceDataApi.updateTagGroup(this.work.auth, id, content));
    return outcome.outcome === 'refused' && action === 'unarchive'
      ? { outcome: 'refused' as const, detail: groupText(outcome.detail) }
      : outcome;
  }

  /** Once a group is full, each further tag would be refused as well. */
  private async activeTag(step: ActiveTagStep): Promise<StepOutcome> {
    const groupId = this.groupId(step.group);
    if (groupId === undefined) {
      return 'newFor' in step.group && this.refusedGroups.has(step.group.newFor) ? NO_GROUP : { outcome: 'stale' };
    }
    const said = this.fullGroups.get(groupId);
    if (said !== undefined && step.action !== 'update') {
      return { outcome: 'refused', detail: said };
    }
    const { auth } = this.work;
    return applyRepeatable(async () => {
      try {
        await (step.action === 'create'
          ? this.referenceDataApi.createTag(auth, groupId, step.content)
          : this.referenceDataApi.updateTag(auth, step.id, step.content));
      } catch (error) {
        if (isLimit(error) && step.action !== 'update') {
          this.fullGroups.set(groupId, tagText(refusalText(error)));
        }
        throw error;
      }
    }).then((outcome) =>
      outcome.outcome === 'refused' && this.fullGroups.has(groupId)
        ? { outcome: 'refused', detail: this.fullGroups.get(groupId) ?? outcome.detail }
        : outcome,
    );
  }

  private groupId(group: GroupRef): string | undefined {
    return 'id' in group ? group.id : this.createdGroups.get(group.newFor);
  }
}

function isTagArchive(step: TagStep): step is ArchiveStep {
  return step.subject === 'tag' && step.action === 'archive';
}

/** The platform responds 400 to a full group and to a bad tag (P7); only the text differs. */
function isLimit(error: unknown): error is PlatformRefusal {
  return (
    error instanceof PlatformRefusal &&
    error.status === 400 &&
    /limit|max|too many|exceed/i.test(`${error.type} ${error.message}`)
  );
}

function groupText(said: string): string {
  return `${said} The platform has a limit of active tag groups: choose fewer dimensions, or archive a tag group there.`;
}

function tagText(said: string): string {
  return `${said} The tag group holds as many active tags as the platform allows: deactivate values of the dimension in the accounting system that nobody uses.`;
}
