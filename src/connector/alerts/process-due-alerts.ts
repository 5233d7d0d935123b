import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import { RaiseAlerts } from './raise-alerts.js';
import { SendAlerts } from './send-alerts.js';

@Injectable()
export class ProcessDueAlerts {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly installationReader: InstallationReader,
    private readonly raiseAlerts: RaiseAlerts,
    private readonly sendAlerts: SendAlerts,
  ) {}

  /**
   * Raises alerts for new facts and sends the messages that are due.
   * @param stopping fires when the process stops
   */
  async processDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    const settings = await this.tenantDatabase.readOnce('read alert settings', installationId, (tx) =>
      this.alertSettingRepository.find(tx, installationId),
    );
    const installation = await this.installationReader.find(installationId);
    if (settings === undefined || settings.channel === 'off' || installation?.state === 'uninstalled') {
      return;
    }
    await this.raiseAlerts.raiseAlerts(installationId, settings);
    await this.sendAlerts.sendDue(installationId, stopping);
  }
}
