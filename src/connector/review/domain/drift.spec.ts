import { describe, expect, it } from '@jest/globals';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import { seenChanges, seeTargets, type SeenTarget } from './drift.js';

const MARCH = new Date('2026-03-01');
const APRIL = new Date('2026-04-01');

function seen(target: string, changes: Partial<SeenTarget> = {}): SeenTarget {
  const unchanged = { state: 'usable', since: MARCH, name: 'Travel', nameBefore: null, renamedAt: null } as const;
  return { kind: 'account', group: '', target, usedBy: ['rule 1', 'rule 2'], ...unchanged, ...changes };
}

describe('what a drift check has to store', () => {
  it('is nothing when nothing has changed since it was read from the database', () => {
    const before = [seen('5000'), seen('6000')];
    const after = before.map((one) => ({ ...one, usedBy: [...one.usedBy], since: new Date(one.since) }));
    expect(seenChanges(before, after.toReversed())).toEqual({ changed: [], unused: [] });
  });

  it.each<[string, Partial<SeenTarget>]>([
    ['state', { state: 'archived', since: APRIL }],
    ['name', { name: 'Trips', nameBefore: 'Travel', renamedAt: APRIL }],
    ['users', { usedBy: ['rule 2', 'rule 1'] }],
  ])('is a target with another %s', (_, changes) => {
    const changed = seen('5000', changes);
    expect(seenChanges([seen('5000'), seen('6000')], [changed, seen('6000')])).toEqual({
      changed: [changed],
      unused: [],
    });
  });

  it('is a new target, and one that the mapping no longer uses', () => {
    const isNew = seen('5000', { kind: 'vendor' });
    expect(seenChanges([seen('5000')], [isNew])).toEqual({ changed: [isNew], unused: [seen('5000')] });
  });
});

describe('a dimension value', () => {
  it.each([[['Nord', 'NORD']], [['NORD', 'Nord']]])(
    'is usable while one of %j is active, as the planner finds it',
    (codes) => {
      const values = codes.map((code) => ({ code, active: code === 'Nord' }));
      const books = { ...companyData, dimensions: [{ code: 'CC', active: true, values }] };
      const target = { kind: 'dimension-value', group: 'cc', target: 'nord', usedBy: ['rule 1'] } as const;
      expect(seeTargets([target], books, [], MARCH)).toMatchObject([{ state: 'usable' }]);
    },
  );
});
