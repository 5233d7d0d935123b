import { describe, expect, it } from '@jest/globals';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import { settingsOf } from './mapping.js';

const accounts = companyData.settings;
const older = { unknownVendor: 'create', closedPeriod: 'next-open', postingState: 'posted' } as const;

describe('the settings of a stored version', () => {
  it('are what the connector did at the time of a version that is older than a policy', () => {
    expect(settingsOf({ accounts, policies: older })).toEqual({
      accounts,
      policies: { ...older, conflicts: 'fail', receipts: 'post-without', reversedInErp: 'repost' },
    });
  });

  it.each([
    { conflicts: 'fail', receipts: 'post-without', reversedInErp: 'repost' },
    { conflicts: 'reverse-and-repost', receipts: 'fail', reversedInErp: 'fail' },
  ] as const)('are what it says: %j', (policies) => {
    const stored = { accounts, policies: { ...older, ...policies } };
    expect(settingsOf(stored)).toEqual(stored);
  });
});
