// One call that mends what a cause asks for and exports again everything it blocked.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import type { MappingVersion } from '../mapping/domain/mapping.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { SaveRuleChanges } from '../mapping/save-rule-changes.js';
import { SaveSettings } from '../mapping/save-settings.js';
import { resolutionKindOf, ruleFor, settingsWith, type RuleResolution } from './domain/issue-resolution.js';
import { InboxViewRepository, type InboxRow } from '../exports/issues/inbox-view.repository.js';
import { InboxReader } from '../exports/issues/inbox.reader.js';
import { MAX_REEXPORTED_ENTRIES, QueueReexport } from '../exports/reexport/queue-reexport.js';
import { ReexportReader } from '../exports/reexport/reexport.reader.js';
import { ReexportRepository, type ReexportView } from '../exports/reexport/reexport.repository.js';

/** Nothing: it was mended in the ERP or on the platform. */
export type IssueResolution =
  | { readonly rule: RuleResolution }
  /** External id or code of the account that the setting gets. */
  | { readonly account: string }
  | 'elsewhere';

export interface ResolutionProblem {
  readonly field: string | undefined;
  readonly code: string;
  readonly detail: string;
}

export type ResolveIssueResult =
  | {
      readonly outcome: 'fixed';
      readonly mappingVersion: number | undefined;
      readonly reexport: ReexportView;
    }
  | { readonly outcome: 'unknown' }
  /** Nothing is blocked by it any more. */
  | { readonly outcome: 'closed' }
  /** What an earlier call has asked for is not over yet. */
  | { readonly outcome: 'in-progress'; readonly reexport: ReexportView }
  | { readonly outcome: 'refused'; readonly problems: readonly ResolutionProblem[] }
  /** Somebody else saved the mapping at the same time, again and again. */
  | { readonly outcome: 'stale' };

const ATTEMPTS = 3;
const FINAL: readonly string[] = [
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
  'refused',
];

type AppliedResolution =
  | { readonly outcome: 'mended'; readonly version: number | undefined }
  | Extract<ResolveIssueResult, { readonly outcome: 'refused' | 'stale' }>;

@Injectable()
export class ResolveIssue {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inboxReader: InboxReader,
    private readonly inboxViewRepository: InboxViewRepository,
    private readonly reexportRepository: ReexportRepository,
    private readonly queueReexport: QueueReexport,
    private readonly reexportReader: ReexportReader,
    private readonly mappingReader: MappingReader,
    private readonly saveSettings: SaveSettings,
    private readonly saveRuleChanges: SaveRuleChanges,
    private readonly installationReader: InstallationReader,
  ) {}

  /**
   * @param by for the history of the mapping
   * @throws ErpUnavailable when the target of a rule cannot be looked up; nothing is changed then
   */
  async resolve(
    installationId: InstallationId,
    key: string,
    mend: IssueResolution,
    by: string,
  ): Promise<ResolveIssueResult> {
    const row = await this.inboxReader.find(installationId, key);
    if (row === undefined) {
      return { outcome: 'unknown' };
    }
    if (row.state === 'closed') {
      return { outcome: 'closed' };
    }
    const earlier = await this.tenantDatabase.inInstallation('find earlier fix', installationId, (tx) =>
      this.reexportRepository.findNewest(tx, installationId, key),
    );
    if (earlier !== undefined && !FINAL.includes(earlier.state)) {
      return { outcome: 'in-progress', reexport: earlier };
    }
    const mended = await this.applyResolution(installationId, row, mend, by);
    return mended.outcome === 'mended'
      ? this.requestReexport(installationId, key, mended.version, by)
      : mended;
  }

  private async applyResolution(
    installationId: InstallationId,
    row: InboxRow,
    mend: IssueResolution,
    by: string,
  ): Promise<AppliedResolution> {
    if (mend === 'elsewhere') {
      return { outcome: 'mended', version: undefined };
    }
    const wanted = 'rule' in mend ? 'rule' : 'setting';
    if (resolutionKindOf(row.issue) !== wanted) {
      const detail = `A ${wanted} does not help here: send what "suggestedResolution" asks for.`;
      return { outcome: 'refused', problems: [{ field: undefined, code: 'no-help', detail }] };
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mapping = await this.mappingReader.latestVersion(installationId);
      const mended = await this.changeMapping(installationId, mapping, row, mend, by);
      if (mended.outcome !== 'stale') {
        return mended;
      }
    }
    return { outcome: 'stale' };
  }

  private async changeMapping(
    installationId: InstallationId,
    mapping: MappingVersion | undefined,
    { key, issue }: InboxRow,
    mend: Exclude<IssueResolution, 'elsewhere'>,
    by: string,
  ): Promise<AppliedResolution> {
    const author = { name: by, reason: `inbox ${key}`.slice(0, 500) };
    const seen = mapping?.version ?? 0;
    if (mapping === undefined) {
      return refused(undefined, 'settings-missing', 'Save the settings first: PUT /api/v1/settings.');
    }
    if (!('rule' in mend)) {
      const accounts = settingsWith(mapping.settings.accounts, issue.reference, mend.account);
      if (accounts === undefined) {
        return refused('account', 'unknown-setting', `There is no setting ${issue.reference} any more.`);
      }
      const settings = { ...mapping.settings, accounts };
      const saved = await this.saveSettings.saveIfUnchanged(installationId, seen, settings, author);
      return saved === undefined ? { outcome: 'stale' } : { outcome: 'mended', version: saved.version };
    }
    const read = ruleFor(issue, mend.rule, mapping.rules);
    if ('problems' in read) {
      return { outcome: 'refused', problems: read.problems };
    }
    const changes = { upserts: [read.upsert], deletes: [] };
    const changed = await this.saveRuleChanges.saveIfUnchanged(installationId, seen, changes, author);
    switch (changed.outcome) {
      case 'saved':
        return { outcome: 'mended', version: changed.record?.version ?? seen };
      case 'refused':
        return {
          outcome: 'refused',
          problems: changed.problems.map(({ field, code, detail }) => ({ field, code, detail })),
        };
      case 'stale':
      case 'no-settings':
        return { outcome: 'stale' };
    }
  }

  private async requestReexport(
    installationId: InstallationId,
    key: string,
    mappingVersion: number | undefined,
    by: string,
  ): Promise<ResolveIssueResult> {
    const installation = await this.installationReader.find(installationId);
    const id = await this.tenantDatabase.inInstallation('export again', installationId, async (tx) => {
      const entries = await this.inboxViewRepository.failedBecauseOf(
        tx,
        installationId,
        key,
        MAX_REEXPORTED_ENTRIES,
      );
      if (entries.length === 0 || installation === undefined) {
        return undefined;
      }
      return this.queueReexport.queue(tx, installationId, {
        companyId: installation.companyId,
        issueKey: key,
        previewId: undefined,
        pinned: undefined,
        entryIds: entries.map(({ accountingEntryId }) => accountingEntryId),
        likeJobId: entries[0]?.exportJobId,
        exportJobId: undefined,
        requestedBy: by,
      });
    });
    const reexport = id === undefined ? undefined : await this.reexportReader.find(installationId, id);
    return reexport === undefined ? { outcome: 'closed' } : { outcome: 'fixed', mappingVersion, reexport };
  }
}

function refused(field: string | undefined, code: string, detail: string): AppliedResolution {
  return { outcome: 'refused', problems: [{ field, code, detail }] };
}
