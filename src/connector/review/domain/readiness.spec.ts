import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import type { DriftFinding } from './drift.js';
import { blockersOf, isInTheWay, type ReadinessFacts } from './readiness.js';

const NOTHING: ReadinessFacts = { pauseReason: undefined, steps: [], unmapped: [], drift: [], issues: [] };
const open = (check: string, more: Partial<SetupStep> = {}): SetupStep =>
  ({
    ...{ check, state: 'open', detail: message(`setup.${check}.open`), resolvedBy: undefined, blocks: 'everything' },
    ...more,
  }) as SetupStep;
const finding = (what: DriftFinding['what'], usedBy: string, target = '6071'): DriftFinding => ({
  ...{
    kind: 'account',
    group: '',
    target,
    name: 'Meals',
    what,
    since: new Date(0),
    usedBy: [usedBy],
    nameBefore: null,
  },
});

describe('what blocks an export', () => {
  it('is an ERP that does not respond, at the connection', () => {
    expect(blockersOf({ ...NOTHING, steps: [open('erp-reachable')] })).toMatchObject([
      { kind: 'accounting-system', count: 1, detail: { code: 'setup.erp-reachable.open' }, link: '/setup' },
    ]);
  });

  it('is a mapping target that the ERP no longer has: reported once for any number of them', () => {
    const drift = [finding('archived', 'rule 17'), finding('missing', 'rule 18', '6072')];
    expect(blockersOf({ ...NOTHING, drift })).toEqual([
      {
        ...{ kind: 'drift', count: 2, link: '/mapping' },
        detail: message('readiness.drift', { count: 2, named: '6071 (Meals)' }),
      },
    ]);
  });

  it('is not an account that was only renamed', () => {
    expect(blockersOf({ ...NOTHING, drift: [finding('renamed', 'rule 17')] })).toEqual([]);
  });

  it('is reported once when an open set-up step reports it too', () => {
    const steps = [open('rules', { blocks: 'nothing' })];
    const drift = [finding('archived', 'rule 17')];
    expect(blockersOf({ ...NOTHING, steps, drift }).map(({ kind }) => kind)).toEqual(['rules']);
  });

  it('is not a value that is mapped for some types of entries, which is counted apart from the unmapped ones', () => {
    const unmapped = [
      { list: 'categories', count: 2, entries: 5, isPartly: false },
      { list: 'categories', count: 1, entries: 3, isPartly: true },
      { list: 'tags', count: 0, entries: 0, isPartly: true },
    ] as const;
    const blockers = blockersOf({ ...NOTHING, unmapped });
    expect(blockers.map((blocker) => [blocker.kind, blocker.count, isInTheWay(blocker)])).toEqual([
      ['unmapped', 2, true],
      ['partly-mapped', 1, false],
    ]);
  });
});
