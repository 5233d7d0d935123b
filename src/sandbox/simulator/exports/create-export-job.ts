import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { AnnounceEvent } from '../deliveries/announce-event.js';
import { ApiError } from '../wire/api-error.js';
import { JOB_LIFETIME_SECONDS } from './domain/job-state.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { ExportAccess } from './export-access.js';
import { announcedJob, type ExportJob } from './export-job.js';
import { ExportJobRepository } from './export-job.repository.js';
import { ExportItemRepository } from './export-item.repository.js';

export interface NewExport {
  readonly companyId: string;
  /** Unset: all entries in the queue. */
  readonly entryIds: readonly string[] | undefined;
  readonly version: ExportVersion;
  readonly isInteractive: boolean;
  readonly vendorBasedBookkeeping: boolean;
  readonly createdBy: string | null;
}

/** A user presses Export, or an integration asks for a job (P1.4, first row). */
@Injectable()
export class CreateExportJob {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly announceEvent: AnnounceEvent,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @throws ApiError 409 while a job of the company runs; 400 without contra accounts (version 3 only), without items
   * or with unknown ones
   */
  async create(request: NewExport): Promise<ExportJob> {
    return this.announceEvent.inTransaction('create export job', async (tx) => {
      const company = await this.exportAccess.lockCompany(tx, request.companyId);
      const running = await this.exportJobRepository.runningIds(tx, [company.id]);
      if (running.length > 0) {
        throw new ApiError(409, 'EXPORT_ALREADY_IN_PROGRESS', 'An export is already in progress for this company.');
      }
      const entryIds = request.entryIds ?? (await this.exportItemRepository.waitingIds(tx, company.id));
      this.assertItems(await this.exportItemRepository.existingIds(tx, entryIds, company.id), entryIds);
      const currencies = await this.exportItemRepository.contraCurrencies(tx, entryIds);
      if (request.version === 'v3') {
        this.exportAccess.assertContraAccounts(company, currencies);
      }
      const fresh = this.freshJob(request, entryIds.length);
      await this.exportJobRepository.add(tx, fresh, entryIds, currencies);
      await this.announceEvent.announce(tx, 'v1.export-job.created', company, announcedJob(fresh));
      return fresh;
    });
  }

  private assertItems(known: ReadonlySet<string>, entryIds: readonly string[]): void {
    const unknown = entryIds.filter((id) => !known.has(id));
    if (entryIds.length === 0 || unknown.length > 0) {
      const reason =
        unknown.length > 0 ? `unknown accounting entries: ${unknown.slice(0, 5).join(', ')}` : 'nothing to export';
      throw new ApiError(400, 'VALIDATION_FAILED', `accountingEntryIds: ${reason}`);
    }
  }

  private freshJob(request: NewExport, numberOfItems: number): ExportJob {
    const now = this.simulatorClock.now();
    return {
      id: randomUUID(),
      companyId: request.companyId,
      status: 'pending',
      isInteractive: request.isInteractive,
      vendorBasedBookkeeping: request.vendorBasedBookkeeping,
      numberOfItems,
      createdAt: now,
      createdBy: request.createdBy,
      startedAt: null,
      completedAt: null,
      expiredAt: null,
      lastUpdatedAt: now,
      expiresIn: JOB_LIFETIME_SECONDS,
      failureReason: null,
      failureReasonType: null,
    };
  }
}
