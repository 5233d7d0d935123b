import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../kernel/ids.js';
import { ConnectorConfig } from './connector-config.js';
import { DetectExportJobs } from './exports/run/detect-export-jobs.js';
import { InstallationsService } from './installations/installations.service.js';

/** While an export is in progress another one is likely (F1). */
const POLL_SECONDS_WITH_OPEN_JOBS = 120;

/** Polls the platform for the open jobs of one installation and sets when the next poll is due. */
@Injectable()
export class PollInstallation {
  constructor(
    private readonly installationsService: InstallationsService,
    private readonly detectExportJobs: DetectExportJobs,
    private readonly connectorConfig: ConnectorConfig,
  ) {}

  /** @throws PlatformRefusal, NoResponse, AuthorizationLost; the next poll is then due soon */
  async poll(installationId: InstallationId): Promise<void> {
    await this.installationsService.poll(installationId, async () => {
      const openJobs = await this.detectExportJobs.detect(installationId);
      const { pollSeconds } = this.connectorConfig;
      return openJobs === 0 ? pollSeconds : Math.min(pollSeconds, POLL_SECONDS_WITH_OPEN_JOBS);
    });
  }
}
