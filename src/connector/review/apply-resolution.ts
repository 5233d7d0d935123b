import { Injectable } from '@nestjs/common';
import { message, type Message } from '../../kernel/message.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { InboxRow } from '../exports/issues/inbox.reader.js';
import type { ChangeProblem } from '../mapping/domain/rule-change-set.js';
import type { MappingVersion } from '../mapping/domain/mapping.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { SaveRuleChanges } from '../mapping/save-rule-changes.js';
import { SaveSettings } from '../mapping/save-settings.js';
import { resolutionKindOf, ruleFor, settingsWith, type RuleResolution } from './domain/issue-resolution.js';

export type MappingResolution =
  | { readonly rule: RuleResolution }
  /** External id or code of the account that the setting gets. */
  | { readonly account: string };

export interface ResolutionProblem {
  /** JSON pointer into the resolution; empty where the problem is the whole. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: Message;
}

export type AppliedResolution =
  | { readonly outcome: 'applied'; readonly version: number | undefined }
  | { readonly outcome: 'refused'; readonly problems: readonly ResolutionProblem[] }
  /** The mapping was saved by others at the same time, in each attempt. */
  | { readonly outcome: 'stale' };

const ATTEMPTS = 3;
const MAX_REASON_LENGTH = 500;

/** Changes the mapping so that it resolves an issue. */
@Injectable()
export class ApplyResolution {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly saveSettings: SaveSettings,
    private readonly saveRuleChanges: SaveRuleChanges,
  ) {}

  /**
   * @param by for the history of the mapping
   * @throws ErpUnavailable when the target of a rule cannot be looked up; nothing is changed then
   */
  async apply(
    installationId: InstallationId,
    row: InboxRow,
    resolution: MappingResolution,
    by: string,
  ): Promise<AppliedResolution> {
    const kind = 'rule' in resolution ? 'rule' : 'setting';
    if (resolutionKindOf(row.issue) !== kind) {
      return refused('', 'no-help', message('resolution.no-help', { kind }));
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mapping = await this.mappingReader.latestVersion(installationId);
      const applied = await this.changeMapping(installationId, mapping, row, resolution, by);
      if (applied.outcome !== 'stale') {
        return applied;
      }
    }
    return { outcome: 'stale' };
  }

  private async changeMapping(
    installationId: InstallationId,
    mapping: MappingVersion | undefined,
    { key, issue }: InboxRow,
    resolution: MappingResolution,
    by: string,
  ): Promise<AppliedResolution> {
    const author = { name: by, reason: `inbox ${key}`.slice(0, MAX_REASON_LENGTH) };
    if (mapping === undefined) {
      return refused('', 'settings-missing', message('resolution.settings-missing'));
    }
    if (!('rule' in resolution)) {
      const accounts = settingsWith(mapping.settings.accounts, issue.reference, resolution.account);
      if (accounts === undefined) {
        return refused(
          '/setting/account',
          'unknown-setting',
          message('resolution.unknown-setting', { setting: issue.reference }),
        );
      }
      const settings = { ...mapping.settings, accounts };
      const saved = await this.saveSettings.saveIfUnchanged(installationId, mapping.version, settings, author);
      return saved === undefined ? { outcome: 'stale' } : { outcome: 'applied', version: saved.version };
    }
    const read = ruleFor(issue, resolution.rule, mapping.rules);
    if (read === 'rule-gone') {
      return refused('', 'rule-gone', message('resolution.rule-gone', { rule: issue.reference }));
    }
    if ('problems' in read) {
      return { outcome: 'refused', problems: inRule(read.problems) };
    }
    const changes = { upserts: [read.upsert], deletes: [] };
    const saved = await this.saveRuleChanges.saveIfUnchanged(installationId, mapping.version, changes, author);
    switch (saved.outcome) {
      case 'saved':
        return { outcome: 'applied', version: saved.record?.version ?? mapping.version };
      case 'refused':
        return { outcome: 'refused', problems: inRule(saved.problems) };
      case 'stale':
      case 'no-settings':
        return { outcome: 'stale' };
    }
  }
}

function refused(pointer: string, code: string, detail: Message): AppliedResolution {
  return { outcome: 'refused', problems: [{ pointer, code, detail }] };
}

function inRule(problems: readonly Omit<ChangeProblem, 'list' | 'index'>[]): readonly ResolutionProblem[] {
  return problems.map(({ field, code, detail }) => ({
    pointer: field === undefined ? '' : `/rule/${field}`,
    code,
    detail,
  }));
}
