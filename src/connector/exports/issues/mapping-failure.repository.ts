import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { KeyFailures } from '../../mapping/domain/suggestions.js';

/** Keys that are looked at for suggestions. */
const MAX_KEYS = 5_000;

interface KeyRow {
  readonly subject: KeyFailures['subject'];
  readonly source_group: string | null;
  readonly source: string;
  readonly name: string | null;
  readonly items: number;
  readonly last_seen: Date;
}

/** Which keys made items fail that a mapping rule could have helped; writes nothing. */
@Injectable()
export class MappingFailureRepository {
  /** Those that were seen since then, the most frequent first; with entries that were exported in the meantime. */
  async since(tx: Tx, installationId: InstallationId, since: Date): Promise<readonly KeyFailures[]> {
    const rows = await tx.rows<KeyRow>(sql`
      SELECT issue.kind AS subject, issue.reference_group AS source_group, issue.reference AS source, issue.name,
        count(*)::int AS items, max(entry.last_seen_at) AS last_seen
      FROM failed_entry entry
      JOIN issue USING (installation_id, issue_key)
      WHERE installation_id = ${installationId} AND issue.kind IN ('account', 'tax-code', 'tag')
        AND entry.last_seen_at >= ${since}
      GROUP BY installation_id, issue_key, issue.kind, issue.reference_group, issue.reference, issue.name
      ORDER BY items DESC, issue_key LIMIT ${MAX_KEYS}`);
    return rows.map(({ subject, source_group, source, name, items, last_seen }) => ({
      subject,
      ...(source_group !== null && { sourceGroup: source_group }),
      source,
      ...(name !== null && { name }),
      items,
      lastSeen: last_seen,
    }));
  }
}
