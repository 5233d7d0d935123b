import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ResolveIssue, type ResolveIssueResult, type IssueResolution } from './resolve-issue.js';
import type { FailedEntry, InboxPosition, InboxRow } from '../exports/issues/inbox-view.repository.js';
import { InboxReader } from '../exports/issues/inbox.reader.js';
import { ReexportReader } from '../exports/reexport/reexport.reader.js';
import { ReexportRepository, type ReexportView } from '../exports/reexport/reexport.repository.js';

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
    private readonly inboxReader: InboxReader,
    private readonly reexportRepository: ReexportRepository,
    private readonly reexportReader: ReexportReader,
    private readonly resolveIssue: ResolveIssue,
  ) {}

  /** Most entries first. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
  ): Promise<readonly InboxRow[]> {
    return this.inboxReader.list(installationId, state, after, limit);
  }

  /** A cause with the newest fix that was tried. */
  async find(installationId: InstallationId, key: string): Promise<InboxRowDetail | undefined> {
    const row = await this.inboxReader.find(installationId, key);
    return (
      row && {
        row,
        latestReexport: await this.tenantDatabase.inInstallation('read fix', installationId, (tx) =>
          this.reexportRepository.findNewest(tx, installationId, key),
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
  ): Promise<readonly FailedEntry[]> {
    return this.inboxReader.entries(installationId, key, afterId, limit);
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
    return this.reexportReader.find(installationId, id);
  }
}
