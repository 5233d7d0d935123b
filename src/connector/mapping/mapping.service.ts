import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingSettings, MappingVersion } from './domain/mapping.js';
import { MappingVersionRepository } from './mapping-version.repository.js';

@Injectable()
export class MappingService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly versions: MappingVersionRepository,
    private readonly clock: Clock,
  ) {}

  /** The newest version; undefined before an administrator has saved anything. */
  async latest(installationId: InstallationId): Promise<MappingVersion | undefined> {
    return this.database.inInstallation('latest mapping version', installationId, (tx) =>
      this.versions.findLatest(tx, installationId),
    );
  }

  async find(installationId: InstallationId, version: number): Promise<MappingVersion | undefined> {
    return this.database.inInstallation('find mapping version', installationId, (tx) =>
      this.versions.find(tx, installationId, version),
    );
  }

  /**
   * Saves the settings as the version after the one the administrator saw.
   * @param seen version that was edited, 0 for the first
   * @returns undefined when somebody else saved meanwhile
   */
  async save(
    installationId: InstallationId,
    seen: number,
    settings: MappingSettings,
    author: string,
  ): Promise<MappingVersion | undefined> {
    return this.database.inInstallation('save mapping version', installationId, async (tx) => {
      const latest = await this.versions.findLatest(tx, installationId);
      const version = seen + 1;
      const saved = { settings, author, at: this.clock.now() };
      const free =
        (latest?.version ?? 0) === seen && (await this.versions.insert(tx, installationId, version, saved));
      return free ? { version, settings } : undefined;
    });
  }
}
