import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingSettings, VersionedSettings } from './domain/mapping.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { StoreVersion, type Author } from './store-version.js';

/** Saves the settings as the version after the one the administrator saw; the rules stay as they are. */
@Injectable()
export class SaveSettings {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly storeVersion: StoreVersion,
  ) {}

  /**
   * @param seen version that was edited, 0 for the first
   * @returns undefined when somebody else saved meanwhile
   */
  async saveIfUnchanged(
    installationId: InstallationId,
    seen: number,
    settings: MappingSettings,
    author: Author,
  ): Promise<VersionedSettings | undefined> {
    return this.tenantDatabase.inInstallation('save settings', installationId, async (tx) => {
      const base = await this.mappingVersionRepository.findLatest(tx, installationId);
      if ((base?.version ?? 0) !== seen) {
        return undefined;
      }
      const next = { action: 'settings', settings, rules: undefined, author } as const;
      const record = await this.storeVersion.store(tx, installationId, base, next);
      return record && { version: record.version, settings };
    });
  }
}
