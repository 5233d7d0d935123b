import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { SqlStatement } from '../../../foundation/database/sql.js';
import type { Caller } from '../access/caller.js';
import type { Company } from '../companies/company.repository.js';
import { ItemFiles } from '../files/item-files.js';
import { ReadPage } from '../paging/read-page.js';
import { parseUuid, queryValue, type Query } from '../wire/parse-request.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { RunningJobs } from './running-jobs.js';
import { itemTextV2, itemTextV3 } from './export-item.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import { ExportItemRepository, type StoredItem } from './export-item.repository.js';

/** The data of the items of running jobs (P1.2, "GET export-items"). */
@Injectable()
export class ReadExportItems {
  constructor(
    private readonly runningJobs: RunningJobs,
    private readonly exportJobItemRepository: ExportJobItemRepository,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly itemFiles: ItemFiles,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /**
   * @returns the response as JSON text: items are sent letter by letter as they were added
   * @throws ApiError 422 for a finished job, 404, 400 for missing contra accounts or an outdated version
   */
  async read(caller: Caller, version: ExportVersion, query: Query): Promise<string> {
    return this.database.inTransaction('read export items', async (tx) => {
      const given = queryValue(query, 'job_id');
      const jobId = given === undefined ? undefined : parseUuid('job_id', given);
      const jobs = await this.runningJobs.find(tx, caller, version, jobId);
      for (const job of jobs) {
        await this.runningJobs.assertReadable(tx, version, job);
      }
      const { rows, pagination } = await this.readPage.readPage(tx, query, {
        list: this.listOf(caller, jobId),
        total: jobs.reduce((sum, { numberOfItems }) => sum + numberOfItems, 0),
        rows: (_tx, ids) => this.exportItemRepository.findByIds(tx, ids),
      });
      const companies = new Map(jobs.map(({ company }) => [company.id, company]));
      const withFiles = await this.itemFiles.of(
        tx,
        rows.map(({ id }) => id),
      );
      const texts = rows.map((item) => withFiles(item.id, itemText(version, item, companies.get(item.companyId))));
      return `{"data":[${texts.join(',')}],"pagination":${JSON.stringify(pagination)}}`;
    });
  }

  private listOf(caller: Caller, jobId: string | undefined): SqlStatement {
    return jobId === undefined
      ? this.exportJobItemRepository.listOfRunning(caller.companyIds)
      : this.exportJobItemRepository.listOf(jobId, undefined);
  }
}

function itemText(version: ExportVersion, item: StoredItem, company: Company | undefined): string {
  return version === 'v2' ? itemTextV2(item) : itemTextV3(item, company?.contraAccounts ?? {});
}
