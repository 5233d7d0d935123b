import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import {
  InboxViewRepository,
  LOWEST_ENTRY_ID,
  type FailedEntry,
  type InboxPosition,
  type InboxRow,
} from './inbox-view.repository.js';

/** Failed entries by the issue to resolve. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inboxViewRepository: InboxViewRepository,
  ) {}

  /** Those with the most entries first. */
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

  /** @param key of the issue, as the list has it */
  async find(installationId: InstallationId, key: string): Promise<InboxRow | undefined> {
    return this.tenantDatabase.inInstallation('read issue', installationId, (tx) =>
      this.inboxViewRepository.row(tx, installationId, key),
    );
  }

  /** In the order of their ids. */
  async entries(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly FailedEntry[]> {
    const page = { openOnly: false, afterId: afterId ?? LOWEST_ENTRY_ID, limit };
    return this.tenantDatabase.inInstallation('list failed entries', installationId, (tx) =>
      this.inboxViewRepository.entries(tx, installationId, key, page),
    );
  }
}
