import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { companiesOfQuery } from '../companies/company-access.js';
import { ReadPage } from '../paging/read-page.js';
import { badParameter } from '../wire/api-error.js';
import { queryList, queryValue, type Query } from '../wire/parse-request.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { JOB_STATUSES } from './domain/job-state.js';
import { ExportAccess } from './export-access.js';
import { JOB_ITEM_STATUSES, jobItemWire, jobWire, type ExportJob } from './export-job.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import { ExportJobRepository } from './export-job.repository.js';

/** Reads jobs and the state of their items (P1.2). */
@Injectable()
export class ListExportJobs {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportJobItemRepository: ExportJobItemRepository,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 400 for an unknown status, 403 for a foreign company */
  async jobs(caller: Caller, version: ExportVersion, query: Query): Promise<object> {
    const companyIds = companiesOfQuery(caller, query);
    const deprecated = version === 'v2' ? queryList(query, 'status') : [];
    const statuses = known(JOB_STATUSES, 'statuses', [...queryList(query, 'statuses'), ...deprecated]);
    const list = async (tx: Tx) => {
      await this.exportAccess.expireDue(tx);
      return this.exportJobRepository.listOf(companyIds, statuses);
    };
    return this.readPage.respond(query, list, (job) => jobWire(version, job));
  }

  /** @throws ApiError 404 */
  async job(caller: Caller, jobId: string): Promise<ExportJob> {
    return this.database.inTransaction('get export job', (tx) => this.exportAccess.lockJob(tx, caller, jobId));
  }

  /** @throws ApiError 404, or 400 for an unknown status */
  async jobItems(caller: Caller, version: ExportVersion, jobId: string, query: Query): Promise<object> {
    const [status] = known(JOB_ITEM_STATUSES, 'status', [queryValue(query, 'status') ?? []].flat());
    const list = async (tx: Tx) => {
      const job = await this.exportAccess.lockJob(tx, caller, jobId);
      return {
        list: this.exportJobItemRepository.listOf(job.id, status),
        ...(status === undefined ? { total: job.numberOfItems } : {}),
        rows: (_tx: Tx, ids: readonly string[]) => this.exportJobItemRepository.find(tx, job.id, ids),
      };
    };
    return this.readPage.respond(query, list, (item) => jobItemWire(version, item));
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
