import { describe, expect, it } from '@jest/globals';
import { issueKey, jobIssue, MAX_ISSUE_KEY_LENGTH, toIssue, type Issue, type IssueKind } from './issues.js';
import type { ExportItem } from './export-item.js';
import { account, contextWith, currency, day, fail, itemOf, vendor } from './planning.fixtures.js';

describe('the key of an issue', () => {
  it.each<[Issue, string]>([
    [{ kind: 'account', reference: '6420' }, 'account:6420'],
    [{ kind: 'account', reference: '6420', name: 'Meals' }, 'account:6420'],
    [{ kind: 'account', reference: ' 64 20/Ä ' }, 'account:64~20~20~2f~~c4~'],
    [{ kind: 'account', reference: 'a:b' }, 'account:a~3a~b'],
    [{ kind: 'tag', group: 'Team', reference: 'North' }, 'tag:team:north'],
    [{ kind: 'setting-missing', reference: 'wallet-EUR' }, 'setting-missing:wallet-EUR'],
    [{ kind: 'tag', reference: 'North' }, 'tag:~:north'],
    [{ kind: 'refused', reference: '' }, 'refused:~'],
    [jobIssue('authorization_failure'), 'job:authorization_failure'],
    [{ kind: 'account', reference: 'a'.repeat(120) }, `account:${'a'.repeat(120)}`],
    [{ kind: 'refused', reference: 'a'.repeat(121) }, `refused:${'a'.repeat(120)}`],
    // What stands for a blank is not cut in the middle.
    [{ kind: 'refused', reference: `${'a'.repeat(116)} b` }, `refused:${'a'.repeat(116)}~20~`],
    [{ kind: 'refused', reference: `${'a'.repeat(117)} b` }, `refused:${'a'.repeat(117)}`],
  ])('%j is %s', (cause, key) => {
    expect(issueKey(cause)).toBe(key);
  });

  it.each([
    ['one that begins alike', 'Проект развития инфраструктуры Север', 'Проект развития инфраструктуры Юг'],
    ['a longer one', 'a'.repeat(121), 'a'.repeat(122)],
  ])('of a long code is another than that of %s', (_, one, other) => {
    const keyOf = (reference: string) => issueKey({ kind: 'tag', group: 'Team', reference });
    expect(keyOf(one)).not.toBe(keyOf(other));
    expect(keyOf(one)).toBe(keyOf(` ${one.normalize('NFD').toUpperCase()}`));
    expect(keyOf(one)).toMatch(/^tag:team:[a-z0-9~]{1,120}$/);
  });

  it.each<[IssueKind, boolean]>([
    ['account', true],
    ['tax-code', true],
    ['tag', true],
    ['vendor', true],
    ['refused', false],
  ])('of the kind %s distinguishes long references by their end: %p', (kind, isDistinct) => {
    const keyOf = (end: string) => issueKey({ kind, reference: `${'a'.repeat(130)}${end}` });
    expect(keyOf('1') !== keyOf('2')).toBe(isDistinct);
  });

  it('never exceeds the length limit of a link', () => {
    const long = 'Ä'.repeat(2_000);
    expect(issueKey({ kind: 'tag', group: long, reference: long }).length).toBeLessThanOrEqual(MAX_ISSUE_KEY_LENGTH);
  });
});

const lines = (...codes: readonly string[]) => codes.map((code) => ({ amount: '100', account: code }));
const purchase = (more: Partial<Parameters<typeof itemOf>[0]> = {}): ExportItem =>
  itemOf({ type: 'card_purchase', amount: '100', ...more });
const taxed = (code: string) =>
  purchase({ lines: [{ amount: '100', account: '5410', tax: { type: 'inclusive', amount: '20', code } }] });
const closed = { name: '2026-02', from: day('2026-02-01'), to: day('2026-02-28'), open: false };
const rule = { id: '7', subject: 'account', sourceKey: '5410', target: '0' } as const;

describe('the issue to resolve when', () => {
  it.each<[string, ExportItem, Parameters<typeof contextWith>[0], readonly string[]]>([
    ['an account is unknown', purchase({ lines: lines('6420') }), {}, ['account:6420']],
    [
      'an account has no code',
      purchase({ lines: [{ amount: '100', account: account('', { id: 'id-1' }) }] }),
      {},
      ['account:id-1'],
    ],
    ['two are', purchase({ amount: '200', lines: lines('6420', '6421') }), {}, ['account:6420', 'account:6421']],
    [
      'a line names no account',
      purchase({ lines: [{ amount: '100' }] }),
      {},
      ['setting-missing:fallback-card_purchase'],
    ],
    [
      'a fallback is not active',
      purchase({ lines: [{ amount: '100' }] }),
      { settings: { fallbackAccounts: { card_purchase: '9999' } } },
      ['setting-invalid:fallback-card_purchase'],
    ],
    ['a tax code is unknown', taxed('T9'), {}, ['tax-code:T9']],
    ['a tax code has no account', taxed('BARE'), {}, ['tax-account:BARE']],
    [
      'a tag is unknown',
      purchase({ lines: [{ amount: '100', account: '5410', tags: ['Team=North'] }] }),
      {},
      ['tag:team:north'],
    ],
    ['a rule leads nowhere', purchase(), { rules: [rule] }, ['rule:7']],
    ['a wallet is not set', purchase({ currency: 'USD' }), {}, ['setting-missing:wallet-USD']],
    [
      'a setting is not active',
      itemOf({ type: 'out_of_pocket', amount: '100' }),
      { settings: { outOfPocket: '9999' } },
      ['setting-invalid:out-of-pocket'],
    ],
    ['a contra account is not there', purchase({ contra: '1999' }), {}, ['contra-account:1999']],
    ['a vendor is unknown', purchase({ method: 'accounts_payable', vendor: 'V-99' }), {}, ['vendor:V-99']],
    [
      'a vendor is blocked',
      purchase({ method: 'accounts_payable', vendor: 'V-1' }),
      { vendors: [vendor('V-1', { blocked: true })] },
      ['vendor-blocked:V-1'],
    ],
    ['a period is closed', purchase(), { periods: [closed] }, ['period:2026-02']],
    ['there is no period', purchase(), { periods: [] }, ['no-period:2026-02']],
    [
      'a rate is missing',
      purchase({ currency: 'USD', contra: '1936' }),
      { rates: [{ from: currency('USD'), to: currency('EUR'), date: day('2026-01-01'), rate: '1' }] },
      ['rate:USD-EUR-2026-02-10'],
    ],
    ['lines do not add up', purchase({ lines: lines('5410', '5410') }), {}, ['entry:sum']],
  ])('%s', (_, item, changes, keys) => {
    expect(fail(item, contextWith(changes)).problems.map(({ issue }) => issueKey(issue))).toEqual(keys);
  });

  it('many items fail for one reason is the same for all of them, at whatever position the reason occurs', () => {
    const first = fail(purchase({ lines: lines('6420') }));
    const second = fail(purchase({ amount: '200', lines: lines('5410', '6420') }));
    expect(first.message).not.toBe(second.message);
    expect(second.problems.map(({ issue }) => issue)).toEqual(first.problems.map(({ issue }) => issue));
  });
});

it.each<[string | null, string | null, Issue]>([
  ['Team', 'North', { kind: 'tag', reference: 'n', group: 'Team', name: 'North' }],
  ['Team', null, { kind: 'tag', reference: 'n', group: 'Team' }],
  [null, 'North', { kind: 'tag', reference: 'n', name: 'North' }],
  [null, null, { kind: 'tag', reference: 'n' }],
])('an issue read from its row, of the group %p and the name %p, lacks what is null', (group, name, issue) => {
  expect(toIssue({ kind: 'tag', reference: 'n', group, name })).toEqual(issue);
});
