import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingAction, MappingSettings, VersionedSettings, VersionRecord } from './domain/mapping.js';
import { diffSettings } from './domain/mapping-diff.js';
import type { RulePlan } from './domain/rule-change-set.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';

/** Who saves, and what for. */
export interface Author {
  readonly name: string;
  readonly reason: string | undefined;
}

interface NextVersion {
  readonly action: MappingAction;
  readonly settings: MappingSettings;
  /** Undefined: the rules stay as they are. */
  readonly rules: RulePlan | undefined;
  readonly author: Author;
  readonly restoredFrom?: number;
}

/** In the caller's transaction: the one way in which a version comes into being. */
@Injectable()
export class StoreVersion {
  constructor(
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly mappingRuleRepository: MappingRuleRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param base the newest version; undefined before the first
   * @returns undefined when somebody else saved meanwhile
   */
  async store(
    tx: Tx,
    installationId: InstallationId,
    base: VersionedSettings | undefined,
    next: NextVersion,
  ): Promise<VersionRecord | undefined> {
    const before = base && (await this.mappingVersionRepository.findRecord(tx, installationId, base.version));
    const record: VersionRecord = {
      version: (base?.version ?? 0) + 1,
      action: next.action,
      author: next.author.name,
      reason: next.author.reason,
      createdAt: this.clock.now(),
      restoredFrom: next.restoredFrom,
      settingsChanged: diffSettings(base?.settings, next.settings).length > 0,
      ruleCount: next.rules?.ruleCount ?? before?.ruleCount ?? 0,
      rules: next.rules?.counts ?? { added: 0, changed: 0, removed: 0 },
    };
    if (!(await this.mappingVersionRepository.insert(tx, installationId, next.settings, record))) {
      return undefined;
    }
    if (next.rules !== undefined) {
      await this.mappingRuleRepository.change(tx, installationId, record.version, next.rules);
    }
    return record;
  }
}
