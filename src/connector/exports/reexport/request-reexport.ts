// Asks the platform for an export job of given entries. While it asks, nobody else may work on the company: the job's mapping
// version and what it may post have to be known before a worker can begin it.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { Clock } from '../../../kernel/clock.js';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { AuthorizationLost, isTransient, PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { ExportStores } from '../stores/export-stores.js';
import { toDetectedJob } from '../run/platform-job.js';
import { ReexportRepository, type DueReexport } from './reexport.repository.js';
import type { RequestReexportTask } from './reexports.tasks.js';
import { WakeCompany } from '../run/wake-company.js';

/** Another export of the company is running; it takes minutes rather than seconds. */
const BUSY_SECONDS = 15;
const LEASE_HELD_SECONDS = 3;
const NO_RESPONSE_SECONDS = 30;
const NOT_CONNECTED_SECONDS = 300;

@Injectable()
export class RequestReexport {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly reexportRepository: ReexportRepository,
    private readonly installationsService: InstallationsService,
    private readonly platformApi: PlatformApi,
    private readonly wakeCompany: WakeCompany,
    private readonly clock: Clock,
  ) {}

  /** What could not be asked for is due again later. A job too many does no harm: nothing is posted twice. */
  async requestIfCompanyFree({ installationId, id }: RequestReexportTask): Promise<void> {
    const reexport = await this.exportStores.inInstallation('find re-export', installationId, (tx) =>
      this.reexportRepository.findOpen(tx, installationId, id),
    );
    if (reexport === undefined) {
      return;
    }
    const { companyId } = reexport;
    const lease = await this.exportStores.inInstallation('claim company', installationId, (tx) =>
      this.exportStores.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      await this.postpone(installationId, id, undefined, LEASE_HELD_SECONDS);
      return;
    }
    try {
      await this.requestExportJob(installationId, reexport);
    } finally {
      await this.exportStores.inInstallation('release company', installationId, (tx) =>
        this.exportStores.companyLeaseRepository.release(tx, lease),
      );
    }
  }

  private async requestExportJob(installationId: InstallationId, reexport: DueReexport): Promise<void> {
    const { id, companyId, entryIds, vendorBasedBookkeeping } = reexport;
    const askedAt = this.platformApi.platformNow();
    await this.postpone(installationId, id, askedAt, NO_RESPONSE_SECONDS);
    try {
      const auth = this.installationsService.authorization(installationId);
      const request = { companyId, accountingEntryIds: entryIds, vendorBasedBookkeeping };
      await this.linkAndWake(installationId, reexport, await this.platformApi.createExportJob(auth, request));
    } catch (error) {
      await this.handle(error, installationId, id);
    }
  }

  private async linkAndWake(
    installationId: InstallationId,
    { id, companyId }: DueReexport,
    job: PlatformExportJob,
  ): Promise<void> {
    await this.exportStores.inInstallation('re-export has a job', installationId, async (tx) => {
      await this.exportStores.exportJobRepository.saveDetected(
        tx,
        installationId,
        [toDetectedJob(job)],
        this.clock.now(),
      );
      await this.reexportRepository.linkJob(tx, installationId, id, toExportJobId(job.id));
      await this.wakeCompany.wakeIfDue(tx, installationId, companyId);
    });
  }

  private async handle(error: unknown, installationId: InstallationId, id: string): Promise<void> {
    if (error instanceof PlatformRefusal && error.status === 409) {
      return this.postpone(installationId, id, undefined, BUSY_SECONDS, BUSY);
    }
    if (error instanceof AuthorizationLost) {
      return this.postpone(installationId, id, undefined, NOT_CONNECTED_SECONDS, NOT_CONNECTED);
    }
    if (error instanceof PlatformRefusal && !isTransient(error)) {
      const problem = `The platform makes no export of these entries: ${error.message}`;
      return this.exportStores.inInstallation('re-export is refused', installationId, (tx) =>
        this.reexportRepository.markRefused(tx, installationId, id, problem),
      );
    }
    if (!(error instanceof NoResponse) && !isTransient(error)) {
      throw error;
    }
  }

  private async postpone(
    installationId: InstallationId,
    id: string,
    askedAt: Date | undefined,
    seconds: number,
    problem?: string,
  ): Promise<void> {
    const next = { askedAt, seconds, ...(problem !== undefined && { problem }) };
    await this.exportStores.inInstallation('postpone re-export', installationId, (tx) =>
      this.reexportRepository.postpone(tx, installationId, id, next),
    );
  }
}

const BUSY = 'Another export of the company is under way: it is asked for again when that is over.';
const NOT_CONNECTED =
  'The platform does not accept the connection any more: an administrator has to connect again.';
