import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpMasterData } from '../erp/erp-ledger.js';
import { readFileText, type FileText } from './domain/files/file-text.js';
import type { VersionedSettings, VersionRecord } from './domain/mapping.js';
import { diffRules, type RuleChange } from './domain/mapping-diff.js';
import { targetsIn } from './domain/targets.js';
import { planChanges, type RulePlan } from './domain/rule-change-set.js';
import type { FileProblem, RuleLine } from './domain/files/file-problem.js';
import { planRuleImport, importTargetProblems, type ImportMode } from './domain/files/plan-rule-import.js';
import { readRuleFile, type RuleFormat } from './rule-file.js';
import { LoadMasterData } from './load-master-data.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { StoreVersion, type Author } from './store-version.js';

export interface RuleImportRequest {
  readonly file: Uint8Array;
  readonly format: RuleFormat;
  readonly mode: ImportMode;
  /** Version that the file is to change. */
  readonly seen: number;
  /** As the dry run returned it; undefined for a dry run. */
  readonly checksum: string | undefined;
  /** Numbers of the rules that decided something lately: none of them goes unless it is confirmed. */
  readonly inUse: ReadonlySet<string>;
  readonly isConfirmed: boolean;
}

export type RuleImportResult =
  | {
      readonly outcome: 'planned' | 'saved';
      readonly checksum: string;
      readonly changes: readonly RuleChange[];
      /** Numbers of rules that go and are in use. */
      readonly removedInUse: readonly string[];
      /** Undefined when nothing is different, and after a dry run. */
      readonly record: VersionRecord | undefined;
    }
  | { readonly outcome: 'unreadable'; readonly reason: Exclude<FileText, { readonly text: string }> }
  | { readonly outcome: 'refused'; readonly problems: readonly FileProblem[] }
  | { readonly outcome: 'unconfirmed'; readonly removedInUse: readonly string[] }
  /** The checksum is of another file, mode, version or installation. */
  | { readonly outcome: 'other-checksum' }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'no-settings' };

interface ImportPlan {
  readonly plan: RulePlan;
  readonly changes: readonly RuleChange[];
}

/** Reads a file of rules and says what it changes; with the checksum of what it says it is done, all or nothing. */
@Injectable()
export class ImportRuleFile {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly loadMasterData: LoadMasterData,
    private readonly mappingVersionRepository: MappingVersionRepository,
    private readonly mappingRuleRepository: MappingRuleRepository,
    private readonly storeVersion: StoreVersion,
  ) {}

  /** @throws ErpUnavailable when the targets cannot be looked up; nothing is changed then */
  async importFile(
    installationId: InstallationId,
    request: RuleImportRequest,
    author: Author,
  ): Promise<RuleImportResult> {
    const checksum = checksumOf(installationId, request);
    if (request.checksum !== undefined && request.checksum !== checksum) {
      return { outcome: 'other-checksum' };
    }
    const text = readFileText(request.file);
    if ('problem' in text) {
      return { outcome: 'unreadable', reason: text };
    }
    const file = readRuleFile(text.text, request.format);
    if ('problems' in file) {
      return { outcome: 'refused', problems: file.problems };
    }
    const books = await this.loadMasterData.load(installationId);
    return this.tenantDatabase.inInstallation('import mapping rules', installationId, async (tx) => {
      const base = await this.mappingVersionRepository.findLatest(tx, installationId);
      if (base?.version !== request.seen) {
        return { outcome: base === undefined && request.seen === 0 ? 'no-settings' : 'stale' };
      }
      const planned = await this.plan(tx, installationId, base, request.mode, file.rules, books);
      return planned.outcome === 'refused'
        ? planned
        : this.previewOrSave(tx, installationId, base, { ...planned, checksum }, request, author);
    });
  }

  /** Returns the plan of a dry run, and saves the one that is committed. */
  private async previewOrSave(
    tx: Tx,
    installationId: InstallationId,
    base: VersionedSettings,
    { plan, changes, checksum }: ImportPlan & { readonly checksum: string },
    { checksum: committed, inUse, isConfirmed }: RuleImportRequest,
    author: Author,
  ): Promise<RuleImportResult> {
    const removed = changes.filter(({ change }) => change === 'removed').map(({ id }) => id);
    const planned = { checksum, changes, removedInUse: removed.filter((id) => inUse.has(id)) };
    if (committed === undefined || changes.length === 0) {
      return { outcome: committed === undefined ? 'planned' : 'saved', ...planned, record: undefined };
    }
    if (planned.removedInUse.length > 0 && !isConfirmed) {
      return { outcome: 'unconfirmed', removedInUse: planned.removedInUse };
    }
    const next = { action: 'import', settings: base.settings, rules: plan, author } as const;
    const record = await this.storeVersion.store(tx, installationId, base, next);
    return record === undefined ? { outcome: 'stale' } : { outcome: 'saved', ...planned, record };
  }

  private async plan(
    tx: Tx,
    installationId: InstallationId,
    base: VersionedSettings,
    mode: ImportMode,
    file: readonly RuleLine[],
    books: ErpMasterData | undefined,
  ): Promise<
    | (ImportPlan & { readonly outcome: 'planned' })
    | { readonly outcome: 'refused'; readonly problems: readonly FileProblem[] }
  > {
    const current = await this.mappingRuleRepository.ofVersion(tx, installationId, base.version);
    const problems = books === undefined ? [] : importTargetProblems(current, file, targetsIn(books, base.settings));
    const changes = planRuleImport(current, file, mode);
    const planned = planChanges(current, changes, await this.mappingRuleRepository.nextId(tx, installationId));
    if (planned.outcome === 'refused' || problems.length > 0) {
      const others = planned.outcome === 'refused' ? planned.problems : [];
      const lines = others.map(({ index, field, code, detail }) => {
        return { line: file[index]?.line ?? 1, column: field, code, detail };
      });
      return { outcome: 'refused', problems: [...problems, ...lines] };
    }
    const { plan } = planned;
    const gone = new Set(plan.ended);
    const after = [...current.filter(({ id }) => !gone.has(id)), ...plan.begun];
    return { outcome: 'planned', plan, changes: diffRules(current, after) };
  }
}

/** Names file, mode, the version it changes and whose it is: the person who commits has seen its effect. */
function checksumOf(installationId: InstallationId, { file, format, mode, seen }: RuleImportRequest): string {
  const place = JSON.stringify([installationId, seen, mode, format]);
  return createHash('sha256').update(place).update('\0').update(file).digest('hex');
}
