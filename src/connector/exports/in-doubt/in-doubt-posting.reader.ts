import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InDoubtPostingRepository, type InDoubtPosition, type InDoubtPosting } from './in-doubt-posting.repository.js';

/** Postings that may be in the books, as people read them. */
@Injectable()
export class InDoubtPostingReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inDoubtPostingRepository: InDoubtPostingRepository,
  ) {}

  /** Oldest first. */
  async list(
    installationId: InstallationId,
    after: InDoubtPosition | undefined,
    limit: number,
  ): Promise<readonly InDoubtPosting[]> {
    return this.tenantDatabase.inInstallation('list in-doubt postings', installationId, (tx) =>
      this.inDoubtPostingRepository.list(tx, installationId, after, limit),
    );
  }
}
