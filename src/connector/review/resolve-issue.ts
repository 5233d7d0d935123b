import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { FailedEntryReader } from '../exports/issues/failed-entry.reader.js';
import { isUnderWay, MAX_REEXPORTED_ENTRIES, QueueReexport } from '../exports/reexport/queue-reexport.js';
import type { ReexportView } from '../exports/reexport/reexport.repository.js';
import { ApplyResolution, type AppliedResolution, type MappingResolution } from './apply-resolution.js';
import { IssueReader } from './issue.reader.js';

/** `outside`: the issue was resolved in the ERP or on the platform. */
export type IssueResolution = MappingResolution | 'outside';

export type ResolveIssueResult =
  | {
      readonly outcome: 'resolved';
      /** Undefined when the mapping was not changed. */
      readonly mappingVersion: number | undefined;
      readonly reexport: ReexportView;
    }
  | { readonly outcome: 'unknown' }
  /** No entry fails because of it any more. */
  | { readonly outcome: 'closed' }
  /** The re-export of an earlier call has not ended. */
  | { readonly outcome: 'in-progress'; readonly reexport: ReexportView }
  | Exclude<AppliedResolution, { readonly outcome: 'applied' }>;

/** Changes the mapping where that resolves an issue, and requests the export of the entries that fail because of it. */
@Injectable()
export class ResolveIssue {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly issueReader: IssueReader,
    private readonly applyResolution: ApplyResolution,
    private readonly failedEntryReader: FailedEntryReader,
    private readonly queueReexport: QueueReexport,
  ) {}

  /**
   * @param by for the history of the mapping
   * @throws ErpUnavailable when the target of a rule cannot be looked up; nothing is changed then
   */
  async resolve(
    installationId: InstallationId,
    key: string,
    resolution: IssueResolution,
    by: string,
  ): Promise<ResolveIssueResult> {
    const issue = await this.issueReader.find(installationId, key);
    if (issue === undefined) {
      return { outcome: 'unknown' };
    }
    const { row, latestReexport } = issue;
    if (row.state === 'closed') {
      return { outcome: 'closed' };
    }
    if (latestReexport !== undefined && isUnderWay(latestReexport)) {
      return { outcome: 'in-progress', reexport: latestReexport };
    }
    if (resolution === 'outside') {
      return this.requestReexport(installationId, key, undefined, by);
    }
    const applied = await this.applyResolution.apply(installationId, row, resolution, by);
    return applied.outcome === 'applied' ? this.requestReexport(installationId, key, applied.version, by) : applied;
  }

  private async requestReexport(
    installationId: InstallationId,
    key: string,
    mappingVersion: number | undefined,
    by: string,
  ): Promise<ResolveIssueResult> {
    return this.tenantDatabase.inInstallation('request re-export', installationId, async (tx) => {
      // Another person may have resolved it since it was read.
      const underWay = await this.queueReexport.findUnderWay(tx, installationId, key);
      if (underWay !== undefined) {
        return { outcome: 'in-progress', reexport: underWay };
      }
      const entries = await this.failedEntryReader.failedBecauseOf(tx, installationId, key, MAX_REEXPORTED_ENTRIES);
      if (entries.length === 0) {
        return { outcome: 'closed' };
      }
      // Of exports with and without vendors the newest shows how the platform exports the company's entries now.
      const newest = entries.reduce((one, other) => (other.lastSeen > one.lastSeen ? other : one));
      const reexport = await this.queueReexport.queue(tx, installationId, {
        issueKey: key,
        entryIds: entries.map(({ accountingEntryId }) => accountingEntryId),
        likeJobId: newest.exportJobId,
        requestedBy: by,
      });
      return { outcome: 'resolved', mappingVersion, reexport };
    });
  }
}
