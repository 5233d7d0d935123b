import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingSettings, MappingVersion } from './domain/mapping.js';

@Injectable()
export class MappingVersionRepository {
  async findLatest(tx: Tx, installationId: InstallationId): Promise<MappingVersion | undefined> {
    return tx.maybeOne<MappingVersion>(sql`
      SELECT version, settings FROM mapping_version WHERE installation_id = ${installationId}
      ORDER BY version DESC LIMIT 1`);
  }

  async find(tx: Tx, installationId: InstallationId, version: number): Promise<MappingVersion | undefined> {
    return tx.maybeOne<MappingVersion>(sql`
      SELECT version, settings FROM mapping_version WHERE installation_id = ${installationId} AND version = ${version}`);
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
