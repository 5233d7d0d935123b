import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
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
export const MOST_TESTS = 3;
const TESTS_WITHIN_MS = 10 * 60_000;
/** A year's close and the weeks after it can look back. */
const KEPT_MS = 400 * 24 * 3_600_000;
/** Most installations one tick takes; the rest has its turn at the next one. */
const WAKE_LIMIT = 200;

/** Tells the administrator's webhook or mailbox what a person has to do. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly settings: AlertSettingRepository,
    private readonly alerts: AlertRepository,
    private readonly installations: InstallationsService,
    private readonly saving: SaveAlertSettings,
    private readonly raising: RaiseAlerts,
    private readonly sending: SendAlerts,
    private readonly delivering: DeliverMessage,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /** Before the first save nobody is told, of anything there is. */
  async read(installationId: InstallationId): Promise<SavedAlertSettings> {
    const stored = await this.stored(installationId);
    return stored ?? { version: 0, channel: 'off', address: undefined, kinds: ALERT_KINDS };
  }

  /** @param seen version that was edited, 0 for the first */
  async save(
    installationId: InstallationId,
    seen: number,
    change: AlertSettingsChange,
  ): Promise<AlertSettingsSaved> {
    return this.saving.run(installationId, seen, change);
  }

  /** Sends a message now. @returns why it was not taken, if so; undefined when there were too many tests just now */
  async test(installationId: InstallationId): Promise<{ readonly problem?: string } | undefined> {
    const stored = await this.stored(installationId);
    if (stored === undefined || stored.channel === 'off') {
      return { problem: 'alerts are switched off' };
    }
    if (!(await this.takeTest(installationId))) {
      return undefined;
    }
    const alert = {
      id: randomUUID(),
      kind: 'test' as const,
      title: 'This is a test',
      advice: 'Nothing has happened. Alerts of this company will come here.',
      raisedAt: this.clock.now(),
    };
    const problem = await this.delivering.run(installationId, stored, { id: randomUUID(), alerts: [alert] });
    return problem === undefined ? {} : { problem };
  }

  /** Newest first. */
  async list(
    installationId: InstallationId,
    after: AlertPosition | undefined,
    limit: number,
  ): Promise<readonly AlertView[]> {
    return this.database.inInstallation('list alerts', installationId, (tx) =>
      this.alerts.list(tx, installationId, after, limit),
    );
  }

  /** Raises what has happened and sends what is due. */
  async raise(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    const stored = await this.stored(installationId);
    const installation = await this.installations.find(installationId);
    if (stored === undefined || stored.channel === 'off' || installation?.state === 'uninstalled') {
      return;
    }
    await this.raising.run(installationId, stored);
    await this.sending.run(installationId, stored, stopping);
  }

  /** Wakes a worker for each installation that wants to be told and is due. */
  async wake(): Promise<void> {
    const due = await this.database.acrossInstallations('find due alerts', (tx) =>
      this.settings.takeDue(tx, WAKE_LIMIT),
    );
    for (const installationId of due) {
      await this.database.inInstallation('wake for alerts', installationId, (tx) =>
        this.tasks.send(tx, raiseAlertsTask, { installationId }, installationId),
      );
    }
  }

  /** Forgets what is older than anybody asks for. */
  async forgetOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.database.acrossInstallations('forget old alerts', (tx) =>
      this.alerts.forgetBefore(tx, before),
    );
  }

  private async takeTest(installationId: InstallationId): Promise<boolean> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - TESTS_WITHIN_MS);
    return this.database.inInstallation('take alert test', installationId, (tx) =>
      this.settings.takeTest(tx, installationId, { most: MOST_TESTS, since, now }),
    );
  }

  private async stored(installationId: InstallationId): Promise<StoredAlertSettings | undefined> {
    return this.database.inInstallation('read alert settings', installationId, (tx) =>
      this.settings.find(tx, installationId),
    );
  }
}
