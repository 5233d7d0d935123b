import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import type { InstallationId } from '../kernel/ids.js';
import { ConnectorConfig } from './connector-config.js';
import { DetectExportJobs } from './exports/run/detect-export-jobs.js';
import { InstallationRepository } from './installations/installation.repository.js';
import { AuthorizationLost } from './platform/platform-error.js';

/** While an export is under way another one is likely (F1). */
const POLL_SECONDS_WITH_OPEN_JOBS = 120;

/** Polls the platform for the open jobs of one installation and sets when the next poll is due. */
@Injectable()
export class PollInstallation {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly detectExportJobs: DetectExportJobs,
    private readonly connectorConfig: ConnectorConfig,
  ) {}

  /**
   * Does nothing without a valid authorization: when a person has connected the company again, a poll is due at once.
   * @throws PlatformRefusal, NoResponse; the next poll is then due soon
   */
  async poll(installationId: InstallationId): Promise<void> {
    const begun = await this.tenantDatabase.writeOnce('begin poll', installationId, (tx) =>
      this.installationRepository.beginPoll(tx, installationId),
    );
    const openJobs = await this.detect(installationId);
    if (openJobs === undefined) {
      return;
    }
    const { pollSeconds } = this.connectorConfig;
    const seconds = openJobs === 0 ? pollSeconds : Math.min(pollSeconds, POLL_SECONDS_WITH_OPEN_JOBS);
    await this.tenantDatabase.writeOnce('end poll', installationId, (tx) =>
      this.installationRepository.endPoll(tx, installationId, begun, seconds),
    );
  }

  /** @returns how many jobs are open; undefined without a valid authorization */
  private async detect(installationId: InstallationId): Promise<number | undefined> {
    try {
      return await this.detectExportJobs.detect(installationId);
    } catch (error) {
      // Tried again, it would fail as often as a task may, and be shown to the operator, who cannot help.
      if (error instanceof AuthorizationLost) {
        return undefined;
      }
      throw error;
    }
  }
}
