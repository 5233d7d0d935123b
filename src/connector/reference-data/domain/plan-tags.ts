// Dimensions → tag groups and their values → tags, matched by code without regard to case (P9.10). Groups come
// before tags; what goes comes before what is new, because the platform limits how much may be active.
import type { MasterDimension, MasterValue } from '../../bookkeeping/item/master-data.js';
import { codeKey } from './dimension-selection.js';
import {
  compareText,
  keyProblem,
  platformName,
  type PlannedChange,
  type SyncPlan,
  type SyncProblem,
} from './sync-plan.js';

export interface PlatformTagGroup {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly archived: boolean;
  /** Free storage of the program that wrote it; an update has to send it back. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface PlatformTag {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly archived: boolean;
}

export type TagGroupContent = Omit<PlatformTagGroup, 'id'>;
export type TagContent = Omit<PlatformTag, 'id'>;

/** An existing group, or the one that the step for this dimension creates. */
export type GroupRef = { readonly id: string } | { readonly newFor: string };

export type TagStep = PlannedChange &
  (
    | { readonly subject: 'tag-group'; readonly action: 'create'; readonly content: TagGroupContent }
    | {
        readonly subject: 'tag-group';
        readonly action: 'update' | 'archive' | 'unarchive';
        readonly id: string;
        readonly content: TagGroupContent;
      }
    | {
        readonly subject: 'tag';
        readonly action: 'create';
        readonly group: GroupRef;
        readonly content: TagContent;
      }
    | {
        readonly subject: 'tag';
        readonly action: 'update' | 'unarchive';
        readonly group: GroupRef;
        readonly id: string;
        readonly content: TagContent;
      }
    | { readonly subject: 'tag'; readonly action: 'archive'; readonly group: GroupRef; readonly id: string }
  );

const ORDER: Readonly<Record<TagStep['action'], number>> = { archive: 0, update: 1, unarchive: 1, create: 2 };

/**
 * The platform's group for each dimension, where there is one: of several with its code the one whose name is right, then
 * an active one, then any, but always the same.
 */
export function preferredGroups(
  dimensions: readonly MasterDimension[],
  groups: readonly PlatformTagGroup[],
): ReadonlyMap<string, PlatformTagGroup> {
  const byKey = Map.groupBy(groups, ({ code }) => codeKey(code));
  return new Map(
    dimensions.flatMap((dimension) => {
      const kept = preferredOf(byKey.get(codeKey(dimension.code)) ?? [], dimension);
      return kept === undefined ? [] : [[dimension.code, kept] as const];
    }),
  );
}

/**
 * @param dimensions the chosen ones, active
 * @param groups all of the company; the tags of a group that goes stay as they are
 * @param tagsOf the tags of a group by its id, archived ones included, for every group that is kept
 */
export function planTags(
  dimensions: readonly MasterDimension[],
  groups: readonly PlatformTagGroup[],
  tagsOf: ReadonlyMap<string, readonly PlatformTag[]>,
): SyncPlan<TagStep> {
  const kept = preferredGroups(dimensions, groups);
  const keptIds = new Set([...kept.values()].map(({ id }) => id));
  const archives = groups
    .filter(({ id, archived }) => !archived && !keptIds.has(id))
    .map(({ id, ...content }) => groupStep('archive', id, { ...content, archived: true }));
  const changes: TagStep[] = [];
  const creates: TagStep[] = [];
  const tags: SyncPlan<TagStep>[] = [];
  for (const dimension of dimensions) {
    const found = kept.get(dimension.code);
    const name = platformName(dimension.name, dimension.code);
    if (found === undefined) {
      const content = { code: dimension.code, name, archived: false, metadata: {} };
      creates.push({ subject: 'tag-group', action: 'create', key: dimension.code, name, content });
    } else if (found.archived || found.name !== name) {
      const { id, ...content } = found;
      const action = found.archived ? 'unarchive' : 'update';
      changes.push(groupStep(action, id, { ...content, name, archived: false }));
    }
    const group = found === undefined ? { newFor: dimension.code } : { id: found.id };
    tags.push(planTagsOf(dimension, group, found === undefined ? [] : (tagsOf.get(found.id) ?? [])));
  }
  // Archives of all groups in a row: a hundred of them are one request.
  const tagSteps = tags.flatMap(({ steps }) => steps);
  return {
    steps: [...archives, ...changes, ...creates, ...tagSteps.toSorted((a, b) => ORDER[a.action] - ORDER[b.action])],
    problems: tags.flatMap(({ problems }) => problems),
  };
}

function groupStep(action: 'update' | 'archive' | 'unarchive', id: string, content: TagGroupContent): TagStep {
  return { subject: 'tag-group', action, key: content.code, name: content.name, id, content };
}

function planTagsOf(dimension: MasterDimension, group: GroupRef, tags: readonly PlatformTag[]): SyncPlan<TagStep> {
  const { wanted, problems } = wantedValues(dimension);
  const byKey = Map.groupBy(tags, ({ code }) => codeKey(code));
  const keptIds = new Set<string>();
  const changes: TagStep[] = [];
  const creates: TagStep[] = [];
  for (const [key, value] of wanted) {
    const name = platformName(value.name, value.code);
    const found = preferredOf(byKey.get(key) ?? [], value);
    const shown = { subject: 'tag', key: tagKey(dimension.code, value.code), name, group } as const;
    if (found === undefined) {
      creates.push({ ...shown, action: 'create', content: { code: value.code, name, archived: false } });
      continue;
    }
    keptIds.add(found.id);
    if (found.archived || found.name !== name) {
      const action = found.archived ? 'unarchive' : 'update';
      // Case is no difference, so the code stays as the platform has it.
      const content = { code: found.code, name, archived: false };
      changes.push({ ...shown, action, id: found.id, content });
    }
  }
  const archives = tags
    .filter(({ id, archived }) => !archived && !keptIds.has(id))
    .map(({ id, code, name }): TagStep => {
      const key = tagKey(dimension.code, code);
      return { subject: 'tag', action: 'archive', key, name, group, id };
    });
  return { steps: [...archives, ...changes, ...creates], problems };
}

function wantedValues({ code: dimension, values }: MasterDimension): {
  readonly wanted: ReadonlyMap<string, MasterValue>;
  readonly problems: readonly SyncProblem[];
} {
  const wanted = new Map<string, MasterValue>();
  const problems: SyncProblem[] = [];
  const active = values.filter((value) => value.active);
  for (const value of active.toSorted((a, b) => compareText(a.code, b.code))) {
    const key = codeKey(value.code);
    const detail = wanted.has(key)
      ? 'Several active values of the dimension have codes that differ in case only, which the platform takes for one; only the first is synced.'
      : keyProblem(value.code);
    if (detail === undefined) {
      wanted.set(key, value);
    } else {
      problems.push({ subject: 'tag', key: tagKey(dimension, value.code), name: value.name, detail });
    }
  }
  return { wanted, problems };
}

function preferredOf<Found extends { readonly id: string; readonly name: string; readonly archived: boolean }>(
  found: readonly Found[],
  { name, code }: { readonly name: string; readonly code: string },
): Found | undefined {
  const wantedName = platformName(name, code);
  const rank = (each: Found) => (each.name === wantedName ? 0 : 2) + (each.archived ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b) || compareText(a.id, b.id))[0];
}

function tagKey(dimension: string, value: string): string {
  return `${dimension}/${value}`;
}
