import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { WebhookClient } from '../../foundation/http/webhook-client.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { OwnSite } from '../access/own-site.service.js';
import { InstallationsService } from '../installations/installations.service.js';
import type { StoredAlertSettings } from './alert-setting.repository.js';
import { mailSubject, mailText, webhookBody, type AlertMessage } from './domain/alert-message.js';

/** One attempt to tell whoever the settings name. */
@Injectable()
export class DeliverMessage {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly webhooks: WebhookClient,
    private readonly mailer: Mailer,
    private readonly site: OwnSite,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** @returns undefined when it was taken, else why not, in words for the administrator */
  async run(
    installationId: InstallationId,
    settings: StoredAlertSettings,
    content: Pick<AlertMessage, 'id' | 'alerts'>,
  ): Promise<string | undefined> {
    const installation = await this.installations.find(installationId);
    const message = {
      ...content,
      installationId,
      companyName: installation?.companyName ?? '',
      link: this.site.settingsAddress,
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
    { address = '', sealedSecret = '' }: StoredAlertSettings,
    message: AlertMessage,
  ): Promise<string | undefined> {
    const secret = await this.database.inInstallation('open webhook secret', installationId, async (tx) => {
      const key = await this.installations.dataKeyOf(tx, installationId);
      return key.unseal('alert_setting.webhook_secret', sealedSecret);
    });
    const at = this.clock.now();
    return this.webhooks.send({ id: message.id, address, secret, at, body: webhookBody(message, at) });
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
      this.logger.of('alerts').warn({ err: error, messageId: message.id }, 'alert.mail_refused');
      return this.mailer.canSend ? 'the mail server did not take the mail' : 'no mail server is set';
    }
  }
}
