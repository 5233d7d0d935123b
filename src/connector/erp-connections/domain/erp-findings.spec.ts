import { describe, expect, it } from '@jest/globals';
import { factChecks } from './erp-findings.js';

const TAKES_ALL = { documents: 'before', vendorCreation: true };
const said = (...facts: Parameters<typeof factChecks>) =>
  factChecks(...facts).map(({ check, state, detail }) => `${check} ${state}: ${detail}`);

describe('what an ERP says of itself', () => {
  it('is nothing where it says nothing', () => {
    expect(said({}, TAKES_ALL)).toEqual([]);
  });

  it('is told in words, with what to do about a right that is missing', () => {
    const may = { post: true, attach: false, 'create-vendors': false, 'post-to-closed-periods': false };
    expect(said({ version: '6.0.29', may }, TAKES_ALL)).toEqual([
      'version works: The accounting system is version 6.0.29.',
      'posting works: The accounting system says that this sign-in may post entries.',
      'attachments fails: The accounting system says that this sign-in may not attach receipts: give its user the right to, there.',
      'new-vendors fails: The accounting system says that this sign-in may not create vendors: give its user the right to, there.',
      'closed-periods works: Closed periods take no entries; the policy for closed periods says what happens to such an item.',
    ]);
  });

  it('of what its adapter does not take from here no right is asked', () => {
    const may = { attach: true, 'create-vendors': true };
    expect(said({ may }, { documents: 'none', vendorCreation: false })).toEqual([
      'attachments not-tried: The accounting system takes no receipts from here; they stay where the expenses are.',
      'new-vendors not-tried: The accounting system takes no new vendors from here; create them there.',
    ]);
  });
});
