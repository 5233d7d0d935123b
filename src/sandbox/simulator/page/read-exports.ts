import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import { ExportAccess } from '../exports/export-access.js';
import type { ExportJob } from '../exports/export-job.js';
import { ExportRepositories } from '../exports/export-repositories.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { SimulatorConfig } from '../simulator-config.js';
import { resourceUrn } from '../wire/resource-urn.js';
import type { ExportsView } from './exports.page.js';
import type { ShownJob } from './job-section.js';
import { shownItem } from './new-expense.js';
import { personName, type Visitor } from './page-session.js';

const ITEMS_SHOWN = 200;
const JOBS_SHOWN = 5;

/** Reads what the bookkeeper's page shows: the first items and the newest jobs. */
@Injectable()
export class ReadExports {
  constructor(
    private readonly access: ExportAccess,
    private readonly exports: ExportRepositories,
    private readonly employees: EmployeeRepository,
    private readonly installations: InstallationRepository,
    private readonly config: SimulatorConfig,
    private readonly database: Database,
    private readonly clock: SimulatorClock,
  ) {}

  async run(visitor: Visitor, notice: string | undefined): Promise<ExportsView> {
    const { company } = visitor;
    return this.database.inTransaction('read exports for the page', async (tx) => {
      await this.access.expireDue(tx);
      const waitingIds = await this.exports.items.waitingIds(tx, company.id);
      const jobs: ShownJob[] = [];
      for (const job of await this.exports.jobs.findNewest(tx, company.id, JOBS_SHOWN)) {
        jobs.push(await this.shownJob(tx, job));
      }
      return {
        visitor,
        notice,
        now: this.clock.now(),
        waiting: [...(await this.items(tx, waitingIds.slice(0, ITEMS_SHOWN))).values()],
        waitingCount: waitingIds.length,
        jobs,
        installations: await this.installations.findByResource(tx, resourceUrn('company', company.id)),
        initiationUrl: this.config.initiationUrl,
      };
    });
  }

  private async shownJob(tx: Tx, job: ExportJob): Promise<ShownJob> {
    const [person] = job.createdBy === null ? [] : await this.employees.findByIds(tx, [job.createdBy]);
    const results = await this.exports.jobItems.findWorstFirst(tx, job.id, ITEMS_SHOWN);
    const items = await this.items(
      tx,
      results.map(({ id }) => id),
    );
    return {
      job,
      startedBy: person === undefined ? undefined : personName(person),
      counts: await this.exports.jobItems.countByStatus(tx, job.id),
      results: results.map((result) => ({ ...result, item: items.get(result.id) })),
    };
  }

  /** In the order of the ids. */
  private async items(tx: Tx, ids: readonly string[]) {
    const stored = await this.exports.items.findByIds(tx, ids);
    const places = new Map(ids.map((id, index) => [id, index]));
    const ordered = stored.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
    return new Map(ordered.map((item) => [item.id, shownItem(item)]));
  }
}
