import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import type { Query } from '../wire/parse-request.js';
import { BY_ID, cursorOf, orderOf, positionOfCursor, type SortColumns } from './keyset.js';
import { echoOf, inPageOrder, type Pagination } from './page.js';
import { PageKeyRepository } from './page-key.repository.js';
import { parsePageRequest, type PageRequest } from './page-request.js';

/** A list that is served page by page. */
export interface PagedList<Row> {
  /** The list as `FROM … WHERE …`, with the columns `id` and `position`. */
  readonly list: SqlStatement;
  /** Columns that it can be sorted by; unset: the id only. */
  readonly columns?: SortColumns;
  /** How long it is, when that is known without counting. */
  readonly total?: number;
  /** Elements in any order. */
  rows(tx: Tx, ids: readonly string[]): Promise<readonly Row[]>;
}

/** A page as the platform's lists return it (P0.2). */
export interface PageResponse {
  readonly data: readonly object[];
  readonly pagination: Pagination;
}

/**
 * Serves one page of a list as its query parameters ask (P0.2). A page costs the same at any position and in any
 * order.
 */
@Injectable()
export class ReadPage {
  constructor(
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly pageKeyRepository: PageKeyRepository,
    private readonly database: Database,
  ) {}

  /**
   * Reads one page in a transaction of its own.
   * @param list the list, or a function that finds it in the same transaction
   * @param wire the wire form of one element
   * @throws ApiError 400 when a paging parameter breaks its rule
   */
  async respond<Row extends { readonly id: string }>(
    query: Query,
    list: PagedList<Row> | ((tx: Tx) => Promise<PagedList<Row>>),
    wire: (row: Row) => object,
  ): Promise<PageResponse> {
    return this.database.inTransaction('read page', async (tx) => {
      const paged = typeof list === 'function' ? await list(tx) : list;
      const { rows, pagination } = await this.readPage(tx, query, paged);
      return { data: rows.map(wire), pagination };
    });
  }

  /** @throws ApiError 400 when a paging parameter breaks its rule */
  async readPage<Row extends { readonly id: string }>(
    tx: Tx,
    query: Query,
    paged: PagedList<Row>,
  ): Promise<{ readonly rows: readonly Row[]; readonly pagination: Pagination }> {
    const { largestPage } = await this.simulatorStateRepository.readSettings(tx);
    const request = parsePageRequest(query, largestPage, Object.keys(paged.columns ?? BY_ID));
    const { ids, pagination } = await this.cut(tx, paged, request);
    return { rows: inPageOrder(ids, await paged.rows(tx, ids)), pagination };
  }

  private async cut<Row>(tx: Tx, paged: PagedList<Row>, request: PageRequest) {
    const { list, columns = BY_ID } = paged;
    const { start, limit } = request;
    const order = orderOf(request, columns);
    const forward = start.kind !== 'before';
    const offset = start.kind === 'offset' ? start.offset : 0;
    const place = 'cursor' in start ? positionOfCursor(list, order, start) : undefined;
    const total = paged.total ?? (await this.pageKeyRepository.count(tx, list));
    const range = { offset, limit: limit + 1 };
    const found = await this.pageKeyRepository.readFrom(tx, list, order, { place, forward }, range);
    const behind =
      place === undefined
        ? offset > 0 && total > 0
        : await this.pageKeyRepository.anyBehind(tx, list, order, { place, forward });
    const goesOn = found.length > limit;
    const cut = found.slice(0, limit);
    const shown = forward ? cut : cut.toReversed();
    const [first, last] = [shown[0], shown.at(-1)];
    const pagination: Pagination = {
      currentRequestPagination: echoOf(request),
      hasNextPage: forward ? goesOn : behind,
      hasPreviousPage: forward ? behind : goesOn,
      ...(first === undefined ? {} : { startCursor: cursorOf(list, order, first.place) }),
      ...(last === undefined ? {} : { endCursor: cursorOf(list, order, last.place) }),
      total,
    };
    return { ids: shown.map(({ id }) => id), pagination };
  }
}
