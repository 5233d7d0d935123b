import { describe, expect, it } from '@jest/globals';
import { chunkSteps } from './chunk-steps.js';
import { countryOf } from './countries.js';
import type { PlannedChange } from './sync-plan.js';
import { platformName } from './sync-plan.js';
import { countActions, settleUnknown } from './sync-run.js';
import { nextSyncAt } from './sync-schedule.js';
import { numberWarnings, storableNumber } from './vendor-numbers.js';

describe('the daily sync', () => {
  it.each([
    ['2026-02-10T00:00:00Z', '2026-02-10T10:40:35.728Z'],
    ['2026-02-10T09:40:36Z', '2026-02-11T10:40:35.728Z'],
    ['2026-02-10T23:59:59Z', '2026-02-11T10:40:35.728Z'],
  ])('runs once a day, an hour or more away: after %s', (now, expected) => {
    const turn = nextSyncAt('0f0e0d0c-0000-4000-8000-000000000001', new Date(now));
    expect(turn.toISOString()).toBe(expected);
  });

  it('is spread over the day', () => {
    const start = new Date('2026-02-10T00:00:00Z');
    const hours = Array.from({ length: 24_000 }, (_, index) => {
      const id = `0f0e0d0c-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
      return nextSyncAt(id, start).getUTCHours();
    });
    const perHour = Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length);
    expect(Math.min(...perHour)).toBeGreaterThan(850);
    expect(Math.max(...perHour)).toBeLessThan(1_150);
  });
});

describe('batches of a plan', () => {
  const step = (subject: PlannedChange['subject'], action: PlannedChange['action']): PlannedChange => ({
    subject,
    action,
    key: 'k',
    name: 'n',
  });
  const many = (count: number, one: PlannedChange) => Array.from({ length: count }, () => one);

  it.each([
    ['accounts to create', many(2_001, step('account', 'create')), [1_000, 1_000, 1]],
    ['accounts to change', many(101, step('account', 'update')), [50, 50, 1]],
    ['tags to archive', many(150, step('tag', 'archive')), [100, 50]],
    [
      'different ones',
      [
        ...many(3, step('account', 'archive')),
        ...many(2, step('account', 'update')),
        ...many(4, step('account', 'create')),
      ],
      [5, 4],
    ],
    ['none', [], []],
  ])('%s', (_, steps, expected) => {
    const chunks = chunkSteps(steps, { accountCreates: 1_000, tagArchives: 100 });
    expect(chunks.map(({ length }) => length)).toEqual(expected);
    expect(chunks.flat()).toEqual(steps);
  });
});

describe('changes with an unknown outcome', () => {
  const row = (seq: number, action: 'create' | 'archive', key: string, targetId: string | null) => ({
    seq,
    subject: 'tag' as const,
    action,
    key,
    targetId,
  });

  it('are done when a new plan no longer contains them', () => {
    const unknown = [row(1, 'create', 'a', null), row(2, 'archive', 'b', 'id-1'), row(3, 'archive', 'b', 'id-2')];
    const plan = [{ subject: 'tag' as const, action: 'archive' as const, key: 'b', name: 'B', id: 'id-2' }];
    const { done, undone } = settleUnknown(unknown, plan);
    expect(done.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(undone.map(({ seq }) => seq)).toEqual([3]);
  });

  it('are counted by what was done', () => {
    expect(countActions(['create', 'create', 'archive', 'create-in-erp'], 3)).toEqual({
      created: 2,
      updated: 0,
      archived: 1,
      unarchived: 0,
      activated: 0,
      createdInErp: 1,
      problems: 3,
    });
  });
});

describe('names', () => {
  it.each([
    ['  Ink ', 'Ink'],
    [' ', 'code'],
    [`${'x'.repeat(254)}😀`, 'x'.repeat(254)],
    [`${'x'.repeat(253)}😀y`, `${'x'.repeat(253)}😀`],
  ])('%j', (name, expected) => {
    expect(platformName(name, 'code')).toBe(expected);
  });
});

describe('countries', () => {
  it.each([
    ['de', 'DE'],
    ['UK', 'GB'],
    ['EL', 'GR'],
    ['XK', 'XK'],
    ['ZR', 'CD'],
    ['UNDEFINED', undefined],
    ['QX', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j', (code, expected) => {
    expect(countryOf(code)).toBe(expected);
  });
});

describe('numbers', () => {
  it.each([
    [' DE 123 ', 'DE 123'],
    ['--', undefined],
    ['12\n34', undefined],
    ['1'.repeat(256), undefined],
    [null, undefined],
  ])('that can be stored: %j', (number, expected) => {
    expect(storableNumber(number)).toBe(expected);
  });

  it.each([
    [{ country: 'DE', taxNumber: 'DE123456789' }, 0],
    [{ country: 'DE', taxNumber: 'DE12345678' }, 1],
    [{ country: 'FR', taxNumber: 'DE123456789' }, 1],
    [{ country: 'GR', taxNumber: 'GR123456789' }, 0],
    [{ country: 'GB', taxNumber: 'XI123456789' }, 0],
    [{ country: 'NO', taxNumber: '987654321MVA' }, 0],
    [{ taxNumber: 'DE123456789' }, 0],
    [{ country: 'QX', taxNumber: '1' }, 1],
    [{ country: 'UNDEFINED' }, 0],
    [{ registrationNumber: '-', taxNumber: '-' }, 2],
  ])('%j has %d warnings', (numbers, expected) => {
    expect(numberWarnings(numbers)).toHaveLength(expected);
  });
});
