import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingRule } from '../bookkeeping/accounts/rule-index.js';
import { SaveRuleChanges, type SaveRuleChangesResult } from './save-rule-changes.js';
import { CheckSetup } from './check-setup.js';
import type { MappingSettings, MappingVersion, VersionedSettings, VersionRecord } from './domain/mapping.js';
import { diffMappings, type MappingDiff } from './domain/mapping-diff.js';
import { targetsIn } from './domain/targets.js';
import type { RuleChangeSet } from './domain/rule-change-set.js';
import { findRuleFindings, type RuleFinding } from './domain/rule-findings.js';
import type { SetupStep } from './domain/setup-step.js';
import { suggestTargets, type KeyFailures, type Suggestion } from './domain/suggestions.js';
import { ImportRuleFile, type RuleImportResult, type RuleImportRequest } from './import-rule-file.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingRuleRepository, type RuleFilter } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { RestoreVersion, type RestoreVersionResult } from './restore-version.js';
import { SaveSettings } from './save-settings.js';
import type { Author } from './store-version.js';

// What callers get that is decided here, under the name of the service that they use.
export type { RuleImportResult as ImportedRules } from './import-rule-file.js';

/** Rules of the past that are looked at for suggestions, newest first. */
const MAX_EARLIER_RULES = 10_000;

/** What other features may ask of the mapping. */
@Injectable()
export class MappingService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly mappingRuleRepository: MappingRuleRepository,
    private readonly loadMasterData: LoadMasterData,
    private readonly saveSettings: SaveSettings,
    private readonly saveRuleChanges: SaveRuleChanges,
    private readonly importRuleFile: ImportRuleFile,
    private readonly restoreVersion: RestoreVersion,
    private readonly checkSetup: CheckSetup,
  ) {}

  /** Number and settings of the newest version; undefined before an administrator has saved anything. */
  async latest(installationId: InstallationId): Promise<VersionedSettings | undefined> {
    return this.tenantDatabase.inInstallation('latest mapping version', installationId, (tx) =>
      this.mappingVersionRepository.findLatest(tx, installationId),
    );
  }

  /** A version with its rules: all that decides how a job is mapped. */
  async find(installationId: InstallationId, version: number): Promise<MappingVersion | undefined> {
    return this.tenantDatabase.inInstallation('find mapping version', installationId, (tx) =>
      this.load(tx, installationId, version),
    );
  }

  /** @returns undefined when somebody else saved after `seen` */
  async save(
    installationId: InstallationId,
    seen: number,
    settings: MappingSettings,
    author: Author,
  ): Promise<VersionedSettings | undefined> {
    return this.saveSettings.saveIfUnchanged(installationId, seen, settings, author);
  }

  /** @throws ErpUnavailable */
  async changeRules(
    installationId: InstallationId,
    seen: number,
    changes: RuleChangeSet,
    author: Author,
  ): Promise<SaveRuleChangesResult> {
    return this.saveRuleChanges.saveIfUnchanged(installationId, seen, changes, author);
  }

  /** @throws ErpUnavailable */
  async importRules(
    installationId: InstallationId,
    request: RuleImportRequest,
    author: Author,
  ): Promise<RuleImportResult> {
    return this.importRuleFile.importFile(installationId, request, author);
  }

  /**
   * Saves the settings and rules of an earlier version as the newest one.
   * @param seen the newest version whoever asks has seen; another one by now changes nothing
   */
  async restore(
    installationId: InstallationId,
    seen: number,
    version: number,
    author: Author,
  ): Promise<RestoreVersionResult> {
    return this.restoreVersion.restore(installationId, seen, version, author);
  }

  /** In the order of their numbers. */
  async rulesOf(
    installationId: InstallationId,
    version: number,
    filter: RuleFilter,
  ): Promise<readonly MappingRule[]> {
    return this.tenantDatabase.inInstallation('list mapping rules', installationId, (tx) =>
      this.mappingRuleRepository.page(tx, installationId, version, filter),
    );
  }

  /** @returns undefined when the version has no such rule */
  async rule(installationId: InstallationId, version: number, id: number): Promise<MappingRule | undefined> {
    return this.tenantDatabase.inInstallation('read mapping rule', installationId, (tx) =>
      this.mappingRuleRepository.find(tx, installationId, version, id),
    );
  }

  /** Newest first, below `before`. */
  async history(
    installationId: InstallationId,
    before: number,
    limit: number,
  ): Promise<readonly VersionRecord[]> {
    return this.tenantDatabase.inInstallation('list mapping versions', installationId, (tx) =>
      this.mappingVersionRepository.records(tx, installationId, before, limit),
    );
  }

  /** Who saved a version and why, with its settings; its rules come by `rulesOf`. */
  async record(
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
   * @returns undefined when one of the two does not exist
   */
  async diff(installationId: InstallationId, from: number, to: number): Promise<MappingDiff | undefined> {
    return this.tenantDatabase.inInstallation('compare mapping versions', installationId, async (tx) => {
      const before = await this.load(tx, installationId, from);
      const after = await this.load(tx, installationId, to);
      const areThere = (before !== undefined || from === 0) && (after !== undefined || to === 0);
      return areThere ? diffMappings(before, after) : undefined;
    });
  }

  /**
   * Rules of the newest version that do not do what they seem to.
   * @returns undefined before anything was saved
   * @throws ErpUnavailable
   */
  async findings(installationId: InstallationId): Promise<
    | {
        readonly version: number;
        /** False while no ERP company is linked: what rules send to is not looked at. */
        readonly targetsChecked: boolean;
        readonly findings: readonly RuleFinding[];
      }
    | undefined
  > {
    const mapping = await this.newest(installationId);
    if (mapping === undefined) {
      return undefined;
    }
    const books = await this.loadMasterData.load(installationId);
    const { version, settings, rules } = mapping;
    const findings = findRuleFindings(rules, books && targetsIn(books, settings));
    return { version, targetsChecked: books !== undefined, findings };
  }

  /**
   * What keys could be mapped to that made items fail.
   * @returns undefined before anything was saved, or while no ERP company is linked
   * @throws ErpUnavailable
   */
  async suggestions(
    installationId: InstallationId,
    failures: readonly KeyFailures[],
  ): Promise<readonly Suggestion[] | undefined> {
    const mapping = await this.newest(installationId);
    const books = mapping && (await this.loadMasterData.load(installationId));
    if (mapping === undefined || books === undefined) {
      return undefined;
    }
    const earlier = await this.tenantDatabase.inInstallation('earlier mapping rules', installationId, (tx) =>
      this.mappingRuleRepository.listEarlier(tx, installationId, MAX_EARLIER_RULES),
    );
    return suggestTargets(failures, mapping.rules, earlier, targetsIn(books, mapping.settings));
  }

  /** What the first export still needs, in the order in which it is best mended. */
  async setup(installationId: InstallationId): Promise<readonly SetupStep[]> {
    return this.checkSetup.checkAll(installationId);
  }

  /** The newest version with its rules; undefined before anything was saved. */
  async newest(installationId: InstallationId): Promise<MappingVersion | undefined> {
    return this.tenantDatabase.inInstallation('newest mapping version', installationId, async (tx) => {
      const latest = await this.mappingVersionRepository.findLatest(tx, installationId);
      return latest && this.withRules(tx, installationId, latest);
    });
  }

  private async load(
    tx: Tx,
    installationId: InstallationId,
    version: number,
  ): Promise<MappingVersion | undefined> {
    const saved = await this.mappingVersionRepository.find(tx, installationId, version);
    return saved && this.withRules(tx, installationId, saved);
  }

  private async withRules(
    tx: Tx,
    installationId: InstallationId,
    saved: VersionedSettings,
  ): Promise<MappingVersion> {
    return { ...saved, rules: await this.mappingRuleRepository.ofVersion(tx, installationId, saved.version) };
  }
}
