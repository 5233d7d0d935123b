import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../foundation/crypto/sha256.js';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';

/** A file of an installation that a person downloads. */
export interface Download {
  /** As declared: `GET /api/v1/…`. */
  readonly route: string;
  /** IP address of the caller. */
  readonly address: string;
}

/** How much of a download there was. */
export interface DownloadEnd {
  readonly rows: number;
  /** False when the caller left before the end, or reading failed. */
  readonly complete: boolean;
}

/** Has the audit log say who took which file out of an installation, with how many rows, to which address. */
@Injectable()
export class RecordDownload {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /**
   * Before the response goes out.
   * @param end undefined while it is not known how much there will be: `recordEnd` says so
   * @returns the download's id
   */
  async recordStart(
    installationId: InstallationId,
    { route, address }: Download,
    end: DownloadEnd | undefined,
  ): Promise<string> {
    const id = randomUUID();
    const salt = randomBytes(16).toString('hex');
    await this.tenantDatabase.inInstallation('record download', installationId, (tx) =>
      tx.execute(sql`
        INSERT INTO download (installation_id, id, route, from_ip, from_ip_salt, from_ip_digest, started_at, row_count,
          is_complete)
        VALUES (${installationId}, ${id}, ${route}, ${address}, ${salt}, ${sha256Hex(salt + address)}, clock_timestamp(),
          ${end?.rows ?? null}, ${end?.complete ?? null})`),
    );
    return id;
  }

  async recordEnd(installationId: InstallationId, id: string, { rows, complete }: DownloadEnd): Promise<void> {
    await this.tenantDatabase.inInstallation('record end of download', installationId, (tx) =>
      tx.execute(sql`
        UPDATE download SET row_count = ${rows}, is_complete = ${complete}
        WHERE installation_id = ${installationId} AND id = ${id}`),
    );
  }
}
