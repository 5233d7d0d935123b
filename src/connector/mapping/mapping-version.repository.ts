import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import {
  settingsOf,
  type MappingSettings,
  type MappingVersion,
  type StoredSettings,
} from './domain/mapping.js';

interface VersionRow {
  readonly version: number;
  readonly settings: StoredSettings;
}

@Injectable()
export class MappingVersionRepository {
  async findLatest(tx: Tx, installationId: InstallationId): Promise<MappingVersion | undefined> {
    const row = await tx.maybeOne<VersionRow>(sql`
      SELECT version, settings FROM mapping_version WHERE installation_id = ${installationId}
      ORDER BY version DESC LIMIT 1`);
    return row && toVersion(row);
  }

  async find(tx: Tx, installationId: InstallationId, version: number): Promise<MappingVersion | undefined> {
    const row = await tx.maybeOne<VersionRow>(sql`
      SELECT version, settings FROM mapping_version WHERE installation_id = ${installationId} AND version = ${version}`);
    return row && toVersion(row);
  }

  /** @returns false when this version exists already: somebody else saved meanwhile */
  async insert(
    tx: Tx,
    installationId: InstallationId,
    version: number,
    saved: { readonly settings: MappingSettings; readonly author: string; readonly at: Date },
  ): Promise<boolean> {
    const inserted = await tx.execute(sql`
      INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
      VALUES (${installationId}, ${version}, ${JSON.stringify(saved.settings)}::jsonb, ${saved.author}, ${saved.at})
      ON CONFLICT DO NOTHING`);
    return inserted === 1;
  }
}

function toVersion({ version, settings }: VersionRow): MappingVersion {
  return { version, settings: settingsOf(settings) };
}
