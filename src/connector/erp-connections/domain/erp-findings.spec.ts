import { describe, expect, it } from '@jest/globals';
import { factChecks } from './erp-findings.js';

const TAKES_ALL = { documents: 'before', vendorCreation: true };
const said = (...facts: Parameters<typeof factChecks>) =>
  factChecks(...facts).map(({ check, state, detail }) => `${check} ${state}: ${detail.code}`);

describe('what an ERP says of itself', () => {
  it('is nothing where it says nothing', () => {
    expect(said({}, TAKES_ALL)).toEqual([]);
  });

  it('is told in words, with what to do about a right that is missing', () => {
    const may = { post: true, attach: false, 'create-vendors': false, 'post-to-closed-periods': false };
    expect(said({ version: '6.0.29', may }, TAKES_ALL)).toEqual([
      'version works: erp-check.version',
      'posting works: erp-check.may.post',
      'attachments fails: erp-check.may-not.attach',
      'new-vendors fails: erp-check.may-not.create-vendors',
      'closed-periods works: erp-check.closed-periods',
    ]);
  });

  it('of what its adapter does not take from here no right is asked', () => {
    const may = { attach: true, 'create-vendors': true };
    expect(said({ may }, { documents: 'none', vendorCreation: false })).toEqual([
      'attachments not-tried: erp-check.no-receipts',
      'new-vendors not-tried: erp-check.no-new-vendors',
    ]);
  });
});
