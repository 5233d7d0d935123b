import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import type { Query } from '../wire/parse-request.js';
import { keyWindowOf, pageOfKeys, type KeyWindow, type WindowedKey } from './key-window.js';
import { inPageOrder, type Pagination } from './page.js';
import { parsePageRequest } from './page-request.js';

/** A list that is served page by page. */
export interface PagedList<Row> {
  /** What it can be sorted by. */
  readonly sortingKeys: readonly string[];
  /** Keys in default order, as many as the window says. */
  keys(window: KeyWindow): Promise<readonly WindowedKey[]>;
  /** Elements in any order. */
  rows(ids: readonly string[]): Promise<readonly Row[]>;
}

/** Serves one page of a list as its query parameters ask (wire-facts §0.2). */
@Injectable()
export class ReadPage {
  constructor(private readonly states: SimulatorStateRepository) {}

  /** @throws ApiError 400 when a paging parameter breaks its rule */
  async run<Row extends { readonly id: string }>(
    tx: Tx,
    query: Query,
    list: PagedList<Row>,
  ): Promise<{ readonly rows: readonly Row[]; readonly pagination: Pagination }> {
    const { largestPage } = await this.states.readSettings(tx);
    const request = parsePageRequest(query, largestPage, list.sortingKeys);
    const page = pageOfKeys(await list.keys(keyWindowOf(request)), request);
    return { rows: inPageOrder(page, await list.rows(page.ids)), pagination: page.pagination };
  }
}
