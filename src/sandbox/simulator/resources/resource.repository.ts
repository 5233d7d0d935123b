import { sql, sqlList, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

/** What every resource of a company has. */
interface Resource {
  readonly id: string;
  readonly companyId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type ColumnType = 'boolean' | 'jsonb' | 'numeric' | 'text' | 'timestamptz' | 'uuid';

export interface ResourceTable<Row> {
  readonly name: string;
  /** Each field of its own with the type of its column, which has the field's name in snake case. */
  readonly columns: Readonly<Record<Exclude<keyof Row & string, keyof Resource>, ColumnType>>;
  /** What no two rows have the same besides the id, as a conflict target. */
  readonly key?: string;
}

const COMMON_COLUMNS = { id: 'uuid', companyId: 'uuid', createdAt: 'timestamptz', updatedAt: 'timestamptz' } as const;

/** Reads and writes the rows of one table as they are in memory. A number of any precision is a decimal text there. */
export abstract class ResourceRepository<Row extends Resource> {
  private readonly table: SqlStatement;
  private readonly names: SqlStatement;
  private readonly selected: SqlStatement;
  private readonly typed: SqlStatement;
  private readonly onConflict: SqlStatement;

  /** @param table literals of the code: they become part of the statements */
  protected constructor({ name, columns, key }: ResourceTable<Row>) {
    const fields = Object.entries<ColumnType>({ ...COMMON_COLUMNS, ...columns });
    const listed = (textOf: (field: string, type: ColumnType) => string) =>
      sqlList(fields.map(([field, type]) => sql([textOf(field, type)])));
    this.table = sql([name]);
    this.names = listed(snakeCase);
    this.selected = listed((field, type) => `${snakeCase(field)}${type === 'numeric' ? '::text' : ''} AS "${field}"`);
    this.typed = listed((field, type) => `"${field}" ${type}`);
    this.onConflict = sql([key === undefined ? '' : `ON CONFLICT ${key} DO NOTHING`]);
  }

  /** Adds the rows whose key is free. @returns ids of the added ones */
  async add(tx: Tx, rows: readonly Row[]): Promise<ReadonlySet<string>> {
    const added = await tx.rows<{ id: string }>(sql`
      INSERT INTO ${this.table} (${this.names})
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS fresh (${this.typed})
      ${this.onConflict} RETURNING id`);
    return new Set(added.map(({ id }) => id));
  }

  /** In the order of creation. */
  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Row[]> {
    return tx.rows<Row>(sql`
      SELECT ${this.selected} FROM ${this.table} WHERE id = ANY(${ids}::uuid[]) ORDER BY position`);
  }

  /** Locked, for a change may follow. */
  async findForUpdate(tx: Tx, companyIds: readonly string[], id: string): Promise<Row | undefined> {
    await tx.execute(sql`
      SELECT FROM ${this.table} WHERE id = ${id} AND company_id = ANY(${companyIds}::uuid[]) FOR UPDATE`);
    const [row] = await this.findByIds(tx, [id]);
    return row !== undefined && companyIds.includes(row.companyId) ? row : undefined;
  }

  async change(tx: Tx, changed: Row): Promise<void> {
    await tx.execute(sql`
      UPDATE ${this.table} SET (${this.names}) = (
        SELECT fresh.* FROM jsonb_to_record(${JSON.stringify(changed)}::jsonb) AS fresh (${this.typed}))
      WHERE id = ${changed.id}`);
  }

  /** With what belongs to them. */
  async remove(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.execute(sql`DELETE FROM ${this.table} WHERE id = ANY(${ids}::uuid[])`);
  }
}

function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
