import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { IssueHandlingRepository, type HandlingChange } from '../exports/issues/issue-handling.repository.js';

/** Notes who takes care of an issue, what was agreed, until when it waits, or that its entries were booked by hand. */
@Injectable()
export class HandleIssue {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly issueHandlingRepository: IssueHandlingRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * What is not named stays as it is, however long ago the caller has read it. Nothing is exported or cleared; another entry
   * that fails later makes a left issue open again.
   */
  async handle(
    installationId: InstallationId,
    key: string,
    handling: HandlingChange,
  ): Promise<{ readonly outcome: 'handled' | 'unknown' }> {
    const isKnown = await this.tenantDatabase.inInstallation('handle issue', installationId, (tx) =>
      this.issueHandlingRepository.note(tx, installationId, key, handling, this.clock.now()),
    );
    return { outcome: isKnown ? 'handled' : 'unknown' };
  }
}
