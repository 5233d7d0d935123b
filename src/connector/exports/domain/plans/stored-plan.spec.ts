import { describe, expect, it } from '@jest/globals';
import type { MappingRule } from '../../../bookkeeping/accounts/rule-index.js';
import { contextWith, itemOf, post } from '../../../bookkeeping/item/planning.fixtures.js';
import { parsePlan, storablePlan, usedByPlans } from './stored-plan.js';

const lunch = itemOf({ type: 'card_purchase', amount: '12500' });
const settled = itemOf({ type: 'card_purchase', amount: '12500', method: 'accounts_payable', vendor: 'V-7' });
const taxed = itemOf({
  type: 'card_purchase',
  amount: '12500',
  lines: [{ amount: '12500', account: '5410', tags: ['CC=100'], tax: { type: 'inclusive', amount: '2500' } }],
});

describe('a stored plan', () => {
  it.each([
    ['a journal', lunch, 1],
    ['an entry with tax', taxed, 1],
    ['an invoice and the payment that settles it', settled, 2],
  ])('as %s is restored as it was, except for the names and notes of its description', (_, item, count) => {
    const { entries } = post(item);
    expect(entries).toHaveLength(count);
    const written = JSON.stringify(storablePlan(entries));
    expect(written).not.toContain('description');
    expect(parsePlan(written)).toEqual(entries.map((entry) => ({ ...entry, description: entry.reference })));
  });

  it('keeps whole numbers of any size as amounts, and text as text', () => {
    const text =
      '[{"reference":"r","information":{"supplierAmount":{"value":"100"}},"lines":[{"amountMinor":"-9007199254740993"}]}]';
    expect(parsePlan(text)).toEqual([
      {
        reference: 'r',
        description: 'r',
        information: { supplierAmount: { value: '100' } },
        lines: [{ amountMinor: -9007199254740993n }],
      },
    ]);
  });

  it('keeps the amounts of a tax in both currencies', () => {
    const tax = '"taxableMinor":"10000","taxableBaseMinor":"9123","taxMinor":"2500","taxBaseMinor":"2281"';
    expect(parsePlan(`[{"reference":"r","lines":[{"tax":{"rate":"0.25",${tax}}}]}]`)).toMatchObject([
      {
        lines: [
          {
            tax: {
              rate: '0.25',
              taxableMinor: 10_000n,
              taxableBaseMinor: 9_123n,
              taxMinor: 2_500n,
              taxBaseMinor: 2_281n,
            },
          },
        ],
      },
    ]);
  });
});

describe('the vendors and rules that plans use', () => {
  const rules: readonly MappingRule[] = [
    { id: 'rule-account', subject: 'account', sourceKey: '5410', target: '6110' },
    { id: 'rule-tax', subject: 'tax-code', sourceKey: '25', target: 'HALF' },
    {
      id: 'rule-tag',
      subject: 'tag',
      source: { groupCode: 'CC', code: '100' },
      target: { groupCode: 'CC', code: '200' },
    },
  ];
  const ruled = contextWith({ rules });

  it.each([
    ['nothing without either', [post(lunch).entries], [], []],
    [
      'the vendor of lines once, whatever plans name it',
      [settled, settled].map((item) => post(item).entries),
      ['erp-V-7'],
      [],
    ],
    ['the rule of an account', [post(lunch, ruled).entries], [], ['rule-account']],
    ['those of tax codes and dimensions', [post(taxed, ruled).entries], [], ['rule-account', 'rule-tax', 'rule-tag']],
    [
      'those of every plan once',
      [lunch, taxed, settled].map((item) => post(item, ruled).entries),
      ['erp-V-7'],
      ['rule-account', 'rule-tax', 'rule-tag'],
    ],
    ['nothing of no plans', [], [], []],
  ])('is %s', (_, plans, vendorIds, ruleIds) => {
    expect(usedByPlans(plans)).toEqual({ vendorIds, ruleIds });
  });
});
