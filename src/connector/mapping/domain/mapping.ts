import type { BookkeepingPolicies, BookkeepingSettings } from '../../bookkeeping/bookkeeping-context.js';

/** What an administrator decides about the bookkeeping of one installation. */
export interface MappingSettings {
  readonly accounts: BookkeepingSettings;
  readonly policies: BookkeepingPolicies;
}

/** One saved state of the settings; never changed, so that a job can name the one it was mapped with. */
export interface MappingVersion {
  readonly version: number;
  readonly settings: MappingSettings;
}

/** Settings as a version holds them: one saved before there was a policy does not say it. */
export interface StoredSettings extends Omit<MappingSettings, 'policies'> {
  readonly policies: Omit<BookkeepingPolicies, 'conflicts'> & Partial<Pick<BookkeepingPolicies, 'conflicts'>>;
}

/** The settings that a stored version stands for: a policy it does not say is what the connector did at that time. */
export function settingsOf(stored: StoredSettings): MappingSettings {
  return { ...stored, policies: { conflicts: 'fail', ...stored.policies } };
}
