import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingRule } from '../bookkeeping/accounts/rule-index.js';
import type { MappingVersion, VersionedSettings, VersionRecord } from './domain/mapping.js';
import { diffMappings, type MappingDiff } from './domain/mapping-diff.js';
import { MappingRuleRepository, type RuleFilter } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { RecentVersions } from './recent-versions.js';

/** Reads versions of the mapping, each call in a transaction of its own. */
@Injectable()
export class MappingReader {
  private readonly recentVersions = new RecentVersions();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly mappingRuleRepository: MappingRuleRepository,
  ) {}

  /** Number and settings of the latest version, without its rules; undefined before the first save. */
  async latestSettings(installationId: InstallationId): Promise<VersionedSettings | undefined> {
    return this.tenantDatabase.readOnce('read latest settings', installationId, (tx) =>
      this.mappingVersionRepository.findLatest(tx, installationId),
    );
  }

  /** The latest version with its rules; undefined before the first save. */
  async latestVersion(installationId: InstallationId): Promise<MappingVersion | undefined> {
    const latest = await this.latestSettings(installationId);
    return latest && this.findVersion(installationId, latest.version);
  }

  /** A version with its rules: everything that decides how a job is mapped (I21). */
  async findVersion(installationId: InstallationId, version: number): Promise<MappingVersion | undefined> {
    const recent = this.recentVersions.find(installationId, version);
    if (recent !== undefined) {
      return recent;
    }
    const found = await this.tenantDatabase.inInstallation('find mapping version', installationId, (tx) =>
      this.load(tx, installationId, version),
    );
    if (found !== undefined) {
      this.recentVersions.add(installationId, found);
    }
    return found;
  }

  /** In the order of their numbers. */
  async listRules(
    installationId: InstallationId,
    version: number,
    filter: RuleFilter,
  ): Promise<readonly MappingRule[]> {
    return this.tenantDatabase.readOnce('list mapping rules', installationId, (tx) =>
      this.mappingRuleRepository.page(tx, installationId, version, filter),
    );
  }

  /** @returns undefined when the version has no such rule */
  async findRule(installationId: InstallationId, version: number, id: number): Promise<MappingRule | undefined> {
    return this.tenantDatabase.inInstallation('read mapping rule', installationId, (tx) =>
      this.mappingRuleRepository.find(tx, installationId, version, id),
    );
  }

  /**
   * Who saved which version, newest first.
   * @param before only versions below this number
   */
  async listRecords(installationId: InstallationId, before: number, limit: number): Promise<readonly VersionRecord[]> {
    return this.tenantDatabase.readOnce('list mapping versions', installationId, (tx) =>
      this.mappingVersionRepository.records(tx, installationId, before, limit),
    );
  }

  /** Who saved a version and why, with its settings; `listRules` returns its rules. */
  async findRecord(
    installationId: InstallationId,
    version: number,
  ): Promise<(VersionRecord & VersionedSettings) | undefined> {
    return this.tenantDatabase.inInstallation('read mapping version', installationId, async (tx) => {
      const saved = await this.mappingVersionRepository.find(tx, installationId, version);
      const record = await this.mappingVersionRepository.findRecord(tx, installationId, version);
      return saved && record && { ...record, ...saved };
    });
  }

  /**
   * @param from 0 is the state before the first version
   * @param ruleIds rules that are compared; undefined: all of them
   * @returns undefined when one of the two does not exist
   */
  async compareVersions(
    installationId: InstallationId,
    from: number,
    to: number,
    ruleIds?: ReadonlySet<string>,
  ): Promise<MappingDiff | undefined> {
    return this.tenantDatabase.inInstallation('compare mapping versions', installationId, async (tx) => {
      const before = await this.load(tx, installationId, from, ruleIds);
      const after = await this.load(tx, installationId, to, ruleIds);
      const exist = (before !== undefined || from === 0) && (after !== undefined || to === 0);
      return exist ? diffMappings(before, after) : undefined;
    });
  }

  private async load(
    tx: Tx,
    installationId: InstallationId,
    version: number,
    ruleIds?: ReadonlySet<string>,
  ): Promise<MappingVersion | undefined> {
    const saved = await this.mappingVersionRepository.find(tx, installationId, version);
    return (
      saved && { ...saved, rules: await this.mappingRuleRepository.ofVersion(tx, installationId, version, ruleIds) }
    );
  }
}
