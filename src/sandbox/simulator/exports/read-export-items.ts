import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import type { Company } from '../companies/company.repository.js';
import { ItemFiles } from '../files/item-files.service.js';
import { ReadPage } from '../paging/read-page.js';
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
  readonly numberOfItems: number;
  readonly company: Company;
}

/** The data of the items of running jobs (P1.2, "GET export-items"). */
@Injectable()
export class ReadExportItems {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportRepositories: ExportRepositories,
    private readonly itemFiles: ItemFiles,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /**
   * @returns the answer as JSON text: items go out letter by letter as they came in
   * @throws ApiError 422 for a finished job, 404, 400 for missing contra accounts or an outdated version
   */
  async read(caller: Caller, version: ExportVersion, query: Query): Promise<string> {
    return this.database.inTransaction('read export items', async (tx) => {
      const jobId = queryValue(query, 'job_id');
      const jobs = await this.runningJobs(tx, caller, jobId);
      for (const job of jobs) {
        await this.assertReadable(tx, version, job);
      }
      const { rows, pagination } = await this.readPage.readPage(tx, query, {
        list: this.listOf(caller, jobId === undefined ? undefined : jobs[0]?.id),
        total: jobs.reduce((sum, { numberOfItems }) => sum + numberOfItems, 0),
        rows: (ids) => this.exportRepositories.exportItemRepository.findByIds(tx, ids),
      });
      const companies = new Map(jobs.map(({ company }) => [company.id, company]));
      const withFiles = await this.itemFiles.of(
        tx,
        rows.map(({ id }) => id),
      );
      const texts = rows.map((item) =>
        withFiles(item.id, itemText(version, item, companies.get(item.companyId))),
      );
      return `{"data":[${texts.join(',')}],"pagination":${JSON.stringify(pagination)}}`;
    });
  }

  /** The job asked for, or without an id every running job of the caller's companies. */
  private async runningJobs(
    tx: Tx,
    caller: Caller,
    jobId: string | undefined,
  ): Promise<readonly RunningJob[]> {
    await this.exportAccess.expireDue(tx);
    if (jobId === undefined) {
      const ids = await this.exportRepositories.exportJobRepository.runningIds(tx, caller.companyIds);
      const running: RunningJob[] = [];
      for (const {
        id,
        companyId,
        numberOfItems,
      } of await this.exportRepositories.exportJobRepository.findByIds(tx, ids)) {
        running.push({ id, numberOfItems, company: await this.exportAccess.company(tx, companyId) });
      }
      return running;
    }
    const job = await this.exportAccess.lockJob(tx, caller, jobId);
    if (!isRunning(job.status)) {
      throw new ApiError(
        422,
        'EXPORT_JOB_STATUS_UNPROCESSABLE',
        'The export job can no longer be processed.',
      );
    }
    const { id, numberOfItems } = job;
    return [{ id, numberOfItems, company: await this.exportAccess.company(tx, job.companyId) }];
  }

  private async assertReadable(tx: Tx, version: ExportVersion, { id, company }: RunningJob): Promise<void> {
    if (version === 'v3') {
      this.exportAccess.assertContraAccounts(
        company,
        await this.exportRepositories.exportJobRepository.contraCurrencies(tx, id),
      );
    } else if (company.multiCurrency) {
      throw new ApiError(
        400,
        'UNSUPPORTED_API_VERSION',
        'Multi-currency is enabled for this customer: upgrade to Export API v3 or higher.',
      );
    }
  }

  private listOf(caller: Caller, jobId: string | undefined): SqlStatement {
    const { exportJobItemRepository: jobItems } = this.exportRepositories;
    return jobId === undefined
      ? jobItems.listOfRunning(caller.companyIds)
      : jobItems.listOf(jobId, undefined);
  }
}

function itemText(version: ExportVersion, item: StoredItem, company: Company | undefined): string {
  return version === 'v2' ? itemTextV2(item) : itemTextV3(item, company?.contraAccounts ?? {});
}
