import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import {
  InboxViewRepository,
  type FailedEntry,
  type InboxPosition,
  type InboxRow,
} from './inbox-view.repository.js';

export type { FailedEntry as BlockedEntry, InboxPosition, InboxRow } from './inbox-view.repository.js';

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** What the rest of the connector may ask about entries that failed, by what has to be mended. */
@Injectable()
export class FailedEntriesService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inboxViewRepository: InboxViewRepository,
  ) {}

  /** Most entries first. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
  ): Promise<readonly InboxRow[]> {
    return this.tenantDatabase.inInstallation('list issues', installationId, (tx) =>
      this.inboxViewRepository.rows(tx, installationId, state, after, limit),
    );
  }

  /** @param key of the cause, as the list has it */
  async find(installationId: InstallationId, key: string): Promise<InboxRow | undefined> {
    return this.tenantDatabase.inInstallation('read cause', installationId, (tx) =>
      this.inboxViewRepository.row(tx, installationId, key),
    );
  }

  /** By id. */
  async entries(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly FailedEntry[]> {
    const page = { openOnly: false, afterId: afterId ?? LOWEST_ID, limit };
    return this.tenantDatabase.inInstallation('list blocked entries', installationId, (tx) =>
      this.inboxViewRepository.entries(tx, installationId, key, page),
    );
  }

  /** In the caller's transaction: what a cause blocks now, at most `limit` entries. */
  async failedBecauseOf(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    limit: number,
  ): Promise<readonly FailedEntry[]> {
    const page = { openOnly: true, afterId: LOWEST_ID, limit };
    return this.inboxViewRepository.entries(tx, installationId, key, page);
  }
}
