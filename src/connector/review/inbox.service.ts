import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import {
  BlockedEntriesService,
  type BlockedEntry,
  type InboxPosition,
  type InboxRow,
} from '../exports/issues/blocked-entries.service.js';
import { ReexportsService, type ReexportView } from '../exports/reexport/reexports.service.js';
import { FixCause, type FixedCause, type Mend } from './fix-cause.js';

export type { FixedCause, Mend } from './fix-cause.js';

/** A row with what was last done about it. */
export interface InboxCase {
  readonly row: InboxRow;
  readonly fix: ReexportView | undefined;
}

/** What has to be mended before more can be exported, and how to have it done. */
@Injectable()
export class InboxService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly blocked: BlockedEntriesService,
    private readonly reexports: ReexportsService,
    private readonly fixing: FixCause,
  ) {}

  /** Most entries first. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
  ): Promise<readonly InboxRow[]> {
    return this.blocked.list(installationId, state, after, limit);
  }

  /** A cause with the newest fix that was tried. */
  async find(installationId: InstallationId, key: string): Promise<InboxCase | undefined> {
    const row = await this.blocked.find(installationId, key);
    return (
      row && {
        row,
        fix: await this.database.inInstallation('read fix', installationId, (tx) =>
          this.reexports.newestOf(tx, installationId, key),
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
    return this.blocked.entries(installationId, key, afterId, limit);
  }

  /** @throws ErpUnavailable when the target of a rule cannot be looked up; nothing is changed then */
  async fix(installationId: InstallationId, key: string, mend: Mend, by: string): Promise<FixedCause> {
    return this.fixing.run(installationId, key, mend, by);
  }

  async reexport(installationId: InstallationId, id: string): Promise<ReexportView | undefined> {
    return this.reexports.find(installationId, id);
  }
}
