import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { addDecimals, parseDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { CodeUse, UseKind } from '../domain/search/search-lines.js';

/** How often a code of the platform's reference data was used, and for which amounts. */
export interface UseOfCode {
  readonly entries: number;
  /** Sums in hundredths as on the wire, by currency. */
  readonly hundredths: ReadonlyMap<string, Decimal>;
  /** 'YYYY-MM-DD'. */
  readonly lastDay: string;
}

/** Rows of a hundred entries each that are counted, the newest first. */
const MAX_ROWS = 20_000;
const AT_ONCE = 1_000;
const NOTHING: Decimal = { coefficient: 0n, scale: 0 };

/** Use of the platform's reference data by exports. */
@Injectable()
export class CodeUseReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /**
   * Of exports since then, at most the newest two million entries.
   * @returns by id on the platform
   */
  async uses(installationId: InstallationId, kind: UseKind, since: Date): Promise<ReadonlyMap<string, UseOfCode>> {
    const found = new Map<string, { entries: number; hundredths: Map<string, Decimal>; lastDay: string }>();
    let after: { readonly detectedAt: Date; readonly jobId: string; readonly id: string } | undefined;
    for (let read = 0; read < MAX_ROWS; read += AT_ONCE) {
      const rows = await this.tenantDatabase.readOnce('count uses of codes', installationId, (tx) =>
        tx.rows<{ detectedAt: Date; jobId: string; id: string; uses: readonly CodeUse[] | null }>(sql`
          SELECT job.detected_at AS "detectedAt", job.id AS "jobId", chunk.id, uses -> ${kind}::text AS uses
          FROM export_job job
          JOIN item_chunk chunk ON chunk.installation_id = job.installation_id AND chunk.export_job_id = job.id
          WHERE job.installation_id = ${installationId} AND job.detected_at >= ${since}
            AND job.detected_at <= ${after?.detectedAt ?? 'infinity'}::timestamptz
            AND (${after === undefined} OR job.detected_at < ${after?.detectedAt ?? null}::timestamptz
              OR (job.id, chunk.id) > (${after?.jobId ?? null}::uuid, ${after?.id ?? null}::uuid))
          ORDER BY job.detected_at DESC, job.id, chunk.id LIMIT ${AT_ONCE}`),
      );
      for (const [id, currency, hundredths, entries, lastDay] of rows.flatMap(({ uses }) => uses ?? [])) {
        const use = found.get(id) ?? { entries: 0, hundredths: new Map<string, Decimal>(), lastDay: '' };
        found.set(id, use);
        use.entries += entries;
        use.hundredths.set(
          currency,
          addDecimals(use.hundredths.get(currency) ?? NOTHING, parseDecimal(hundredths) ?? NOTHING),
        );
        if (lastDay > use.lastDay) use.lastDay = lastDay;
      }
      after = rows.at(-1);
      if (rows.length < AT_ONCE) break;
    }
    return found;
  }
}
