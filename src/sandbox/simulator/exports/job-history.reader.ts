import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { ExportAccess } from './export-access.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import { jobItemWire, jobWire } from './export-job.js';
import { ExportJobRepository } from './export-job.repository.js';

const MAX_EVENTS = 1_000;

/** Reads jobs of any company with everything that happened to them. */
@Injectable()
export class JobHistoryReader {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportJobItemRepository: ExportJobItemRepository,
    private readonly database: Database,
  ) {}

  /** @returns the company of a job in a list; empty for an unknown job */
  async companyIdsOf(jobId: string): Promise<readonly string[]> {
    const jobs = await this.database.inTransaction('find job', (tx) => this.exportJobRepository.findByIds(tx, [jobId]));
    return jobs.map((job) => job.companyId);
  }

  /** A job with the result of every item and every event in the order of acceptance. @throws ApiError 404 */
  async show(jobId: string): Promise<object> {
    const companyIds = await this.companyIdsOf(jobId);
    return this.database.inTransaction('show job', async (tx) => {
      const job = await this.exportAccess.lockJob(tx, { companyIds }, jobId);
      const items = await this.exportJobItemRepository.findAll(tx, job.id);
      const events = await this.exportJobRepository.readEvents(tx, job.id, MAX_EVENTS);
      return { job: jobWire('v3', job), items: items.map((item) => jobItemWire('v3', item)), events };
    });
  }

  /** @param jobId unset: of all jobs */
  async events(jobId: string | undefined): Promise<object> {
    return this.database.inTransaction('show job events', (tx) =>
      this.exportJobRepository.readEvents(tx, jobId, MAX_EVENTS),
    );
  }
}
