import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import type { MappingVersion } from '../mapping/domain/mapping.js';
import type { RuleContent } from '../mapping/domain/rule-fields.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { PlanPreview, type PreviewSubject } from './plan-preview.js';
import { PreviewRepository, type Preview } from './preview.repository.js';

const RETENTION_MS = 24 * 60 * 60 * 1_000;

export interface PreviewRequest {
  readonly subject: PreviewSubject;
  /** Undefined: the latest. */
  readonly mappingVersion: number | undefined;
  /** Instead of the version's own. */
  readonly rules: readonly RuleContent[] | undefined;
  readonly by: string;
}

export type MakePreviewResult =
  | { readonly outcome: 'made'; readonly preview: Preview }
  | { readonly outcome: 'unknown-job' | 'unknown-version' | 'setup-incomplete' };

/** Plans items against a mapping without effect, and stores the result for a day. */
@Injectable()
export class MakePreview {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly previewRepository: PreviewRepository,
    private readonly planPreview: PlanPreview,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
    private readonly clock: Clock,
  ) {}

  /** @throws ErpUnavailable; what a request to the platform throws */
  async make(installationId: InstallationId, request: PreviewRequest): Promise<MakePreviewResult> {
    const newest = await this.mappingReader.latestSettings(installationId);
    const erpCompanyId = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (newest === undefined || erpCompanyId === undefined) {
      return { outcome: 'setup-incomplete' };
    }
    const version = request.mappingVersion ?? newest.version;
    const mapping = await this.mappingReader.findVersion(installationId, version);
    if (mapping === undefined) {
      return { outcome: 'unknown-version' };
    }
    const source = await this.planPreview.loadItems(installationId, request.subject);
    if (source === undefined) {
      return { outcome: 'unknown-job' };
    }
    const wanted = withRules(mapping, request.rules);
    const entries = await this.planPreview.plan(installationId, erpCompanyId, wanted, source.items);
    if (entries === undefined) {
      return { outcome: 'setup-incomplete' };
    }
    const createdAt = this.clock.now();
    const decided = [erpCompanyId, version, request.rules ?? null, entries.map(({ digested }) => digested)];
    const preview: Preview = {
      id: randomUUID(),
      exportJobId: source.jobId,
      source: source.source,
      erpCompanyId,
      mappingVersion: version,
      newestVersion: newest.version,
      saved: request.rules === undefined,
      digest: sha256Hex(JSON.stringify(decided)),
      entries: entries.length,
      more: source.more,
      madeBy: request.by,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + RETENTION_MS),
    };
    await this.tenantDatabase.inInstallation('store preview', installationId, (tx) =>
      this.previewRepository.add(
        tx,
        installationId,
        preview,
        entries.map(({ entry }) => entry),
      ),
    );
    return { outcome: 'made', preview };
  }
}

/** Unsaved rules get numbers of their own, which the decisions then name: "new-1" is the first of them. */
function withRules(mapping: MappingVersion, rules: readonly RuleContent[] | undefined): MappingVersion {
  if (rules === undefined) {
    return mapping;
  }
  return {
    ...mapping,
    rules: rules.map((rule, index) => ({ ...rule, id: `new-${(index + 1).toString()}` })),
  };
}
