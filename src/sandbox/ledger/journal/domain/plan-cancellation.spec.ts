import { describe, expect, it } from '@jest/globals';
import type { ActiveSettlement } from './settlements/open-item.js';
import type { StoredEntry } from './generated-entries.js';
import { cancellationDays, planCancellation, type CancellationView } from './plan-cancellation.js';

const entry = (id: string, postingDate: string, more: Partial<StoredEntry> = {}): StoredEntry => ({
  id,
  groupId: 'g',
  key: 'k',
  role: 'invoice',
  state: 'posted',
  fiscalYear: 2026,
  number: `2026-${id}`,
  postingDate,
  documentNumber: 'A-17',
  currency: 'EUR',
  description: '',
  reference: null,
  settlement: null,
  lines: ['5410', '2440'].map((accountCode) => ({
    accountCode,
    amountMinor: 1n,
    baseMinor: 1n,
    dimensions: {},
  })),
  ...more,
});

const settlement = (settledOn: string, accountCodes: readonly string[] = []): ActiveSettlement => ({
  id: `s ${settledOn}`,
  debit: { entryId: 'p', lineNo: 1 },
  credit: { entryId: '1', lineNo: 2 },
  amountMinor: 1n,
  debitBaseMinor: 1n,
  creditBaseMinor: 1n,
  settledOn,
  fxEntryId: null,
  transferEntryId: null,
  accountCodes,
});

const [first, second, third, fourth] = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;
const draft = (id: string) => entry(id, first, { state: 'draft', number: null });

/** March 2 is in a closed period. */
const view = (more: Partial<CancellationView>): CancellationView => ({
  standing: [entry('1', first)],
  active: [],
  activeAccounts: new Set(['5410', '2440', '7960']),
  openDays: new Map([
    [first, first],
    [second, third],
    [third, third],
  ]),
  ...more,
});

describe('a cancellation', () => {
  it('discards drafts and reverses what is posted, each on its own day', () => {
    const standing = [entry('1', first), draft('2'), entry('3', third)];
    expect(planCancellation(view({ standing }))).toEqual({
      kind: 'planned',
      discarded: ['2'],
      reversed: [
        { entry: standing[0], on: first },
        { entry: standing[2], on: third },
      ],
      undone: [],
    });
  });

  it.each<[what: string, asked: Partial<CancellationView>, day: string]>([
    ['its own day', {}, first],
    ['the day asked for', { postingDate: third }, third],
    ['the next open day', { standing: [entry('1', second)] }, third],
    ['the open day after the one asked for', { postingDate: second }, third],
  ])('reverses on %s', (_, asked, day) => {
    expect(planCancellation(view(asked))).toMatchObject({ reversed: [{ on: day }] });
  });

  it.each<[what: string, asked: Partial<CancellationView>, day: string]>([
    ['when it is reversed', { active: [settlement(first)], standing: [entry('1', third)] }, third],
    ['not before it was made', { active: [settlement(third)] }, third],
    ['not in a closed period', { active: [settlement(second)] }, third],
  ])('undoes what an entry has settled %s', (_, asked, day) => {
    expect(planCancellation(view(asked))).toMatchObject({ undone: [{ undoneOn: day }] });
  });

  it('of drafts alone needs neither open days nor active accounts', () => {
    const asked = {
      standing: [draft('1')],
      activeAccounts: new Set<string>(),
      openDays: new Map<string, string>(),
    };
    expect(planCancellation(view(asked))).toMatchObject({ kind: 'planned', discarded: ['1'], reversed: [] });
  });

  it.each<[code: string, message: string, asked: Partial<CancellationView>]>([
    [
      'account_inactive',
      'Account 2440 is archived and takes no postings: activate it, then reverse.',
      { activeAccounts: new Set(['5410']) },
    ],
    [
      'account_inactive',
      'Account 7961 is archived and takes no postings: activate it, then reverse.',
      { active: [settlement(first, ['7960', '7961'])] },
    ],
    [
      'reversal_too_early',
      'Entry 2026-1 is of 2026-03-03: a reversal cannot be earlier than its entry.',
      { standing: [entry('1', third)], postingDate: second },
    ],
    [
      'period_closed',
      'No fiscal period is open on or after 2026-03-04: open one, then reverse.',
      { postingDate: fourth },
    ],
    [
      'period_closed',
      'No fiscal period is open on or after 2026-03-04: open one, then reverse.',
      { active: [settlement(fourth)] },
    ],
  ])('is refused: %s, %s', (code, message, asked) => {
    expect(planCancellation(view(asked))).toEqual({ kind: 'refused', code, message });
  });

  it('requires the open days of what is posted and of what that settled', () => {
    const asked = { standing: [entry('1', first), draft('2')], active: [settlement(third)] };
    expect(cancellationDays(asked)).toEqual([first, third]);
    expect(cancellationDays({ ...asked, postingDate: fourth })).toEqual([fourth, third]);
  });
});
