import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { KeyFailures } from '../../mapping/domain/suggestions.js';

/** Maximum of issue keys that suggestions consider. */
const MAX_KEYS = 5_000;

interface KeyRow {
  readonly subject: KeyFailures['subject'];
  readonly source_group: string | null;
  readonly source: string;
  readonly name: string | null;
  readonly items: number;
  readonly last_seen: Date;
}

/** Entries whose decisions are searched, newest first: more would take longer than a request may. */
const MAX_ENTRIES = 10_000;

/** Use of the mapping by exports. */
@Injectable()
export class MappingUseReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Issues seen since then, the most frequent first; includes entries that were exported in the meantime. */
  async failures(installationId: InstallationId, since: Date): Promise<readonly KeyFailures[]> {
    const rows = await this.tenantDatabase.readOnce('list mapping failures', installationId, (tx) =>
      tx.rows<KeyRow>(sql`
        SELECT issue.kind AS subject, issue.reference_group AS source_group, issue.reference AS source, issue.name,
          count(*)::int AS items, max(entry.last_seen_at) AS last_seen
        FROM failed_entry entry
        JOIN issue USING (installation_id, issue_key)
        WHERE installation_id = ${installationId} AND issue.kind IN ('account', 'tax-code', 'tag')
          AND entry.last_seen_at >= ${since}
        GROUP BY installation_id, issue_key, issue.kind, issue.reference_group, issue.reference, issue.name
        ORDER BY items DESC, issue_key LIMIT ${MAX_KEYS}`),
    );
    return rows.map(({ subject, source_group, source, name, items, last_seen }) => ({
      subject,
      ...(source_group !== null && { sourceGroup: source_group }),
      source,
      ...(name !== null && { name }),
      items,
      lastSeen: last_seen,
    }));
  }

  /** Ids of the mapping rules that were used by entries sent to the ERP since then. */
  async rulesInUse(installationId: InstallationId, since: Date): Promise<ReadonlySet<string>> {
    const rows = await this.tenantDatabase.readOnce('list rules in use', installationId, (tx) =>
      tx.rows<{ rule_id: string }>(sql`
        SELECT DISTINCT unnest(rule_ids) AS rule_id FROM plan_chunk chunk
        WHERE chunk.installation_id = ${installationId} AND (export_job_id, chunk.id) IN (
          SELECT export_job_id, plan_chunk_id FROM (
            SELECT export_job_id, plan_chunk_id FROM posting_intent
            WHERE installation_id = ${installationId} AND created_at >= ${since}
            ORDER BY created_at DESC LIMIT ${MAX_ENTRIES}) recent)`),
    );
    return new Set(rows.map((row) => row.rule_id));
  }
}
