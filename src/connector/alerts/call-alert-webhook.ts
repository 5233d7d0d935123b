import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { WebhookClient, type OutgoingWebhook } from '../../foundation/http/client/webhook-client.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { message, type Message } from '../../kernel/message.js';
import { DataKeyRepository } from '../installations/credentials/data-key.repository.js';
import type { StoredAlertSettings } from './alert-setting.repository.js';
import { webhookBody, type AlertMessage } from './domain/alert-message.js';

@Injectable()
export class CallAlertWebhook {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly webhookClient: WebhookClient,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** @returns undefined when the message was accepted, else why not, in words for the administrator */
  async call(
    installationId: InstallationId,
    settings: StoredAlertSettings,
    alertMessage: AlertMessage,
  ): Promise<Message | undefined> {
    const webhook = await this.decrypt(installationId, settings);
    if (webhook === undefined) {
      return message('delivery.unreadable');
    }
    const at = this.clock.now();
    return this.webhookClient.send({ id: alertMessage.id, ...webhook, at, body: webhookBody(alertMessage, at) });
  }

  /** @returns undefined when the key that encrypted them was destroyed */
  private async decrypt(
    installationId: InstallationId,
    { sealedAddress = '', sealedSecret = '' }: StoredAlertSettings,
  ): Promise<Pick<OutgoingWebhook, 'address' | 'secret'> | undefined> {
    const key = await this.tenantDatabase.inInstallation('open webhook', installationId, (tx) =>
      this.dataKeyRepository.findOrCreate(tx, installationId),
    );
    try {
      return {
        address: key.unseal('alert_setting.sealed_address', sealedAddress),
        secret: key.unseal('alert_setting.webhook_secret', sealedSecret),
      };
    } catch (error) {
      if (!(error instanceof Permanent)) {
        throw error;
      }
      this.appLogger.of('alerts').warn({ err: error, installationId }, 'alert.webhook_unreadable');
      return undefined;
    }
  }
}
