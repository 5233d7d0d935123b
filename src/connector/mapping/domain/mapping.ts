import type { BookkeepingPolicies, BookkeepingSettings } from '../../bookkeeping/item/bookkeeping-context.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';

/** What an administrator decides about the bookkeeping of one installation. */
export interface MappingSettings {
  readonly accounts: BookkeepingSettings;
  readonly policies: BookkeepingPolicies;
}

/** The settings of one version, which are all of it that most callers need. */
export interface VersionedSettings {
  readonly version: number;
  readonly settings: MappingSettings;
}

/** One saved state of settings and rules; never changed, so that a job can name the one it was mapped with. */
export interface MappingVersion extends VersionedSettings {
  /** In the order of their numbers. */
  readonly rules: readonly MappingRule[];
}

/** What made a version. */
export type MappingAction = 'settings' | 'rules' | 'import' | 'restore';

export interface RuleCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** One line of a mapping's history: who made which version of it, why, and how much it changed. */
export interface VersionRecord {
  readonly version: number;
  readonly action: MappingAction;
  readonly author: string;
  readonly reason: string | undefined;
  readonly createdAt: Date;
  /** The version whose content this one took over. */
  readonly restoredFrom: number | undefined;
  readonly settingsChanged: boolean;
  readonly ruleCount: number;
  readonly rules: RuleCounts;
}

/** Policies that came after the first versions were saved. */
type LaterPolicy = 'conflicts' | 'receipts' | 'reversedInErp';

/** Settings as a version holds them: one saved before there was a policy does not say it. */
export interface StoredSettings extends Omit<MappingSettings, 'policies'> {
  readonly policies: Omit<BookkeepingPolicies, LaterPolicy> & Partial<Pick<BookkeepingPolicies, LaterPolicy>>;
}

/** The settings that a stored version stands for: a policy it does not say is what the connector did at that time. */
export function settingsOf(stored: StoredSettings): MappingSettings {
  const policies = {
    conflicts: 'fail',
    receipts: 'post-without',
    reversedInErp: 'repost',
    ...stored.policies,
  } as const;
  return { ...stored, policies };
}
