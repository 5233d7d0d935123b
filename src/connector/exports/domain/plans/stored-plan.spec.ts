import { expect, it } from '@jest/globals';
import { companyData, itemOf } from '../../../bookkeeping/item/planning.fixtures.js';
import { indexContext } from '../../../bookkeeping/item/bookkeeping-context.js';
import { planItem } from '../../../bookkeeping/item/plan-item.js';
import { parsePlan, serializePlan } from './stored-plan.js';

it('a plan comes back as it was written down', () => {
  const item = itemOf({
    type: 'card_purchase',
    amount: '12500',
    lines: [{ amount: '12500', account: '5410' }],
  });
  const plan = planItem(item, indexContext(companyData));
  const entries = plan.outcome === 'post' ? plan.entries : [];
  expect(entries).toHaveLength(1);
  expect(parsePlan(serializePlan(entries))).toEqual(entries);
});

it('amounts are whole numbers of any size, and what is text elsewhere stays text', () => {
  const text = '[{"information":{"supplierAmount":{"value":"100"}},"lines":[{"amountMinor":"-9007199254740993"}]}]';
  expect(parsePlan(text)).toEqual([
    { information: { supplierAmount: { value: '100' } }, lines: [{ amountMinor: -9007199254740993n }] },
  ]);
});
