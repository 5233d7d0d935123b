import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { diffSettings } from './domain/mapping-diff.js';
import type { VersionRecord } from './domain/mapping.js';
import { planReplacement } from './domain/rule-change-set.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { StoreVersion, type Author } from './store-version.js';

export type RestoreVersionResult =
  /** `record` undefined: the newest version says the same already. */
  | { readonly outcome: 'saved'; readonly record: VersionRecord | undefined }
  | { readonly outcome: 'unknown-version' }
  | { readonly outcome: 'stale' };

/** Makes a new version with the content of an earlier one; its rules come back under their numbers. */
@Injectable()
export class RestoreVersion {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly mappingRuleRepository: MappingRuleRepository,
    private readonly storeVersion: StoreVersion,
  ) {}

  /** @param seen the newest version as the administrator saw it */
  async restore(
    installationId: InstallationId,
    seen: number,
    version: number,
    author: Author,
  ): Promise<RestoreVersionResult> {
    return this.tenantDatabase.inInstallation('restore mapping version', installationId, async (tx) => {
      const wanted = await this.mappingVersionRepository.find(tx, installationId, version);
      if (wanted === undefined) {
        return { outcome: 'unknown-version' };
      }
      const base = await this.mappingVersionRepository.findLatest(tx, installationId);
      if (base?.version !== seen) {
        return { outcome: 'stale' };
      }
      const current = await this.mappingRuleRepository.ofVersion(tx, installationId, base.version);
      const plan = planReplacement(current, await this.mappingRuleRepository.ofVersion(tx, installationId, version));
      const isSame = diffSettings(base.settings, wanted.settings).length === 0;
      if (isSame && plan.begun.length === 0 && plan.ended.length === 0) {
        return { outcome: 'saved', record: undefined };
      }
      const { settings } = wanted;
      const next = { action: 'restore', settings, rules: plan, author, restoredFrom: version } as const;
      const record = await this.storeVersion.store(tx, installationId, base, next);
      return record === undefined ? { outcome: 'stale' } : { outcome: 'saved', record };
    });
  }
}
