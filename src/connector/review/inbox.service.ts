import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import {
  FailedEntriesService,
  type BlockedEntry,
  type InboxPosition,
  type InboxRow,
} from '../exports/issues/failed-entries.service.js';
import { ReexportsService, type ReexportView } from '../exports/reexport/reexports.service.js';
import { ResolveIssue, type ResolveIssueResult, type IssueResolution } from './resolve-issue.js';

export type { ResolveIssueResult as FixedCause, IssueResolution as Mend } from './resolve-issue.js';

/** A row with what was last done about it. */
export interface InboxRowDetail {
  readonly row: InboxRow;
  readonly latestReexport: ReexportView | undefined;
}

/** What has to be mended before more can be exported, and how to have it done. */
@Injectable()
export class InboxService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly failedEntriesService: FailedEntriesService,
    private readonly reexportsService: ReexportsService,
    private readonly resolveIssue: ResolveIssue,
  ) {}

  /** Most entries first. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
  ): Promise<readonly InboxRow[]> {
    return this.failedEntriesService.list(installationId, state, after, limit);
  }

  /** A cause with the newest fix that was tried. */
  async find(installationId: InstallationId, key: string): Promise<InboxRowDetail | undefined> {
    const row = await this.failedEntriesService.find(installationId, key);
    return (
      row && {
        row,
        latestReexport: await this.tenantDatabase.inInstallation('read fix', installationId, (tx) =>
          this.reexportsService.findNewest(tx, installationId, key),
        ),
      }
    );
  }

  /** By id, those after `afterId`. */
  async entries(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly BlockedEntry[]> {
    return this.failedEntriesService.entries(installationId, key, afterId, limit);
  }

  /** @throws ErpUnavailable when the target of a rule cannot be looked up; nothing is changed then */
  async resolve(
    installationId: InstallationId,
    key: string,
    mend: IssueResolution,
    by: string,
  ): Promise<ResolveIssueResult> {
    return this.resolveIssue.resolve(installationId, key, mend, by);
  }

  async reexport(installationId: InstallationId, id: string): Promise<ReexportView | undefined> {
    return this.reexportsService.find(installationId, id);
  }
}
