import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { WebhookClient, type OutgoingWebhook } from '../../foundation/http/client/webhook-client.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { SettingsSite } from '../access/settings-site.service.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { DataKeyRepository } from '../installations/credentials/data-key.repository.js';
import type { StoredAlertSettings } from './alert-setting.repository.js';
import { mailSubject, mailText, webhookBody, type AlertMessage } from './domain/alert-message.js';

/** One attempt to tell whoever the settings name. */
@Injectable()
export class DeliverMessage {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly webhookClient: WebhookClient,
    private readonly mailer: Mailer,
    private readonly settingsSite: SettingsSite,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** @returns undefined when it was taken, else why not, in words for the administrator */
  async deliver(
    installationId: InstallationId,
    settings: StoredAlertSettings,
    content: Pick<AlertMessage, 'id' | 'alerts'>,
  ): Promise<string | undefined> {
    const installation = await this.installationReader.find(installationId);
    const message = {
      ...content,
      installationId,
      companyName: installation?.companyName ?? '',
      link: this.settingsSite.settingsAddress,
    };
    switch (settings.channel) {
      case 'off':
        return 'alerts are switched off';
      case 'webhook':
        return this.callWebhook(installationId, settings, message);
      case 'mail':
        return this.sendMail(settings, message);
    }
  }

  private async callWebhook(
    installationId: InstallationId,
    settings: StoredAlertSettings,
    message: AlertMessage,
  ): Promise<string | undefined> {
    const webhook = await this.decryptWebhook(installationId, settings);
    if (webhook === undefined) {
      return 'its address and secret can be opened no more: save the webhook again';
    }
    const at = this.clock.now();
    return this.webhookClient.send({ id: message.id, ...webhook, at, body: webhookBody(message, at) });
  }

  /** @returns undefined when the key that sealed them is gone */
  private async decryptWebhook(
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

  private async sendMail(
    { address = '' }: StoredAlertSettings,
    message: AlertMessage,
  ): Promise<string | undefined> {
    try {
      await this.mailer.send({
        id: message.id,
        to: address,
        subject: mailSubject(message),
        text: mailText(message),
      });
      return undefined;
    } catch (error) {
      this.appLogger.of('alerts').warn({ err: error, messageId: message.id }, 'alert.mail_refused');
      return this.mailer.canSend ? 'the mail server did not take the mail' : 'no mail server is set';
    }
  }
}
