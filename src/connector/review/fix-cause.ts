// One call that mends what a cause asks for and exports again everything it blocked.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { BlockedEntriesService, type InboxRow } from '../exports/issues/blocked-entries.service.js';
import {
  MOST_REEXPORTED,
  ReexportsService,
  type ReexportView,
} from '../exports/reexport/reexports.service.js';
import { InstallationsService } from '../installations/installations.service.js';
import type { MappingVersion } from '../mapping/domain/mapping.js';
import { MappingService } from '../mapping/mapping.service.js';
import { mendKindOf, ruleFor, settingsWith, type RuleMend } from './domain/mend-cause.js';

/** Nothing: it was mended in the ERP or on the platform. */
export type Mend =
  | { readonly rule: RuleMend }
  /** External id or code of the account that the setting gets. */
  | { readonly account: string }
  | 'elsewhere';

export interface MendProblem {
  readonly field: string | undefined;
  readonly code: string;
  readonly detail: string;
}

export type FixedCause =
  | {
      readonly outcome: 'fixed';
      readonly mappingVersion: number | undefined;
      readonly reexport: ReexportView;
    }
  | { readonly outcome: 'unknown' }
  /** Nothing is blocked by it any more. */
  | { readonly outcome: 'closed' }
  /** What an earlier call has asked for is not over yet. */
  | { readonly outcome: 'under-way'; readonly reexport: ReexportView }
  | { readonly outcome: 'refused'; readonly problems: readonly MendProblem[] }
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

type Mended =
  | { readonly outcome: 'mended'; readonly version: number | undefined }
  | Extract<FixedCause, { readonly outcome: 'refused' | 'stale' }>;

@Injectable()
export class FixCause {
  constructor(
    private readonly database: TenantDatabase,
    private readonly blocked: BlockedEntriesService,
    private readonly reexports: ReexportsService,
    private readonly mapping: MappingService,
    private readonly installations: InstallationsService,
  ) {}

  /**
   * @param by for the history of the mapping
   * @throws ErpUnavailable when the target of a rule cannot be looked up; nothing is changed then
   */
  async run(installationId: InstallationId, key: string, mend: Mend, by: string): Promise<FixedCause> {
    const row = await this.blocked.find(installationId, key);
    if (row === undefined) {
      return { outcome: 'unknown' };
    }
    if (row.state === 'closed') {
      return { outcome: 'closed' };
    }
    const earlier = await this.database.inInstallation('find earlier fix', installationId, (tx) =>
      this.reexports.newestOf(tx, installationId, key),
    );
    if (earlier !== undefined && !FINAL.includes(earlier.state)) {
      return { outcome: 'under-way', reexport: earlier };
    }
    const mended = await this.mend(installationId, row, mend, by);
    return mended.outcome === 'mended' ? this.exportAgain(installationId, key, mended.version, by) : mended;
  }

  private async mend(installationId: InstallationId, row: InboxRow, mend: Mend, by: string): Promise<Mended> {
    if (mend === 'elsewhere') {
      return { outcome: 'mended', version: undefined };
    }
    const wanted = 'rule' in mend ? 'rule' : 'setting';
    if (mendKindOf(row.cause) !== wanted) {
      const detail = `A ${wanted} does not help here: send what "suggestedFix" asks for.`;
      return { outcome: 'refused', problems: [{ field: undefined, code: 'no-help', detail }] };
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mapping = await this.mapping.newest(installationId);
      const mended = await this.change(installationId, mapping, row, mend, by);
      if (mended.outcome !== 'stale') {
        return mended;
      }
    }
    return { outcome: 'stale' };
  }

  private async change(
    installationId: InstallationId,
    mapping: MappingVersion | undefined,
    { key, cause }: InboxRow,
    mend: Exclude<Mend, 'elsewhere'>,
    by: string,
  ): Promise<Mended> {
    const author = { name: by, reason: `inbox ${key}`.slice(0, 500) };
    const seen = mapping?.version ?? 0;
    if (mapping === undefined) {
      return refused(undefined, 'settings-missing', 'Save the settings first: PUT /api/v1/settings.');
    }
    if (!('rule' in mend)) {
      const accounts = settingsWith(mapping.settings.accounts, cause.thing, mend.account);
      if (accounts === undefined) {
        return refused('account', 'unknown-setting', `There is no setting ${cause.thing} any more.`);
      }
      const settings = { ...mapping.settings, accounts };
      const saved = await this.mapping.save(installationId, seen, settings, author);
      return saved === undefined ? { outcome: 'stale' } : { outcome: 'mended', version: saved.version };
    }
    const read = ruleFor(cause, mend.rule, mapping.rules);
    if ('problems' in read) {
      return { outcome: 'refused', problems: read.problems };
    }
    const changes = { upserts: [read.upsert], deletes: [] };
    const changed = await this.mapping.changeRules(installationId, seen, changes, author);
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

  private async exportAgain(
    installationId: InstallationId,
    key: string,
    mappingVersion: number | undefined,
    by: string,
  ): Promise<FixedCause> {
    const installation = await this.installations.find(installationId);
    const id = await this.database.inInstallation('export again', installationId, async (tx) => {
      const entries = await this.blocked.blockedBy(tx, installationId, key, MOST_REEXPORTED);
      if (entries.length === 0 || installation === undefined) {
        return undefined;
      }
      return this.reexports.request(tx, installationId, {
        companyId: installation.companyId,
        causeKey: key,
        previewId: undefined,
        pinned: undefined,
        entryIds: entries.map(({ accountingEntryId }) => accountingEntryId),
        likeJobId: entries[0]?.exportJobId,
        exportJobId: undefined,
        askedBy: by,
      });
    });
    const reexport = id === undefined ? undefined : await this.reexports.find(installationId, id);
    return reexport === undefined ? { outcome: 'closed' } : { outcome: 'fixed', mappingVersion, reexport };
  }
}

function refused(field: string | undefined, code: string, detail: string): Mended {
  return { outcome: 'refused', problems: [{ field, code, detail }] };
}
