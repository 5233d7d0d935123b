import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingRule } from '../bookkeeping/accounts/rule-index.js';
import type { ErpMasterData } from '../erp/erp-ledger.js';
import type { VersionedSettings, VersionRecord } from './domain/mapping.js';
import { targetsIn, targetProblem } from './domain/targets.js';
import { planChanges, type ChangeProblem, type RuleChangeSet } from './domain/rule-change-set.js';
import { isSameRule } from './domain/rule-identity.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { StoreVersion, type Author } from './store-version.js';

export type SaveRuleChangesResult =
  /** `record` undefined: nothing was different, the version seen is still the newest. `ids` are the upserts' numbers. */
  | { readonly outcome: 'saved'; readonly record: VersionRecord | undefined; readonly ids: readonly string[] }
  | { readonly outcome: 'refused'; readonly problems: readonly ChangeProblem[] }
  /** Another member saved after the version that was seen. */
  | { readonly outcome: 'stale' }
  /** Rules go with settings, and none are saved yet. */
  | { readonly outcome: 'no-settings' };

/** Saves one version with all of the changes or none of them. */
@Injectable()
export class SaveRuleChanges {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly loadMasterData: LoadMasterData,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly mappingRuleRepository: MappingRuleRepository,
    private readonly storeVersion: StoreVersion,
  ) {}

  /**
   * @param seen version that was edited
   * @throws ErpUnavailable when the targets of new rules cannot be looked up; nothing is changed then
   */
  async saveIfUnchanged(
    installationId: InstallationId,
    seen: number,
    changes: RuleChangeSet,
    author: Author,
  ): Promise<SaveRuleChangesResult> {
    const books = changes.upserts.length === 0 ? undefined : await this.loadMasterData.load(installationId);
    return this.tenantDatabase.inInstallation('change mapping rules', installationId, async (tx) => {
      const base = await this.mappingVersionRepository.findLatest(tx, installationId);
      if (base === undefined) {
        return { outcome: seen === 0 ? 'no-settings' : 'stale' };
      }
      return base.version === seen
        ? this.planAndStore(tx, installationId, base, books, changes, author)
        : { outcome: 'stale' };
    });
  }

  private async planAndStore(
    tx: Tx,
    installationId: InstallationId,
    base: VersionedSettings,
    books: ErpMasterData | undefined,
    changes: RuleChangeSet,
    author: Author,
  ): Promise<SaveRuleChangesResult> {
    const current = await this.mappingRuleRepository.ofVersion(tx, installationId, base.version);
    const planned = planChanges(current, changes, await this.mappingRuleRepository.nextId(tx, installationId));
    const broken = books === undefined ? [] : upsertTargetProblems(current, changes, base, books);
    if (planned.outcome === 'refused' || broken.length > 0) {
      const others = planned.outcome === 'refused' ? planned.problems : [];
      return { outcome: 'refused', problems: [...others, ...broken] };
    }
    const { plan } = planned;
    if (plan.begun.length === 0 && plan.ended.length === 0) {
      return { outcome: 'saved', record: undefined, ids: plan.ids };
    }
    const next = { action: 'rules', settings: base.settings, rules: plan, author } as const;
    const record = await this.storeVersion.store(tx, installationId, base, next);
    return record === undefined ? { outcome: 'stale' } : { outcome: 'saved', record, ids: plan.ids };
  }
}

/** A rule that stays as it is may point at what is gone: it is found by its findings, and does not hold up the others. */
function upsertTargetProblems(
  current: readonly MappingRule[],
  { upserts }: RuleChangeSet,
  { settings }: VersionedSettings,
  books: ErpMasterData,
): readonly ChangeProblem[] {
  const targets = targetsIn(books, settings);
  const byId = new Map(current.map((rule) => [rule.id, rule]));
  return upserts.flatMap(({ id, rule }, index) => {
    const known = id === undefined ? undefined : byId.get(id);
    const problem = known !== undefined && isSameRule(known, rule) ? undefined : targetProblem(rule, targets);
    return problem === undefined ? [] : [{ list: 'upserts' as const, index, field: 'target' as const, ...problem }];
  });
}
