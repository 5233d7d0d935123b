import { expect, it } from '@jest/globals';
import { companyData, itemOf } from '../../../bookkeeping/item/planning.fixtures.js';
import { indexContext } from '../../../bookkeeping/item/bookkeeping-context.js';
import { planItem } from '../../../bookkeeping/item/plan-item.js';
import { parsePlan, storablePlan } from './stored-plan.js';

it('a plan comes back as it was, but for the names and notes of its description', () => {
  const item = itemOf({
    type: 'card_purchase',
    amount: '12500',
    lines: [{ amount: '12500', account: '5410' }],
  });
  const plan = planItem(item, indexContext(companyData));
  const entries = plan.outcome === 'post' ? plan.entries : [];
  expect(entries).toHaveLength(1);
  const written = JSON.stringify(storablePlan(entries));
  expect(written).not.toContain('description');
  expect(parsePlan(written)).toEqual(entries.map((entry) => ({ ...entry, description: entry.reference })));
});

it('amounts are whole numbers of any size, and what is text elsewhere stays text', () => {
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
