import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MasterDimension, MasterValue } from '../../bookkeeping/item/master-data.js';
import { selectDimensions, stillActive } from './dimension-selection.js';
import { preferredGroups, planTags, type PlatformTag, type PlatformTagGroup, type TagStep } from './plan-tags.js';

const value = (code: string, name = code, active = true): MasterValue => ({ code, name, active });
const dimension = (code: string, values: readonly MasterValue[] = [], name = code): MasterDimension => ({
  code,
  name,
  active: true,
  values,
});
const group = (id: string, code: string, changes: Partial<PlatformTagGroup> = {}): PlatformTagGroup => ({
  id,
  code,
  name: code,
  archived: false,
  metadata: {},
  ...changes,
});
const tag = (id: string, code: string, changes: Partial<PlatformTag> = {}): PlatformTag => ({
  id,
  code,
  name: code,
  archived: false,
  ...changes,
});

const shown = (steps: readonly TagStep[]) =>
  steps.map((step) => `${step.subject} ${step.action} ${'id' in step ? step.id : step.key}`);

describe('groups', () => {
  it.each([
    ['the same in another case', [dimension('CC')], [group('g', 'cc', { name: 'CC' })], []],
    ['another name', [dimension('CC', [], 'Cost centre')], [group('g', 'CC')], ['tag-group update g']],
    ['archived', [dimension('CC')], [group('g', 'CC', { archived: true })], ['tag-group unarchive g']],
    ['new', [dimension('CC')], [], ['tag-group create CC']],
    ['of no chosen dimension', [], [group('g', 'CC')], ['tag-group archive g']],
    [
      'twice, one with the right name',
      [dimension('CC', [], 'Cost centre')],
      [group('a', 'CC', { name: 'x' }), group('b', 'cc', { name: 'Cost centre' })],
      ['tag-group archive a'],
    ],
    [
      'twice, none with the right name: any stays, and gets it',
      [dimension('CC', [], 'Cost centre')],
      [group('b', 'CC', { name: 'y' }), group('a', 'cc', { name: 'x' })],
      ['tag-group archive b', 'tag-group update a'],
    ],
  ])('%s', (_, dimensions, groups, expected) => {
    expect(shown(planTags(dimensions, groups, new Map()).steps)).toEqual(expected);
  });

  it('leaves the tags of an archived group unchanged', () => {
    const tags = new Map([['g', [tag('t', '100')]]]);
    expect(shown(planTags([], [group('g', 'CC')], tags).steps)).toEqual(['tag-group archive g']);
  });

  it('keeps metadata, and the code in the platform’s case', () => {
    const found = group('g', 'cc', { metadata: { owner: 'somebody' } });
    expect(planTags([dimension('CC', [], 'Cost centre')], [found], new Map()).steps[0]).toMatchObject({
      content: { code: 'cc', name: 'Cost centre', archived: false, metadata: { owner: 'somebody' } },
    });
  });
});

describe('tags', () => {
  const plan = (values: readonly MasterValue[], tags: readonly PlatformTag[]) =>
    shown(planTags([dimension('CC', values)], [group('g', 'CC')], new Map([['g', tags]])).steps);

  it.each([
    ['the same', [value('a', 'A')], [tag('t', 'A', { name: 'A' })], []],
    ['another name', [value('a', 'B')], [tag('t', 'A')], ['tag update t']],
    ['archived', [value('a', 'A')], [tag('t', 'A', { archived: true })], ['tag unarchive t']],
    ['gone', [], [tag('t', 'A')], ['tag archive t']],
    ['inactive here, archived there', [value('a', 'A', false)], [tag('t', 'A', { archived: true })], []],
    ['new', [value('a')], [], ['tag create CC/a']],
    ['twice there', [value('a', 'A')], [tag('t', 'a'), tag('u', 'A')], ['tag archive t']],
  ])('%s', (_, values, tags, expected) => {
    expect(plan(values, tags)).toEqual(expected);
  });

  it('reports ERP values that are equal to the platform', () => {
    const { steps, problems } = planTags([dimension('CC', [value('a'), value('A')])], [], new Map());
    expect(shown(steps)).toEqual(['tag-group create CC', 'tag create CC/A']);
    expect(problems).toMatchObject([{ key: 'CC/a' }]);
  });

  it('runs after the groups, and archives before it creates', () => {
    const dimensions = [dimension('CC', [value('new')]), dimension('P', [value('new')])];
    const tags = new Map([['g', [tag('old', 'old')]]]);
    const groups = [group('g', 'CC'), group('x', 'X')];
    expect(shown(planTags(dimensions, groups, tags).steps)).toEqual([
      'tag-group archive x',
      'tag-group create P',
      'tag archive old',
      'tag create CC/new',
      'tag create P/new',
    ]);
  });
});

describe('the choice of dimensions', () => {
  it('takes those that have an active group on the platform, five at most', () => {
    const erp = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((code) => dimension(code));
    const groups = ['f', 'e', 'd', 'c', 'b', 'a'].map((code) => group(code, code));
    expect(selectDimensions(erp, groups)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(selectDimensions(erp, [group('g', 'g'), group('b', 'b', { archived: true })])).toEqual(['G']);
  });

  it('stays undecided without such a group', () => {
    expect(selectDimensions([dimension('A')], [group('z', 'z')])).toBeUndefined();
  });

  it('drops a dimension that is no longer active', () => {
    const erp = [dimension('A'), { ...dimension('B'), active: false }];
    expect(stillActive(erp, ['b', 'a', 'gone']).map(({ code }) => code)).toEqual(['A']);
  });
});

it('from any two states one run reaches the fixpoint and a second plans nothing', () => {
  const code = fc.constantFrom('a', 'A', 'b', 'B', 'c', '');
  const name = fc.constantFrom('x', 'y', '', ' x ');
  const values = fc.array(fc.record({ code, name, active: fc.boolean() }));
  const dimensions = fc.array(fc.record({ code, name, active: fc.boolean(), values }), { maxLength: 4 });
  const tags = fc.uniqueArray(fc.record({ id: fc.uuid(), code, name, archived: fc.boolean() }), {
    selector: ({ id }) => id,
  });
  const groups = fc.uniqueArray(
    fc.record({ id: fc.uuid(), code, name, archived: fc.boolean(), metadata: fc.constant({}), tags }),
    { selector: ({ id }) => id, maxLength: 5 },
  );
  fc.assert(
    fc.property(dimensions, groups, fc.subarray(['a', 'b', 'c']), (erp, theirs, chosen) => {
      const ours = stillActive(erp, chosen);
      const before = theirs.map(({ tags: of, ...each }) => ({ group: each, tags: of }));
      const first = planOf(ours, before);
      const after = carriedOut(first, before);
      expect(planOf(ours, after)).toEqual([]);
      const live = after.filter(({ group: { archived } }) => !archived);
      expect(live.map(({ group: { code: of } }) => of.toLowerCase()).sort()).toEqual(
        ours.map(({ code: of }) => of.toLowerCase()).sort(),
      );
    }),
  );
});

interface GroupWithTags {
  readonly group: PlatformTagGroup;
  readonly tags: readonly PlatformTag[];
}

/** As a run plans: only tags of groups that stay are read. */
function planOf(dimensions: readonly MasterDimension[], side: readonly GroupWithTags[]): readonly TagStep[] {
  const groups = side.map((each) => each.group);
  const kept = new Set([...preferredGroups(dimensions, groups).values()].map(({ id }) => id));
  const tagsOf = new Map(side.filter((each) => kept.has(each.group.id)).map((each) => [each.group.id, each.tags]));
  return planTags(dimensions, groups, tagsOf).steps;
}

function carriedOut(steps: readonly TagStep[], side: readonly GroupWithTags[]): readonly GroupWithTags[] {
  const groups = new Map(side.map((each) => [each.group.id, each.group]));
  const tags = new Map(side.map((each) => [each.group.id, new Map(each.tags.map((one) => [one.id, one]))]));
  for (const step of steps) {
    if (step.subject === 'tag-group') {
      const id = step.action === 'create' ? `new ${step.key}` : step.id;
      groups.set(id, { id, ...step.content });
      continue;
    }
    const groupId = 'id' in step.group ? step.group.id : `new ${step.group.newFor}`;
    const ofGroup = tags.get(groupId) ?? new Map<string, PlatformTag>();
    tags.set(groupId, ofGroup);
    if (step.action === 'archive') {
      const found = ofGroup.get(step.id);
      if (found !== undefined) ofGroup.set(step.id, { ...found, archived: true });
    } else {
      const id = step.action === 'create' ? `new ${step.key}` : step.id;
      ofGroup.set(id, { id, ...step.content });
    }
  }
  return [...groups].map(([id, each]) => ({ group: each, tags: [...(tags.get(id)?.values() ?? [])] }));
}
