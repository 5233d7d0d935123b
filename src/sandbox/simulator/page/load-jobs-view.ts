import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import { ExportItemRepository } from '../exports/export-item.repository.js';
import { ExportJobItemRepository } from '../exports/export-job-item.repository.js';
import type { ExportJob } from '../exports/export-job.js';
import { ExportJobRepository } from '../exports/export-job.repository.js';
import type { ShownItem, ShownJob } from './views/job-section.js';
import { shownItem } from './new-expense.js';
import { personName } from './page-session.js';

const MAX_ITEMS = 200;
const MAX_JOBS = 5;

/** Reads the export queue and the newest jobs as the page shows them. */
@Injectable()
export class LoadJobsView {
  constructor(
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportJobItemRepository: ExportJobItemRepository,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly employeeRepository: EmployeeRepository,
  ) {}

  /** The first items of the queue, and its length. */
  async waiting(tx: Tx, companyId: string) {
    const ids = await this.exportItemRepository.waitingIds(tx, companyId);
    const items = await this.items(tx, ids.slice(0, MAX_ITEMS));
    return { waiting: [...items.values()], waitingCount: ids.length };
  }

  /** Newest first. */
  async newest(tx: Tx, companyId: string): Promise<readonly ShownJob[]> {
    const shown: ShownJob[] = [];
    for (const job of await this.exportJobRepository.findNewest(tx, companyId, MAX_JOBS)) {
      shown.push(await this.shownJob(tx, job));
    }
    return shown;
  }

  private async shownJob(tx: Tx, job: ExportJob): Promise<ShownJob> {
    const [person] = job.createdBy === null ? [] : await this.employeeRepository.findByIds(tx, [job.createdBy]);
    const results = await this.exportJobItemRepository.findWorstFirst(tx, job.id, MAX_ITEMS);
    const ids = results.map(({ id }) => id);
    const items = await this.items(tx, ids);
    return {
      job,
      startedBy: person === undefined ? undefined : personName(person),
      counts: await this.exportJobItemRepository.countByStatus(tx, job.id),
      results: results.map((result) => ({ ...result, item: items.get(result.id) })),
    };
  }

  /** In the order of the ids. */
  private async items(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, ShownItem>> {
    const stored = new Map((await this.exportItemRepository.findByIds(tx, ids)).map((item) => [item.id, item]));
    return new Map(
      ids.flatMap((id) => {
        const item = stored.get(id);
        return item === undefined ? [] : [[id, shownItem(item)] as const];
      }),
    );
  }
}
