import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingSettings, VersionedSettings } from './domain/mapping.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { StoreVersion, type Author } from './store-version.js';

export type SaveSettingsResult =
  | { readonly outcome: 'saved'; readonly saved: VersionedSettings }
  /** Another member saved meanwhile. */
  | { readonly outcome: 'stale' }
  /** Entries are to be drafts, and the ERP keeps none. */
  | { readonly outcome: 'no-drafts' };

/** Saves the settings as the version after the one the administrator saw; the rules stay as they are. */
@Injectable()
export class SaveSettings {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly storeVersion: StoreVersion,
    private readonly loadMasterData: LoadMasterData,
  ) {}

  /**
   * As `saveIfUnchanged`, for what a person has chosen: a policy that the ERP cannot follow is not saved. An ERP that is not
   * connected yet says nothing; what it cannot follow fails then, in words.
   */
  async saveChosen(
    installationId: InstallationId,
    seen: number,
    settings: MappingSettings,
    author: Author,
  ): Promise<SaveSettingsResult> {
    if (
      settings.policies.postingState === 'draft' &&
      (await this.loadMasterData.canKeepDrafts(installationId)) === false
    ) {
      return { outcome: 'no-drafts' };
    }
    const saved = await this.saveIfUnchanged(installationId, seen, settings, author);
    return saved === undefined ? { outcome: 'stale' } : { outcome: 'saved', saved };
  }

  /**
   * @param seen version that was edited, 0 for the first
   * @returns undefined when another member saved meanwhile
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
