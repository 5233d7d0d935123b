import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import { parseBody } from '../wire/parse-request.js';
import { isItemFailureReason, type ExportVersion } from './domain/failure-reasons.js';
import { isRunning } from './domain/job-state.js';
import { ExportAccess } from './export-access.js';
import { JOB_ITEM_STATUSES, jobItemWire, type ExportJobItem } from './export-job.js';
import { ExportJobRepository } from './export-job.repository.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';
import { ExportItemRepository } from './export-item.repository.js';

const MAX_UPDATE = 100;

/** Body of an update; which failure reasons it may give depends on the version. */
export const resultSchema = (version: ExportVersion) =>
  z.array(
    z.object({
      accountingEntryId: z.guid().transform((id) => id.toLowerCase()),
      status: z.enum(JOB_ITEM_STATUSES),
      exportedAt: z.iso
        .datetime({ offset: true, abort: true })
        .refine((time) => /^\d/.test(new Date(time).toISOString()), 'is outside the years 0 to 9999')
        .nullish(),
      externalId: z.string().nullish(),
      externalUrl: z.string().nullish(),
      failureReason: z.string().nullish(),
      failureReasonType: z
        .string()
        .refine((type) => isItemFailureReason(version, type), 'is no known failure reason type of an item')
        .nullish(),
    }),
  );
type Result = z.output<ReturnType<typeof resultSchema>>[number];

/** Records results of a job's items (P1.6). */
@Injectable()
export class UpdateJobItems {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportJobItemRepository: ExportJobItemRepository,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * Results whose item is not of the job come back in `errors`; the others are recorded nevertheless.
   * @param body a bare array of at most 100 results
   * @throws ApiError 413, 422 for a finished job, 404, 400
   */
  async update(caller: Caller, version: ExportVersion, jobId: string, body: unknown): Promise<object> {
    if (Array.isArray(body) && body.length > MAX_UPDATE) {
      throw new ApiError(
        413,
        'EXPORT_JOB_ITEMS_UPDATE_LIMIT',
        `Number of items to update is more than ${MAX_UPDATE.toString()}.`,
      );
    }
    const results = parseBody(resultSchema(version), body);
    return this.database.inTransaction('update job items', async (tx) => {
      const job = await this.exportAccess.lockJob(tx, caller, jobId);
      if (!isRunning(job.status)) {
        throw new ApiError(422, 'EXPORT_JOB_STATUS_UNPROCESSABLE', 'Export job is finished.');
      }
      const ids = results.map((result) => result.accountingEntryId);
      const ofJob = new Set((await this.exportJobItemRepository.find(tx, job.id, ids)).map(({ id }) => id));
      const ofCompany = await this.exportItemRepository.existingIds(tx, ids, job.companyId);
      const accepted = lastOfEach(results.filter((result) => ofJob.has(result.accountingEntryId)));
      await this.exportJobItemRepository.write(
        tx,
        job.id,
        accepted.map((result) => jobItem(job.id, result)),
      );
      await this.exportJobRepository.change(tx, {
        ...job,
        lastUpdatedAt: this.simulatorClock.now(),
      });
      const found = await this.exportJobItemRepository.find(tx, job.id, ids);
      const written = new Map(found.map((item) => [item.id, item]));
      const errors = results
        .filter((result) => !ofJob.has(result.accountingEntryId))
        .map(({ accountingEntryId }) => itemError(accountingEntryId, ofCompany.has(accountingEntryId)));
      const data = accepted.flatMap(({ accountingEntryId }) => written.get(accountingEntryId) ?? []);
      return { data: data.map((item) => jobItemWire(version, item)), errors };
    });
  }
}

/** An entry with two results gets the last one. */
function lastOfEach(results: readonly Result[]): readonly Result[] {
  return [...new Map(results.map((result) => [result.accountingEntryId, result])).values()];
}

function jobItem(exportJobId: string, result: Result): ExportJobItem {
  const { accountingEntryId, status, exportedAt, externalId, externalUrl } = result;
  return {
    exportJobId,
    accountingEntryId,
    status,
    exportedAt: exportedAt == null ? null : new Date(exportedAt),
    externalId: externalId ?? null,
    externalUrl: externalUrl ?? null,
    failureReason: result.failureReason ?? null,
    failureReasonType: result.failureReasonType ?? null,
  };
}

function itemError(accountingEntryId: string, isKnown: boolean): object {
  return isKnown
    ? {
        accountingEntryId,
        type: 'EXPORT_ENTRY_STATUS_UPDATE_FAILED',
        message: 'The accounting entry is not part of this export job.',
      }
    : {
        accountingEntryId,
        type: 'ACCOUNTING_ENTRY_DOES_NOT_EXIST',
        message: 'The accounting entry does not exist.',
      };
}
