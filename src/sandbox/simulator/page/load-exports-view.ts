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
export class LoadExportsView {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportRepositories: ExportRepositories,
    private readonly employeeRepository: EmployeeRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly simulatorConfig: SimulatorConfig,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  async loadView(visitor: Visitor, notice: string | undefined): Promise<ExportsView> {
    const { company } = visitor;
    return this.database.inTransaction('read exports for the page', async (tx) => {
      await this.exportAccess.expireDue(tx);
      const waitingIds = await this.exportRepositories.exportItemRepository.waitingIds(tx, company.id);
      const jobs: ShownJob[] = [];
      for (const job of await this.exportRepositories.exportJobRepository.findNewest(
        tx,
        company.id,
        JOBS_SHOWN,
      )) {
        jobs.push(await this.shownJob(tx, job));
      }
      return {
        visitor,
        notice,
        now: this.simulatorClock.now(),
        waiting: [...(await this.items(tx, waitingIds.slice(0, ITEMS_SHOWN))).values()],
        waitingCount: waitingIds.length,
        jobs,
        installations: await this.installationRepository.findByResource(
          tx,
          resourceUrn('company', company.id),
        ),
        initiationUrl: this.simulatorConfig.initiationUrl,
      };
    });
  }

  private async shownJob(tx: Tx, job: ExportJob): Promise<ShownJob> {
    const [person] =
      job.createdBy === null ? [] : await this.employeeRepository.findByIds(tx, [job.createdBy]);
    const results = await this.exportRepositories.exportJobItemRepository.findWorstFirst(
      tx,
      job.id,
      ITEMS_SHOWN,
    );
    const items = await this.items(
      tx,
      results.map(({ id }) => id),
    );
    return {
      job,
      startedBy: person === undefined ? undefined : personName(person),
      counts: await this.exportRepositories.exportJobItemRepository.countByStatus(tx, job.id),
      results: results.map((result) => ({ ...result, item: items.get(result.id) })),
    };
  }

  /** In the order of the ids. */
  private async items(tx: Tx, ids: readonly string[]) {
    const stored = await this.exportRepositories.exportItemRepository.findByIds(tx, ids);
    const places = new Map(ids.map((id, index) => [id, index]));
    const ordered = stored.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
    return new Map(ordered.map((item) => [item.id, shownItem(item)]));
  }
}
