import { describe, expect, it } from '@jest/globals';
import type { Issue, IssueKind } from '../../bookkeeping/item/issues.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import { adviceOn, problemOf, resolutionKindOf, ruleFor, settingsWith } from './issue-resolution.js';

/** Every kind, which the type holds to. */
const EACH_KIND: Readonly<Record<IssueKind, true>> = {
  account: true,
  'tax-code': true,
  tag: true,
  vendor: true,
  rule: true,
  'setting-missing': true,
  'setting-invalid': true,
  'contra-account': true,
  'tax-account': true,
  'tax-share': true,
  'vendor-blocked': true,
  'vendor-account': true,
  'vendor-refused': true,
  period: true,
  'no-period': true,
  rate: true,
  refused: true,
  entry: true,
  unreadable: true,
  changed: true,
  receipt: true,
  preview: true,
  'not-confirmed': true,
  job: true,
};
const KINDS = Object.keys(EACH_KIND) as IssueKind[];
const rules: readonly MappingRule[] = [
  {
    id: '7',
    subject: 'tag',
    source: { groupCode: 'Team', code: 'North' },
    target: { groupCode: 'CC', code: '0' },
    when: { itemType: 'fee' },
  },
];

it('every issue has one kind of resolution, and advice that names its subject', () => {
  for (const kind of KINDS) {
    expect(['rule', 'setting', 'outside']).toContain(resolutionKindOf({ kind, reference: '' }));
  }
  expect(adviceOn({ kind: 'period', reference: '2026-09' })).toEqual({
    code: 'issue.period.advice',
    parameters: { reference: '2026-09', named: '2026-09', account: 'none', group: '' },
  });
  expect(adviceOn({ kind: 'setting-missing', reference: 'company-bank-EUR' }).parameters).toMatchObject({
    setting: 'company_bank_of',
    of: 'EUR',
  });
  expect(problemOf({ kind: 'rate', reference: 'KWD-EUR-2026-11-24' }).parameters).toMatchObject({
    from: 'KWD',
    to: 'EUR',
    day: '2026-11-24',
  });
  expect(KINDS.filter((kind) => resolutionKindOf({ kind, reference: '' }) === 'rule')).toEqual([
    'account',
    'tax-code',
    'tag',
    'rule',
  ]);
});

describe('the rule that resolves an issue', () => {
  it.each<[string, Issue, Parameters<typeof ruleFor>[1], object]>([
    [
      'an account',
      { kind: 'account', reference: '6420' },
      { target: '6421' },
      { rule: { subject: 'account', sourceKey: '6420', target: '6421' } },
    ],
    [
      'it for one item type',
      { kind: 'account', reference: '6420' },
      { target: '6421', itemType: 'fee' },
      { rule: { subject: 'account', sourceKey: '6420', target: '6421', when: { itemType: 'fee' } } },
    ],
    [
      'a tax code',
      { kind: 'tax-code', reference: 'T9' },
      { target: '25' },
      { rule: { subject: 'tax-code', sourceKey: 'T9', target: '25' } },
    ],
    [
      'a tag',
      { kind: 'tag', group: 'Team', reference: 'North' },
      { target: '100', targetGroup: 'CC' },
      {
        rule: {
          subject: 'tag',
          source: { groupCode: 'Team', code: 'North' },
          target: { groupCode: 'CC', code: '100' },
        },
      },
    ],
    [
      'a rule, which keeps its number and conditions',
      { kind: 'rule', reference: '7' },
      { target: '100' },
      {
        id: '7',
        rule: {
          subject: 'tag',
          source: { groupCode: 'Team', code: 'North' },
          target: { groupCode: 'CC', code: '100' },
          when: { itemType: 'fee' },
        },
      },
    ],
    [
      'a tag that a rule sends elsewhere since the issue was seen',
      { kind: 'tag', group: 'team', reference: 'NORTH' },
      { target: '200', targetGroup: 'CC', itemType: 'fee' },
      {
        id: '7',
        rule: {
          subject: 'tag',
          source: { groupCode: 'team', code: 'NORTH' },
          target: { groupCode: 'CC', code: '200' },
          when: { itemType: 'fee' },
        },
      },
    ],
  ])('%s', (_, cause, mend, upsert) => {
    expect(ruleFor(cause, mend, rules)).toEqual({ upsert });
  });

  it('of a tag needs a dimension, and a deleted one cannot be changed', () => {
    expect(ruleFor({ kind: 'tag', group: 'Team', reference: 'x' }, { target: '1' }, [])).toMatchObject({
      problems: [{ field: 'targetGroup' }],
    });
    expect(ruleFor({ kind: 'rule', reference: '8' }, { target: '1' }, rules)).toBe('rule-gone');
  });
});

it.each([
  ['wallet-USD', { wallets: { EUR: '1935', USD: 'X' } }],
  ['company-bank-USD', { companyBankByCurrency: { USD: 'X' } }],
  ['company-bank', { companyBank: 'X' }],
  ['fallback-card_purchase', { fallbackAccounts: { fee: '6570', card_purchase: 'X' } }],
  ['out-of-pocket', { outOfPocket: 'X' }],
  ['accounts-payable', { accountsPayable: 'X' }],
  ['fx-rounding', { fxRounding: 'X' }],
  ['realized-fx', { realizedFx: 'X' }],
])('sets the account of %s and keeps the others', (setting, changed) => {
  expect(settingsWith(companyData.settings, setting, 'X')).toEqual({ ...companyData.settings, ...changed });
});

it.each(['wallet-usd', 'constructor', ''])('refuses the unknown setting "%s"', (setting) => {
  expect(settingsWith(companyData.settings, setting, 'X')).toBeUndefined();
});
