import { describe, expect, it } from '@jest/globals';
import { factChecks } from './erp-findings.js';

const TAKES_ALL = { documents: 'before', vendorCreation: true };
const said = (...facts: Parameters<typeof factChecks>) =>
  factChecks(...facts).map(({ check, state, detail }) => `${check} ${state}: ${detail.code}`);

describe('the findings an ERP reports', () => {
  it('are empty when it reports none', () => {
    expect(said({}, TAKES_ALL)).toEqual([]);
  });

  it('are described in text, with the action for a missing permission', () => {
    const may = { post: true, attach: false, 'create-vendors': false, 'post-to-closed-periods': false };
    expect(said({ version: '6.0.29', may }, TAKES_ALL)).toEqual([
      'version works: erp-check.version',
      'posting works: erp-check.may.post',
      'attachments fails: erp-check.may-not.attach',
      'new-vendors fails: erp-check.may-not.create-vendors',
      'closed-periods works: erp-check.closed-periods',
    ]);
  });

  it('require no permission for features that its adapter does not use', () => {
    const may = { attach: true, 'create-vendors': true };
    expect(said({ may }, { documents: 'none', vendorCreation: false })).toEqual([
      'attachments not-tried: erp-check.no-receipts',
      'new-vendors not-tried: erp-check.no-new-vendors',
    ]);
  });
});
