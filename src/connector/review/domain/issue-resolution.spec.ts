import { describe, expect, it } from '@jest/globals';
import type { Issue, IssueKind } from '../../bookkeeping/item/issues.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import {
  adviceOn,
  problemOf,
  resolutionKindOf,
  ruleFor,
  settingsWith,
  type ResolutionKind,
} from './issue-resolution.js';

const RESOLVED_BY: Readonly<Record<IssueKind, ResolutionKind>> = {
  account: 'rule',
  'tax-code': 'rule',
  tag: 'rule',
  vendor: 'outside',
  rule: 'rule',
  'setting-missing': 'setting',
  'setting-invalid': 'setting',
  'contra-account': 'outside',
  'tax-account': 'outside',
  'tax-share': 'outside',
  'vendor-blocked': 'outside',
  'vendor-account': 'outside',
  'vendor-refused': 'outside',
  period: 'outside',
  'no-period': 'outside',
  rate: 'outside',
  refused: 'outside',
  entry: 'outside',
  unreadable: 'outside',
  changed: 'outside',
  receipt: 'outside',
  preview: 'outside',
  'not-confirmed': 'outside',
  job: 'outside',
};
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
  const kinds = Object.keys(RESOLVED_BY) as IssueKind[];
  expect(Object.fromEntries(kinds.map((kind) => [kind, resolutionKindOf({ kind, reference: '' })]))).toEqual(
    RESOLVED_BY,
  );
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
