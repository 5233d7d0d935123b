import { describe, expect, it } from '@jest/globals';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import { settingsOf } from './mapping.js';

const accounts = companyData.settings;
const older = { unknownVendor: 'create', closedPeriod: 'next-open', postingState: 'posted' } as const;

describe('settings of a stored version', () => {
  it('that is older than a policy have the behavior of that time', () => {
    expect(settingsOf({ accounts, policies: older })).toEqual({
      accounts,
      policies: { ...older, conflicts: 'fail', receipts: 'post-without', reversedInErp: 'repost' },
    });
  });

  it.each([
    { conflicts: 'fail', receipts: 'post-without', reversedInErp: 'repost' },
    { conflicts: 'reverse-and-repost', receipts: 'fail', reversedInErp: 'fail' },
  ] as const)('are as stored: %j', (policies) => {
    const stored = { accounts, policies: { ...older, ...policies } };
    expect(settingsOf(stored)).toEqual(stored);
  });
});
