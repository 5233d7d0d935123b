import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { InboxRow } from '../exports/issues/inbox.reader.js';
import { InboxReader } from '../exports/issues/inbox.reader.js';
import { ReexportRepository, type ReexportView } from '../exports/reexport/reexport.repository.js';

export interface IssueDetail {
  readonly row: InboxRow;
  /** The newest re-export that was requested to resolve the issue. */
  readonly latestReexport: ReexportView | undefined;
}

@Injectable()
export class IssueReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inboxReader: InboxReader,
    private readonly reexportRepository: ReexportRepository,
  ) {}

  async find(installationId: InstallationId, key: string): Promise<IssueDetail | undefined> {
    const row = await this.inboxReader.find(installationId, key);
    return (
      row && {
        row,
        latestReexport: await this.tenantDatabase.inInstallation('find re-export', installationId, (tx) =>
          this.reexportRepository.findNewest(tx, installationId, key),
        ),
      }
    );
  }
}
