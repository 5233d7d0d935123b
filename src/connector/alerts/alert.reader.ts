import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import { AlertRepository } from './alert.repository.js';
import type { AlertPosition, AlertView } from './domain/alert-message.js';
import type { SavedAlertSettings } from './domain/alert-settings.js';
import { ALERT_KINDS } from './domain/alert.js';

@Injectable()
export class AlertReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly alertRepository: AlertRepository,
  ) {}

  /** Before the first save alerts are off, and the first choice is every kind. */
  async readSettings(installationId: InstallationId): Promise<SavedAlertSettings> {
    const stored = await this.tenantDatabase.inInstallation('read alert settings', installationId, (tx) =>
      this.alertSettingRepository.find(tx, installationId),
    );
    return stored ?? { version: 0, channel: 'off', address: undefined, kinds: ALERT_KINDS };
  }

  /** Newest first. @param after the last alert of the page before */
  async list(
    installationId: InstallationId,
    after: AlertPosition | undefined,
    limit: number,
  ): Promise<readonly AlertView[]> {
    return this.tenantDatabase.inInstallation('list alerts', installationId, (tx) =>
      this.alertRepository.list(tx, installationId, after, limit),
    );
  }
}
