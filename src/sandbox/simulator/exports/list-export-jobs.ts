import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { ReadPage } from '../paging/read-page.js';
import { badParameter } from '../wire/api-error.js';
import { parseUuid, queryList, queryValue, type Query } from '../wire/parse-request.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { JOB_STATUSES } from './domain/job-state.js';
import { ExportAccess } from './export-access.js';
import { JOB_ITEM_STATUSES, jobItemWire, jobWire, type ExportJob } from './export-job.js';
import { ExportRepositories } from './export-repositories.js';

/** Reads jobs and the state of their items (P1.2). */
@Injectable()
export class ListExportJobs {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportRepositories: ExportRepositories,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 400 for an unknown status, 403 for a foreign company */
  async jobs(caller: Caller, version: ExportVersion, query: Query): Promise<object> {
    const company = queryValue(query, 'company_id');
    const companyIds = companiesOf(
      caller,
      company === undefined ? undefined : parseUuid('company_id', company),
    );
    const deprecated = version === 'v2' ? queryList(query, 'status') : [];
    const statuses = known(JOB_STATUSES, 'statuses', [...queryList(query, 'statuses'), ...deprecated]);
    return this.database.inTransaction('list export jobs', async (tx) => {
      await this.exportAccess.expireDue(tx);
      const { rows, pagination } = await this.readPage.readPage(tx, query, {
        list: this.exportRepositories.exportJobRepository.listOf(companyIds, statuses),
        rows: (ids) => this.exportRepositories.exportJobRepository.findByIds(tx, ids),
      });
      return { data: rows.map((job) => jobWire(version, job)), pagination };
    });
  }

  /** @throws ApiError 404 */
  async job(caller: Caller, jobId: string): Promise<ExportJob> {
    return this.database.inTransaction('get export job', (tx) =>
      this.exportAccess.lockJob(tx, caller, jobId),
    );
  }

  /** @throws ApiError 404, or 400 for an unknown status */
  async jobItems(caller: Caller, version: ExportVersion, jobId: string, query: Query): Promise<object> {
    const [status] = known(JOB_ITEM_STATUSES, 'status', [queryValue(query, 'status') ?? []].flat());
    return this.database.inTransaction('list job items', async (tx) => {
      const job = await this.exportAccess.lockJob(tx, caller, jobId);
      const { rows, pagination } = await this.readPage.readPage(tx, query, {
        list: this.exportRepositories.exportJobItemRepository.listOf(job.id, status),
        ...(status === undefined ? { total: job.numberOfItems } : {}),
        rows: (ids) => this.exportRepositories.exportJobItemRepository.find(tx, job.id, ids),
      });
      return { data: rows.map((item) => jobItemWire(version, item)), pagination };
    });
  }
}

function known<Status extends string>(
  statuses: readonly Status[],
  name: string,
  given: readonly string[],
): readonly Status[] {
  const found = statuses.filter((status) => given.includes(status));
  if (!given.every((status) => statuses.some((each) => each === status))) {
    throw badParameter(`${name}: may be ${statuses.join(', ')}`);
  }
  return found;
}
