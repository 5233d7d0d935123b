import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { WakeDue } from '../runs/wake-due.js';
import { AlertSettingRepository, type StoredAlertSettings } from './alert-setting.repository.js';
import { AlertRepository, type AlertPosition, type AlertView } from './alert.repository.js';
import { raiseAlertsTask } from './alerts.tasks.js';
import { DeliverMessage } from './deliver-message.js';
import { ALERT_KINDS } from './domain/alert.js';
import type { SavedAlertSettings } from './domain/alert-settings.js';
import { RaiseAlerts } from './raise-alerts.js';
import {
  SaveAlertSettings,
  type AlertSettingsChange,
  type AlertSettingsSaved,
} from './save-alert-settings.js';
import { SendAlerts } from './send-alerts.js';

export type { AlertView } from './alert.repository.js';

/** A test goes to whatever address is set: nobody's mailbox is to be filled with them. */
export const MAX_TESTS = 3;
const TESTS_WITHIN_MS = 10 * 60_000;
/** A year's close and the weeks after it can look back. */
const RETENTION_MS = 400 * 24 * 3_600_000;

/** Tells the administrator's webhook or mailbox what a person has to do. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly alertRepository: AlertRepository,
    private readonly installationReader: InstallationReader,
    private readonly saveAlertSettings: SaveAlertSettings,
    private readonly raiseAlerts: RaiseAlerts,
    private readonly sendAlerts: SendAlerts,
    private readonly deliverMessage: DeliverMessage,
    private readonly wakeDue: WakeDue,
    private readonly clock: Clock,
  ) {}

  /** Before the first save nobody is told, of anything there is. */
  async read(installationId: InstallationId): Promise<SavedAlertSettings> {
    const stored = await this.loadSettings(installationId);
    return stored ?? { version: 0, channel: 'off', address: undefined, kinds: ALERT_KINDS };
  }

  /** @param seen version that was edited, 0 for the first */
  async save(
    installationId: InstallationId,
    seen: number,
    change: AlertSettingsChange,
  ): Promise<AlertSettingsSaved> {
    return this.saveAlertSettings.saveSettings(installationId, seen, change);
  }

  /** Sends a message now. @returns why it was not taken, if so; undefined when there were too many tests just now */
  async test(installationId: InstallationId): Promise<{ readonly problem?: string } | undefined> {
    const stored = await this.loadSettings(installationId);
    if (stored === undefined || stored.channel === 'off') {
      return { problem: 'alerts are switched off' };
    }
    if (!(await this.recordTest(installationId))) {
      return undefined;
    }
    const alert = {
      id: randomUUID(),
      kind: 'test' as const,
      title: 'This is a test',
      advice: 'Nothing has happened. Alerts of this company will come here.',
      raisedAt: this.clock.now(),
    };
    const problem = await this.deliverMessage.deliver(installationId, stored, {
      id: randomUUID(),
      alerts: [alert],
    });
    return problem === undefined ? {} : { problem };
  }

  /** Newest first. */
  async list(
    installationId: InstallationId,
    after: AlertPosition | undefined,
    limit: number,
  ): Promise<readonly AlertView[]> {
    return this.tenantDatabase.inInstallation('list alerts', installationId, (tx) =>
      this.alertRepository.list(tx, installationId, after, limit),
    );
  }

  /** Raises what has happened and sends what is due. */
  async raise(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    const stored = await this.loadSettings(installationId);
    const installation = await this.installationReader.find(installationId);
    if (stored === undefined || stored.channel === 'off' || installation?.state === 'uninstalled') {
      return;
    }
    await this.raiseAlerts.raiseAlerts(installationId, stored);
    await this.sendAlerts.sendDue(installationId, stored, stopping);
  }

  /** Wakes a worker for each installation that wants to be told and is due. */
  async wake(): Promise<void> {
    await this.wakeDue.wakeInstallations(
      'alerts',
      (tx, limit) => this.alertSettingRepository.claimDue(tx, limit),
      raiseAlertsTask,
    );
  }

  /** Forgets what is older than anybody asks for. */
  async deleteOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    await this.tenantDatabase.acrossInstallations('forget old alerts', (tx) =>
      this.alertRepository.deleteBefore(tx, before),
    );
  }

  private async recordTest(installationId: InstallationId): Promise<boolean> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - TESTS_WITHIN_MS);
    return this.tenantDatabase.inInstallation('take alert test', installationId, (tx) =>
      this.alertSettingRepository.recordTest(tx, installationId, { most: MAX_TESTS, since, now }),
    );
  }

  private async loadSettings(installationId: InstallationId): Promise<StoredAlertSettings | undefined> {
    return this.tenantDatabase.inInstallation('read alert settings', installationId, (tx) =>
      this.alertSettingRepository.find(tx, installationId),
    );
  }
}
