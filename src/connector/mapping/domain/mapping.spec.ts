import { describe, expect, it } from '@jest/globals';
import { companyData } from '../../bookkeeping/planning.fixtures.js';
import { settingsOf } from './mapping.js';

const accounts = companyData.settings;
const older = { unknownVendor: 'create', closedPeriod: 'next-open', postingState: 'posted' } as const;

describe('the settings of a stored version', () => {
  it('refuse changed entries where the version is older than that policy', () => {
    expect(settingsOf({ accounts, policies: older })).toEqual({
      accounts,
      policies: { ...older, conflicts: 'fail' },
    });
  });

  it.each(['fail', 'reverse-and-repost'] as const)('are what it says: %s', (conflicts) => {
    const stored = { accounts, policies: { ...older, conflicts } };
    expect(settingsOf(stored)).toEqual(stored);
  });
});
