import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import {
  InboxViewRepository,
  type BlockedEntry,
  type InboxPosition,
  type InboxRow,
} from './inbox-view.repository.js';

export type { BlockedEntry, InboxPosition, InboxRow } from './inbox-view.repository.js';

const BELOW_ALL = '00000000-0000-0000-0000-000000000000';

/** What the rest of the connector may ask about entries that failed, by what has to be mended. */
@Injectable()
export class BlockedEntriesService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly views: InboxViewRepository,
  ) {}

  /** Most entries first. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
  ): Promise<readonly InboxRow[]> {
    return this.database.inInstallation('list causes', installationId, (tx) =>
      this.views.rows(tx, installationId, state, after, limit),
    );
  }

  /** @param key of the cause, as the list has it */
  async find(installationId: InstallationId, key: string): Promise<InboxRow | undefined> {
    return this.database.inInstallation('read cause', installationId, (tx) =>
      this.views.row(tx, installationId, key),
    );
  }

  /** By id. */
  async entries(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly BlockedEntry[]> {
    const page = { openOnly: false, afterId: afterId ?? BELOW_ALL, limit };
    return this.database.inInstallation('list blocked entries', installationId, (tx) =>
      this.views.entries(tx, installationId, key, page),
    );
  }

  /** In the caller's transaction: what a cause blocks now, at most `limit` entries. */
  async blockedBy(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    limit: number,
  ): Promise<readonly BlockedEntry[]> {
    const page = { openOnly: true, afterId: BELOW_ALL, limit };
    return this.views.entries(tx, installationId, key, page);
  }
}
