import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import type { Company } from '../companies/company.repository.js';
import { inPageOrder, planPage, type ListKey } from '../paging/page.js';
import { parsePageRequest } from '../paging/page-request.js';
import { ApiError } from '../wire/api-error.js';
import { queryValue, type Query } from '../wire/parse-request.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { isRunning } from './domain/job-state.js';
import { ExportAccess } from './export-access.js';
import { itemTextV2, itemTextV3 } from './export-item.js';
import type { StoredItem } from './export-item.repository.js';
import { ExportRepositories } from './export-repositories.js';

interface RunningJob {
  readonly id: string;
  readonly company: Company;
}

/** The data of the items of running jobs (wire-facts §1.2, "GET export-items"). */
@Injectable()
export class ReadExportItems {
  constructor(
    private readonly access: ExportAccess,
    private readonly exports: ExportRepositories,
    private readonly states: SimulatorStateRepository,
    private readonly database: Database,
  ) {}

  /**
   * @returns the answer as JSON text: items go out letter by letter as they came in
   * @throws ApiError 422 for a finished job, 404, 400 for missing contra accounts or an outdated version
   */
  async read(caller: Caller, version: ExportVersion, query: Query): Promise<string> {
    return this.database.inTransaction('read export items', async (tx) => {
      const { largestPage } = await this.states.readSettings(tx);
      const request = parsePageRequest(query, largestPage);
      const jobs = await this.runningJobs(tx, caller, queryValue(query, 'job_id'));
      for (const job of jobs) {
        await this.assertReadable(tx, version, job);
      }
      const keys = await this.itemKeys(tx, jobs);
      const page = planPage(keys, request);
      const companyOf = new Map(keys.map(({ id, company }) => [id, company]));
      const items = inPageOrder(page, await this.exports.items.findByIds(tx, page.ids));
      const texts = items.map((item) => itemText(version, item, companyOf.get(item.id)));
      return `{"data":[${texts.join(',')}],"pagination":${JSON.stringify(page.pagination)}}`;
    });
  }

  /** The job asked for, or without an id every running job of the caller's companies. */
  private async runningJobs(
    tx: Tx,
    caller: Caller,
    jobId: string | undefined,
  ): Promise<readonly RunningJob[]> {
    await this.access.expireDue(tx);
    if (jobId === undefined) {
      const ids = await this.exports.jobs.runningIds(tx, caller.companyIds);
      const running: RunningJob[] = [];
      for (const { id, companyId } of await this.exports.jobs.findByIds(tx, ids)) {
        running.push({ id, company: await this.access.company(tx, companyId) });
      }
      return running;
    }
    const job = await this.access.takeJob(tx, caller, jobId);
    if (!isRunning(job.status)) {
      throw new ApiError(
        422,
        'EXPORT_JOB_STATUS_UNPROCESSABLE',
        'The export job can no longer be processed.',
      );
    }
    return [{ id: job.id, company: await this.access.company(tx, job.companyId) }];
  }

  private async assertReadable(tx: Tx, version: ExportVersion, { id, company }: RunningJob): Promise<void> {
    if (version === 'v3') {
      this.access.assertContraAccounts(company, await this.exports.items.contraCurrenciesOfJobs(tx, [id]));
    } else if (company.multiCurrency) {
      throw new ApiError(
        400,
        'UNSUPPORTED_API_VERSION',
        'Multi-currency is enabled for this customer: upgrade to Export API v3 or higher.',
      );
    }
  }

  private async itemKeys(
    tx: Tx,
    jobs: readonly RunningJob[],
  ): Promise<readonly (ListKey & { readonly company: Company })[]> {
    const found: { id: string; company: Company }[] = [];
    for (const { id: jobId, company } of jobs) {
      const keys = await this.exports.jobItems.keys(tx, jobId, undefined);
      found.push(...keys.map(({ id }) => ({ id, company })));
    }
    return found.map((key, index) => ({ ...key, position: BigInt(index) }));
  }
}

function itemText(version: ExportVersion, item: StoredItem, company: Company | undefined): string {
  return version === 'v2' ? itemTextV2(item) : itemTextV3(item, company?.contraAccounts ?? {});
}
