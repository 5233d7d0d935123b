// Sends the messages that are due, each at least once and with one id; after the last attempt a message is given up, and
// the history of alerts shows it.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { toStoredText } from '../../kernel/message.js';
import { AlertSettingRepository, type StoredAlertSettings } from './alert-setting.repository.js';
import { AlertRepository, type DueMessage } from './alert.repository.js';
import { countAlertMessage } from './alerts.metrics.js';
import { DeliverMessage } from './deliver-message.js';
import { pauseAfter } from './domain/plan-messages.js';

/** Longer than any attempt takes. */
const ATTEMPT_MS = 60_000;
/** Messages per task: other installations wait for the worker. */
const MAX_MESSAGES_PER_RUN = 20;

@Injectable()
export class SendAlerts {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly alertRepository: AlertRepository,
    private readonly deliverMessage: DeliverMessage,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** A slow receiver takes minutes: each message goes where the settings say by then. */
  async sendDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    for (let sent = 0; sent < MAX_MESSAGES_PER_RUN && !stopping.aborted; sent += 1) {
      const settings = await this.tenantDatabase.readOnce('read alert settings', installationId, (tx) =>
        this.alertSettingRepository.find(tx, installationId),
      );
      if (settings === undefined || settings.channel === 'off') {
        return;
      }
      const message = await this.claimDue(installationId);
      if (message === undefined) {
        return;
      }
      await this.attempt(installationId, settings, message);
    }
  }

  private async claimDue(installationId: InstallationId): Promise<DueMessage | undefined> {
    const now = this.clock.now();
    const again = new Date(now.getTime() + ATTEMPT_MS);
    return this.tenantDatabase.writeOnce('take alert message', installationId, (tx) =>
      this.alertRepository.claimDue(tx, installationId, now, again),
    );
  }

  private async attempt(
    installationId: InstallationId,
    settings: StoredAlertSettings,
    { id, attempts }: DueMessage,
  ): Promise<void> {
    const alerts = await this.tenantDatabase.readOnce('read alert message', installationId, (tx) =>
      this.alertRepository.listByMessage(tx, installationId, id),
    );
    const problem = await this.deliverMessage.deliver(installationId, settings, { id, alerts });
    const at = this.clock.now();
    countAlertMessage(settings.channel, problem === undefined ? 'sent' : 'failed');
    await this.tenantDatabase.inInstallation('alert message tried', installationId, async (tx) => {
      if (problem === undefined) {
        await this.alertRepository.markSent(tx, installationId, id, at);
        return;
      }
      const pause = pauseAfter(attempts);
      const nextTryAt = pause === undefined ? undefined : new Date(at.getTime() + pause);
      await this.alertRepository.markFailed(tx, installationId, id, { problem: toStoredText(problem), at, nextTryAt });
    });
    if (problem !== undefined) {
      this.appLogger
        .of('alerts')
        .warn({ installationId, messageId: id, attempts, problem: problem.code }, 'alert.not_sent');
    }
  }
}
