import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Bug } from '../../kernel/faults.js';
import type { EarlierPosting, Idempotency } from './domain/idempotency.js';
import { entryNumber, entryUrl, type PostedEntry } from './domain/posting-outcome.js';
import type { PostingEntry } from './domain/posting-group.js';

export interface PostingCompany {
  readonly functionalCurrency: string;
  readonly idempotency: Idempotency;
}

/** What the books have under a key: its newest revision. */
export interface StoredGroup extends EarlierPosting {
  readonly key: string;
  readonly entries: readonly PostedEntry[];
}

export interface NewGroup {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
}

export interface NewEntry {
  readonly id: string;
  readonly groupId: string;
  readonly fiscalYear: number;
  /** Undefined for a draft. */
  readonly sequence: bigint | undefined;
  readonly content: PostingEntry;
}

/** Set-based writes of the journal: a batch costs the same few statements as one group. */
@Injectable()
export class PostingRepository {
  /** Holds other postings of this company until the transaction ends, so that keys and numbers cannot be raced for. */
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

  async findGroups(
    tx: Tx,
    companyId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, StoredGroup>> {
    const rows = await tx.rows<{
      key: string;
      revision: number;
      contentDigest: string;
      ageSeconds: number;
      entries: readonly {
        id: string;
        role: string;
        state: 'draft' | 'posted';
        year: number;
        sequence: string | null;
      }[];
    }>(sql`
      SELECT DISTINCT ON (posting_group.key) posting_group.key, revision, content_digest AS "contentDigest",
        extract(epoch FROM now() - posting_group.created_at)::float8 AS "ageSeconds",
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', entry.id, 'role', entry.role, 'state', entry.state,
            'year', entry.fiscal_year, 'sequence', entry.number::text) ORDER BY entry.id), '[]')
          FROM journal_entry entry WHERE entry.posting_group_id = posting_group.id) AS entries
      FROM posting_group
      WHERE company_id = ${companyId} AND key = ANY(${keys}::text[])
      ORDER BY posting_group.key, revision DESC`);
    return new Map(
      rows.map((row) => [
        row.key,
        {
          ...row,
          entries: row.entries.map(({ id, role, state, year, sequence }) => ({
            id,
            role,
            state,
            number: sequence === null ? null : entryNumber(year, BigInt(sequence)),
            url: entryUrl(companyId, id),
          })),
        },
      ]),
    );
  }

  /** @returns that many new ids, increasing */
  async newIds(tx: Tx, count: number): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(
      sql`SELECT time_ordered_id() AS id FROM generate_series(1, ${count}) ORDER BY id`,
    );
    return rows.map((row) => row.id);
  }

  /**
   * Takes the next numbers of a fiscal year's series.
   * @returns the first of `count` consecutive numbers; a rollback gives them back
   */
  async takeNumbers(tx: Tx, companyId: string, fiscalYear: number, count: number): Promise<bigint> {
    const row = await tx.maybeOne<{ last: bigint }>(sql`
      UPDATE fiscal_year SET last_entry_number = last_entry_number + ${count}
      WHERE company_id = ${companyId} AND year = ${fiscalYear} RETURNING last_entry_number AS last`);
    if (row === undefined) {
      throw new Bug(`company ${companyId} has periods but no fiscal year ${fiscalYear.toString()}`);
    }
    return row.last - BigInt(count) + 1n;
  }

  async insertGroups(tx: Tx, companyId: string, groups: readonly NewGroup[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO posting_group (id, company_id, key, revision, content_digest)
      SELECT new.id, ${companyId}::uuid, new.key, new.revision, new.digest
      FROM unnest(${groups.map((g) => g.id)}::uuid[], ${groups.map((g) => g.key)}::text[],
        ${groups.map((g) => g.revision)}::int[], ${groups.map((g) => g.contentDigest)}::text[])
        AS new (id, key, revision, digest)`);
  }

  async insertEntries(tx: Tx, companyId: string, entries: readonly NewEntry[]): Promise<void> {
    const content = entries.map((entry) => entry.content);
    await tx.execute(sql`
      INSERT INTO journal_entry (company_id, id, posting_group_id, fiscal_year, number, role, state, posting_date,
        document_date, due_date, document_number, currency, description, reference, settlement, metadata, line_count)
      SELECT ${companyId}::uuid, new.* FROM unnest(
        ${entries.map((e) => e.id)}::uuid[], ${entries.map((e) => e.groupId)}::uuid[],
        ${entries.map((e) => e.fiscalYear)}::int[], ${entries.map((e) => e.sequence ?? null)}::bigint[],
        ${content.map((e) => e.role)}::text[], ${content.map((e) => e.state)}::text[],
        ${content.map((e) => e.postingDate)}::date[], ${content.map((e) => e.documentDate ?? null)}::date[],
        ${content.map((e) => e.dueDate ?? null)}::date[], ${content.map((e) => e.documentNumber ?? null)}::text[],
        ${content.map((e) => e.currency)}::text[], ${content.map((e) => e.description)}::text[],
        ${content.map((e) => e.reference ?? null)}::text[], ${content.map((e) => settlementJson(e))}::jsonb[],
        ${content.map((e) => JSON.stringify(e.metadata))}::jsonb[], ${content.map((e) => e.lines.length)}::int[]
      ) AS new`);
  }

  async insertLines(tx: Tx, companyId: string, entries: readonly NewEntry[]): Promise<void> {
    const lines = entries.flatMap((entry) =>
      entry.content.lines.map((line, index) => ({
        ...line,
        entryId: entry.id,
        lineNo: index + 1,
        lineCount: entry.content.lines.length,
      })),
    );
    await tx.execute(sql`
      INSERT INTO journal_line (company_id, entry_id, line_no, line_count, account_code, amount_minor, base_minor,
        vendor_number, employee, tax_code, dimensions)
      SELECT ${companyId}::uuid, new.* FROM unnest(
        ${lines.map((l) => l.entryId)}::uuid[], ${lines.map((l) => l.lineNo)}::int[],
        ${lines.map((l) => l.lineCount)}::int[], ${lines.map((l) => l.accountCode)}::text[],
        ${lines.map((l) => l.amountMinor)}::bigint[], ${lines.map((l) => l.baseMinor)}::bigint[],
        ${lines.map((l) => l.vendorNumber ?? null)}::text[], ${lines.map((l) => l.employee ?? null)}::text[],
        ${lines.map((l) => l.taxCode ?? null)}::text[], ${lines.map((l) => JSON.stringify(l.dimensions))}::jsonb[]
      ) AS new`);
  }
}

function settlementJson(entry: PostingEntry): string | null {
  const { settlement } = entry;
  return settlement == null
    ? null
    : JSON.stringify({ ...settlement, amountMinor: settlement.amountMinor.toString() });
}
