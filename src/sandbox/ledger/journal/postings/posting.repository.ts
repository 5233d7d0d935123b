import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { EarlierPosting, Idempotency } from '../domain/idempotency.js';
import type { PostedEntry, PostingWarning } from '../domain/posting-outcome.js';
import { postedEntry, type EntryRow } from '../entry-row.js';

export interface PostingCompany {
  readonly functionalCurrency: string;
  readonly idempotency: Idempotency;
}

/** The newest revision under a key. */
export interface StoredGroup extends EarlierPosting {
  readonly id: string;
  readonly key: string;
  readonly entries: readonly PostedEntry[];
  readonly warnings: readonly PostingWarning[];
}

export interface NewGroup {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
}

/** Set-based writes of the journal: a batch costs the same few statements as one group. */
@Injectable()
export class PostingRepository {
  /** Other postings of this company wait until the transaction ends, so that keys and numbers have no races. */
  async lockCompany(tx: Tx, companyId: string): Promise<PostingCompany> {
    const row = await tx.one<{
      functionalCurrency: string;
      mode: Idempotency['mode'];
      seconds: number | null;
    }>(sql`
      SELECT functional_currency AS "functionalCurrency", idempotency AS mode, idempotency_seconds AS seconds
      FROM company WHERE id = ${companyId} FOR NO KEY UPDATE`);
    const { functionalCurrency, mode } = row;
    return {
      functionalCurrency,
      idempotency: mode === 'short' ? { mode, seconds: row.seconds ?? 0 } : { mode },
    };
  }

  /**
   * The newest revision under each of the keys.
   * @param options.minAgeSeconds leaves out what is younger: the lag of a company's search
   */
  async findGroups(
    tx: Tx,
    companyId: string,
    keys: readonly string[],
    options: { readonly minAgeSeconds: number } = { minAgeSeconds: 0 },
  ): Promise<ReadonlyMap<string, StoredGroup>> {
    const rows = await tx.rows<Omit<StoredGroup, 'entries'> & { readonly entries: readonly EntryRow[] }>(sql`
      SELECT DISTINCT ON (posting_group.key) posting_group.id, posting_group.key, revision, content_digest AS "contentDigest",
        extract(epoch FROM now() - posting_group.created_at)::float8 AS "ageSeconds", entries, warnings,
        NOT jsonb_path_exists(entries, '$[*] ? (@.state == "draft" || @.state == "posted")') AS reversed
      FROM posting_group
      CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object('id', entry.id, 'role', entry.role,
            'state', CASE WHEN reversal.id IS NULL THEN entry.state ELSE 'reversed' END,
            'year', entry.fiscal_year, 'sequence', entry.number::text,
            'reversal', CASE WHEN reversal.id IS NOT NULL THEN jsonb_build_object('id', reversal.id, 'year', reversal.fiscal_year,
              'sequence', reversal.number::text, 'postingDate', reversal.posting_date) END) ORDER BY entry.id), '[]') AS entries
          FROM journal_entry entry LEFT JOIN journal_entry reversal ON reversal.reverses_id = entry.id
          WHERE entry.posting_group_id = posting_group.id AND entry.role NOT IN ('reversal', 'realized-fx', 'transfer')) AS entry
      CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object('code', code, 'message', message)
            ORDER BY warning_no), '[]') AS warnings
          FROM posting_warning WHERE posting_group_id = posting_group.id) AS warning
      WHERE company_id = ${companyId} AND key = ANY(${keys}::text[])
        AND posting_group.created_at <= now() - make_interval(secs => ${options.minAgeSeconds})
      ORDER BY posting_group.key, revision DESC`);
    return new Map(
      rows.map(({ entries, ...row }) => [
        row.key,
        { ...row, entries: entries.map((entry) => postedEntry(companyId, entry)) },
      ]),
    );
  }

  /** Seconds after which a look-up by key shows a posting. */
  async searchLag(tx: Tx, companyId: string): Promise<number> {
    const row = await tx.one<{ readonly seconds: number }>(sql`
      SELECT search_lag_seconds AS seconds FROM company WHERE id = ${companyId}`);
    return row.seconds;
  }

  async insertGroups(tx: Tx, companyId: string, groups: readonly NewGroup[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO posting_group (id, company_id, key, revision, content_digest)
      SELECT new.id, ${companyId}::uuid, new.key, new.revision, new.digest
      FROM unnest(${groups.map((g) => g.id)}::uuid[], ${groups.map((g) => g.key)}::text[],
        ${groups.map((g) => g.revision)}::int[], ${groups.map((g) => g.contentDigest)}::text[])
        AS new (id, key, revision, digest)`);
  }
}
