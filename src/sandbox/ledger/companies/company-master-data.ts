import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { startOfPage, toPage, type Page, type PageQuery, type PageStart } from '../http/page.js';
import { CompanyRepository } from './company.repository.js';

/** A list of a company that is read page by page: accounts, vendors, exchange rates and the like. */
export interface ListRepository<Row, Query extends PageQuery = PageQuery> {
  /** Names the transactions, such as `tax-codes`. */
  readonly subject: string;
  /** The fields that the list is sorted by; together they identify a row. */
  readonly sortedBy: readonly (keyof Row)[];
  page(tx: Tx, companyId: string, start: PageStart, query: Query): Promise<readonly Row[]>;
}

/** A list whose rows are replaced or added by their identifying fields. */
export interface WritableRepository<Row> {
  readonly subject: string;
  /** Whether postings rely on the rows; then a change waits for postings that are under way, and they for it. */
  readonly locksCompany?: boolean;
  upsert(tx: Tx, companyId: string, rows: readonly Row[]): Promise<void>;
}

/** Reads and writes the master data of a company, each call in a transaction of its own. */
@Injectable()
export class CompanyMasterData {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
  ) {}

  /** @throws Problem 400 for a cursor of another list */
  async readPage<Row, Query extends PageQuery>(
    repository: ListRepository<Row, Query>,
    companyId: string,
    query: Query,
  ): Promise<Page<Row>> {
    return this.database.inTransaction(`${repository.subject}.page`, (tx) =>
      readPageIn(tx, repository, companyId, query),
    );
  }

  /** @throws Problem 422 when a row breaks a rule of the schema */
  async save<Row>(repository: WritableRepository<Row>, companyId: string, rows: readonly Row[]): Promise<void> {
    const { subject, locksCompany = false } = repository;
    await mapConstraintErrors(
      this.database.inTransaction(`${subject}.put`, async (tx) => {
        if (locksCompany) {
          await this.companyRepository.lock(tx, companyId);
        }
        await repository.upsert(tx, companyId, rows);
      }),
    );
  }
}

/** @throws Problem 400 for a cursor of another list */
export async function readPageIn<Row, Query extends PageQuery>(
  tx: Tx,
  repository: ListRepository<Row, Query>,
  companyId: string,
  query: Query,
): Promise<Page<Row>> {
  const { sortedBy } = repository;
  const rows = await repository.page(tx, companyId, startOfPage(query, sortedBy.length), query);
  return toPage(query, rows, (row) => sortedBy.map((field) => String(row[field])));
}
