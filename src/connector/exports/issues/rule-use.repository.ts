import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';

/** Entries whose decisions are searched, newest first: more would take longer than a request may. */
const MAX_ENTRIES = 10_000;

/** Which mapping rules decided what was posted; writes nothing. */
@Injectable()
export class RuleUseRepository {
  async since(tx: Tx, installationId: InstallationId, since: Date): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ rule_id: string }>(sql`
      SELECT DISTINCT decided.rule #>> '{}' AS rule_id
      FROM (
        SELECT plan FROM posting_intent WHERE installation_id = ${installationId} AND created_at >= ${since}
        ORDER BY created_at DESC LIMIT ${MAX_ENTRIES}
      ) recent
      CROSS JOIN LATERAL jsonb_path_query(plan, '$.**.decision ? (@.by == "rule").ruleId') AS decided (rule)`);
    return new Set(rows.map((row) => row.rule_id));
  }
}
