import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { InboxReader, type InboxRow } from '../exports/issues/inbox.reader.js';
import { ReexportReader } from '../exports/reexport/reexport.reader.js';
import type { ReexportView } from '../exports/reexport/reexport.repository.js';

export interface IssueDetail {
  readonly row: InboxRow;
  /** The newest re-export that was requested to resolve the issue. */
  readonly latestReexport: ReexportView | undefined;
}

@Injectable()
export class IssueReader {
  constructor(
    private readonly inboxReader: InboxReader,
    private readonly reexportReader: ReexportReader,
  ) {}

  async find(installationId: InstallationId, key: string): Promise<IssueDetail | undefined> {
    const row = await this.inboxReader.find(installationId, key);
    return row && { row, latestReexport: await this.reexportReader.findNewest(installationId, key) };
  }
}
