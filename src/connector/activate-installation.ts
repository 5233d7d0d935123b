import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../kernel/ids.js';
import { DetectExportJobs } from './exports/run/detect-export-jobs.js';
import { FinishConnection } from './installations/connect/finish-connection.js';
import { RequestScheduledSyncs } from './reference-data/request-scheduled-syncs.js';

/** Finishes a connection and requests the first synchronization of its reference data. */
@Injectable()
export class ActivateInstallation {
  constructor(
    private readonly finishConnection: FinishConnection,
    private readonly detectExportJobs: DetectExportJobs,
    private readonly requestScheduledSyncs: RequestScheduledSyncs,
  ) {}

  /** @throws the reason why the connection could not be finished; the task is tried again */
  async activate(installationId: InstallationId): Promise<void> {
    try {
      await this.finishConnection.finishConnection(installationId);
    } catch (error) {
      // A job that waits on the platform meanwhile still gets its verdict. If that fails too, the first error is enough.
      await this.detectExportJobs.detect(installationId).catch(() => 0);
      throw error;
    }
    await this.requestScheduledSyncs.requestIfDue(installationId);
  }
}
