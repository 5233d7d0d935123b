import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import {
  settingsOf,
  type MappingAction,
  type MappingSettings,
  type VersionedSettings,
  type StoredSettings,
  type VersionRecord,
} from './domain/mapping.js';

interface SettingsRow {
  readonly version: number;
  readonly settings: StoredSettings;
}

interface RecordRow {
  readonly version: number;
  readonly action: MappingAction;
  readonly author: string;
  readonly reason: string | null;
  readonly created_at: Date;
  readonly restored_from: number | null;
  readonly settings_changed: boolean;
  readonly rule_count: number;
  readonly rules_added: number;
  readonly rules_changed: number;
  readonly rules_removed: number;
}

@Injectable()
export class MappingVersionRepository {
  async findLatest(tx: Tx, installationId: InstallationId): Promise<VersionedSettings | undefined> {
    const row = await tx.maybeOne<SettingsRow>(
      prepared(sql`
      SELECT version, settings FROM mapping_version WHERE installation_id = ${installationId}
      ORDER BY version DESC LIMIT 1`),
    );
    return row && toSettings(row);
  }

  async find(tx: Tx, installationId: InstallationId, version: number): Promise<VersionedSettings | undefined> {
    const row = await tx.maybeOne<SettingsRow>(sql`
      SELECT version, settings FROM mapping_version WHERE installation_id = ${installationId} AND version = ${version}`);
    return row && toSettings(row);
  }

  async findRecord(tx: Tx, installationId: InstallationId, version: number): Promise<VersionRecord | undefined> {
    const [record] = await this.records(tx, installationId, version + 1, 1);
    return record?.version === version ? record : undefined;
  }

  /**
   * Newest first.
   * @param before the version that the page begins below
   */
  async records(
    tx: Tx,
    installationId: InstallationId,
    before: number,
    limit: number,
  ): Promise<readonly VersionRecord[]> {
    const rows = await tx.rows<RecordRow>(sql`
      SELECT version, action, author, reason, created_at, restored_from, settings_changed, rule_count, rules_added,
        rules_changed, rules_removed
      FROM mapping_version WHERE installation_id = ${installationId} AND version < ${before}
      ORDER BY version DESC LIMIT ${limit}`);
    return rows.map(toRecord);
  }

  /** @returns false when this version exists already: another member saved meanwhile */
  async insert(
    tx: Tx,
    installationId: InstallationId,
    settings: MappingSettings,
    record: VersionRecord,
  ): Promise<boolean> {
    const { version, rules } = record;
    const inserted = await tx.execute(sql`
      INSERT INTO mapping_version (installation_id, version, settings, author, created_at, action, reason, restored_from,
        settings_changed, rule_count, rules_added, rules_changed, rules_removed)
      VALUES (${installationId}, ${version}, ${JSON.stringify(settings)}::jsonb, ${record.author}, ${record.createdAt},
        ${record.action}, ${record.reason ?? null}, ${record.restoredFrom ?? null}, ${record.settingsChanged},
        ${record.ruleCount}, ${rules.added}, ${rules.changed}, ${rules.removed})
      ON CONFLICT DO NOTHING`);
    return inserted === 1;
  }
}

function toSettings({ version, settings }: SettingsRow): VersionedSettings {
  return { version, settings: settingsOf(settings) };
}

function toRecord(row: RecordRow): VersionRecord {
  return {
    version: row.version,
    action: row.action,
    author: row.author,
    reason: row.reason ?? undefined,
    createdAt: row.created_at,
    restoredFrom: row.restored_from ?? undefined,
    settingsChanged: row.settings_changed,
    ruleCount: row.rule_count,
    rules: { added: row.rules_added, changed: row.rules_changed, removed: row.rules_removed },
  };
}
