import { Injectable } from '@nestjs/common';
import { isUuid } from '../../kernel/ids.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { paginationOf, planDenseWindow, planPage, type Page } from '../paging/page.js';
import type { PageRequest, PageStart } from '../paging/page-request.js';
import { placeOfCursor, sortKeyOf, type Place } from '../paging/sorting.js';
import { badParameter } from '../wire/api-error.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import type { JobItemStatus } from './export-job.js';

/** What pages are cut from: the items of a job, all or those of a status. */
export interface JobList {
  readonly id: string;
  readonly numberOfItems: number;
  readonly status: JobItemStatus | undefined;
}

/**
 * Cuts a page of a job's items. All of them come in their order, or by id, from an index: a page costs the same wherever it
 * stands, however long the job is. Only those of a status are counted anew for each page.
 */
@Injectable()
export class ReadJobPage {
  constructor(private readonly jobItems: ExportJobItemRepository) {}

  /** @throws ApiError 400 when a cursor was made under other sorting keys */
  async run(tx: Tx, job: JobList, request: PageRequest): Promise<Page> {
    if (job.status !== undefined) {
      return planPage(await this.jobItems.keys(tx, job.id, job.status), request);
    }
    return request.sortingKeys.length === 0
      ? this.inOrder(tx, job, request)
      : this.byId(tx, job, request, request.start);
  }

  private async inOrder(tx: Tx, job: JobList, request: PageRequest): Promise<Page> {
    const window = planDenseWindow(job.numberOfItems, request);
    const rows = await this.jobItems.findWindow(tx, job.id, window);
    const places = rows.map(({ id, position }) => ({ id, sortKey: sortKeyOf(position) }));
    return { ids: rows.map(({ id }) => id), pagination: paginationOf(request, window, places) };
  }

  /** The one key a job's items can be sorted by. */
  private async byId(tx: Tx, job: JobList, request: PageRequest, start: PageStart): Promise<Page> {
    const { limit, sortingKeys, sortingOrder } = request;
    const forward = start.kind !== 'before';
    const rising = (sortingOrder[0] ?? 'ASC').startsWith('ASC') === forward;
    const hasCursor = start.kind === 'after' || start.kind === 'before';
    const from = hasCursor ? idOf(placeOfCursor(start, sortingKeys)) : null;
    const offset = start.kind === 'offset' ? start.offset : 0;
    const range = { offset, limit: limit + 1 };
    const found = await this.jobItems.idsFrom(tx, job.id, { from, rising, inclusive: false }, range);
    const before = { from, rising: !rising, inclusive: true };
    const behind = hasCursor
      ? (await this.jobItems.idsFrom(tx, job.id, before, { offset: 0, limit: 1 })).length > 0
      : offset > 0 && job.numberOfItems > 0;
    const beyond = found.length > limit;
    const shown = forward ? found.slice(0, limit) : found.slice(0, limit).toReversed();
    const places = shown.map((id) => ({ id, sortKey: JSON.stringify([id]) }));
    const { hasNextPage, hasPreviousPage } = forward
      ? { hasNextPage: beyond, hasPreviousPage: behind }
      : { hasNextPage: behind, hasPreviousPage: beyond };
    const window = { from: 0, to: 0, total: job.numberOfItems };
    return {
      ids: shown,
      pagination: { ...paginationOf(request, window, places), hasNextPage, hasPreviousPage },
    };
  }
}

function idOf({ values: [id] }: Place): string {
  if (typeof id !== 'string' || !isUuid(id)) {
    throw badParameter('the cursor is none of this list');
  }
  return id;
}
