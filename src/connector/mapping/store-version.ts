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

/** Each is kept for ever, with the rules it begins and ends: far more than people save, and few enough for any script. */
const MAX_VERSIONS_A_DAY = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Thrown instead of the 1,001st version of an installation within 24 hours; nothing was changed. */
export class TooManyVersions extends Error {
  override readonly name = 'TooManyVersions';

  /** @param retryAfterSeconds until there may be one more */
  constructor(
    readonly most: number,
    readonly retryAfterSeconds: number,
  ) {
    super(`there are ${most.toString()} mapping versions of the last 24 hours`);
  }
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
   * @returns undefined when another member saved meanwhile
   * @throws TooManyVersions
   */
  async store(
    tx: Tx,
    installationId: InstallationId,
    base: VersionedSettings | undefined,
    next: NextVersion,
  ): Promise<VersionRecord | undefined> {
    await this.assertWithinQuota(tx, installationId, base?.version ?? 0);
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

  /** Versions have no gaps, so the age of an earlier one shows how fast they were saved. */
  private async assertWithinQuota(tx: Tx, installationId: InstallationId, latest: number): Promise<void> {
    const first = latest - MAX_VERSIONS_A_DAY + 1;
    const record = first < 1 ? undefined : await this.mappingVersionRepository.findRecord(tx, installationId, first);
    const waitMs = record === undefined ? 0 : record.createdAt.getTime() + DAY_MS - this.clock.now().getTime();
    if (waitMs > 0) {
      throw new TooManyVersions(MAX_VERSIONS_A_DAY, Math.ceil(waitMs / 1_000));
    }
  }
}
