import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { Company } from '../companies/company.repository.js';
import { ExportAccess } from '../exports/export-access.js';
import type { ExportJob } from '../exports/export-job.js';
import { ExportRepositories } from '../exports/export-repositories.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { SimulatorConfig } from '../simulator-config.js';
import { resourceUrn } from '../wire/resource-urn.js';
import type { ExportsView, ShownResult } from './exports.page.js';
import { shownItem } from './new-expense.js';

const ITEMS_SHOWN = 200;
const JOBS_SHOWN = 5;

/** Reads what the bookkeeper's page shows: the first items and the newest jobs. */
@Injectable()
export class ReadExports {
  constructor(
    private readonly access: ExportAccess,
    private readonly exports: ExportRepositories,
    private readonly installations: InstallationRepository,
    private readonly config: SimulatorConfig,
    private readonly database: Database,
    private readonly clock: SimulatorClock,
  ) {}

  async run(company: Company, notice: string | undefined): Promise<ExportsView> {
    return this.database.inTransaction('read exports for the page', async (tx) => {
      await this.access.expireDue(tx);
      const waitingIds = await this.exports.items.waitingIds(tx, company.id);
      const newest = (await this.exports.jobs.keys(tx, [company.id], [])).slice(-JOBS_SHOWN).reverse();
      const ids = newest.map(({ id }) => id);
      const found = await this.exports.jobs.findByIds(tx, ids);
      const ordered = found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
      const jobs: ExportsView['jobs'][number][] = [];
      for (const job of ordered) {
        jobs.push({ job, results: await this.results(tx, job) });
      }
      const [redirect = this.config.publicUrl] = this.config.client.redirectUris;
      return {
        company,
        notice,
        now: this.clock.now(),
        waiting: [...(await this.items(tx, waitingIds.slice(0, ITEMS_SHOWN))).values()],
        waitingCount: waitingIds.length,
        jobs,
        installations: await this.installations.findByResource(tx, resourceUrn('company', company.id)),
        applicationUrl: new URL('/', redirect).href,
      };
    });
  }

  private async results(tx: Tx, job: ExportJob): Promise<readonly ShownResult[]> {
    const window = { from: 0, to: ITEMS_SHOWN, total: job.numberOfItems };
    const results = await this.exports.jobItems.findWindow(tx, job.id, window);
    const items = await this.items(
      tx,
      results.map(({ id }) => id),
    );
    return results.map((result) => ({ ...result, item: items.get(result.id) }));
  }

  /** In the order of the ids. */
  private async items(tx: Tx, ids: readonly string[]) {
    const stored = await this.exports.items.findByIds(tx, ids);
    const places = new Map(ids.map((id, index) => [id, index]));
    const ordered = stored.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
    return new Map(ordered.map((item) => [item.id, shownItem(item)]));
  }
}
