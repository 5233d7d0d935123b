import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { suggestTargets, type KeyFailures, type Suggestion } from './domain/suggestions.js';
import { targetsIn } from './domain/targets.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingReader } from './mapping.reader.js';

/** Rules of earlier versions that suggestions are based on, newest first. */
const MAX_EARLIER_RULES = 10_000;

/** Suggests targets for the keys without a rule. */
@Injectable()
export class SuggestRules {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingReader: MappingReader,
    private readonly mappingRuleRepository: MappingRuleRepository,
    private readonly loadMasterData: LoadMasterData,
  ) {}

  /**
   * @param failures keys that made items fail
   * @returns undefined before the first save, or while no ERP company is linked
   * @throws ErpUnavailable
   */
  async suggestFor(
    installationId: InstallationId,
    failures: readonly KeyFailures[],
  ): Promise<readonly Suggestion[] | undefined> {
    const mapping = await this.mappingReader.latestVersion(installationId);
    const masterData = mapping && (await this.loadMasterData.loadWithinMinute(installationId));
    if (mapping === undefined || masterData === undefined) {
      return undefined;
    }
    const earlier = await this.tenantDatabase.readOnce('list earlier mapping rules', installationId, (tx) =>
      this.mappingRuleRepository.listEarlier(tx, installationId, MAX_EARLIER_RULES),
    );
    return suggestTargets(failures, mapping.rules, earlier, targetsIn(masterData, mapping.settings));
  }
}
