import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { PreviewRepository, type Preview, type PreviewEntry } from './preview.repository.js';

/** Reads previews that have not expired. */
@Injectable()
export class PreviewReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly previewRepository: PreviewRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined as well when it has expired */
  async find(installationId: InstallationId, id: string): Promise<Preview | undefined> {
    return this.tenantDatabase.inInstallation('read preview', installationId, (tx) =>
      this.previewRepository.find(tx, installationId, id, this.clock.now()),
    );
  }

  /**
   * In the preview's order.
   * @param afterPosition 0 for the first page; the first entry has position 1
   */
  async listEntries(
    installationId: InstallationId,
    id: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly PreviewEntry[]> {
    return this.tenantDatabase.inInstallation('read preview entries', installationId, (tx) =>
      this.previewRepository.entries(tx, installationId, id, afterPosition, limit),
    );
  }
}
