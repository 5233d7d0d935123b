import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { InstallationRepository } from './installation.repository.js';
import { SubscriptionRepository } from './subscription/subscription.repository.js';

/** After a longer gap a webhook may have been missed; its next attempt is minutes or hours away. */
const MAX_INTAKE_GAP_SECONDS = 30;
/** Of the two minutes within which every company is polled, half a minute is left for the queue and the request budget. */
const POLL_ALL_WITHIN_SECONDS = 90;
/** After a longer gap the platform may have disabled our subscriptions. */
const LONG_INTAKE_GAP_SECONDS = 600;
const MAINTAIN_ALL_WITHIN_SECONDS = 900;

/** Records that the webhook intake is up, and catches up after a gap (F1). */
@Injectable()
export class RecordIntake {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
  ) {}

  async record(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('record intake', async (tx) => {
      const gap = await this.installationRepository.recordIntakeHeartbeat(tx);
      if (gap !== undefined && gap > MAX_INTAKE_GAP_SECONDS) {
        await this.installationRepository.schedulePollsWithin(tx, POLL_ALL_WITHIN_SECONDS);
      }
      if (gap !== undefined && gap > LONG_INTAKE_GAP_SECONDS) {
        await this.subscriptionRepository.scheduleMaintenanceWithin(tx, MAINTAIN_ALL_WITHIN_SECONDS);
      }
    });
  }
}
