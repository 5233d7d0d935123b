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
