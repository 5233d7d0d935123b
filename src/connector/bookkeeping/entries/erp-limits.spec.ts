import { describe, expect, it } from '@jest/globals';
import { contextWith, fail, itemOf, onlyEntry, post, vendor } from '../item/planning.fixtures.js';

describe('an ERP that takes a number of lines in one entry [B5.4]', () => {
  // Two own lines and the wallet.
  const item = itemOf({
    type: 'card_purchase',
    lines: [
      { amount: '60', account: '6110' },
      { amount: '40', account: '6540' },
    ],
    amount: '100',
  });

  it('gets an entry with as many', () => {
    expect(onlyEntry(post(item, contextWith({ linesPerEntry: 3 }))).lines).toHaveLength(3);
  });

  it('gets none with more: the reason says both numbers and what to do', () => {
    const plan = fail(item, contextWith({ linesPerEntry: 2 }));
    expect([plan.failureType, plan.problems[0]?.issue]).toEqual([
      'accounting_system_validation_failure',
      { kind: 'entry', reference: 'lines' },
    ]);
    expect(plan.message).toMatch(/has 3 lines.* takes 2 in one entry: divide the expense/);
  });
});

describe('an ERP that needs a vendor on payables [B5.4]', () => {
  const needy = { payablesNeedVendor: true };
  const ownCost = itemOf({ type: 'out_of_pocket', amount: '100', method: 'accounts_payable' });

  it('gets employee costs without one where they are owed on another account', () => {
    expect(post(ownCost, contextWith(needy)).outcome).toBe('post');
  });

  it.each<[string, Parameters<typeof contextWith>[0]]>([
    ['that of the settings', { settings: { outOfPocket: '2440', accountsPayable: '2440' } }],
    ['by its id in one place', { settings: { outOfPocket: 'acc-2440', accountsPayable: '2440' } }],
    [
      'one of a vendor',
      {
        settings: { outOfPocket: '2440', accountsPayable: '6110' },
        vendors: [vendor('V-9', { payablesAccount: '2440' })],
      },
    ],
  ])('gets no line without vendor on an account for vendors: %s', (_, changes) => {
    expect(post(ownCost, contextWith(changes)).outcome).toBe('post');
    const plan = fail(ownCost, contextWith({ ...needy, ...changes }));
    expect(plan.failureType).toBe('vendor_unknown');
    expect(plan.message).toMatch(/posts to account 2440.*Choose a vendor/);
  });

  it('gets what has a vendor', () => {
    const item = itemOf({ type: 'card_purchase', amount: '1000', method: 'accounts_payable', vendor: 'V-7' });
    expect(post(item, contextWith(needy)).outcome).toBe('post');
  });
});
