import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import type { InstallationId } from '../../kernel/ids.js';
import { message, type Message } from '../../kernel/message.js';
import { ConnectorSite } from '../access/connector-site.js';
import { InstallationReader } from '../installations/installation.reader.js';
import type { StoredAlertSettings } from './alert-setting.repository.js';
import { CallAlertWebhook } from './call-alert-webhook.js';
import { mailSubject, mailText, pageFor, type AlertMessage } from './domain/alert-message.js';

/** One attempt to deliver a message to the recipient in the settings. */
@Injectable()
export class DeliverMessage {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly callAlertWebhook: CallAlertWebhook,
    private readonly mailer: Mailer,
    private readonly connectorSite: ConnectorSite,
    private readonly appLogger: AppLogger,
  ) {}

  /** @returns undefined when it was accepted, else why not, in words for the administrator */
  async deliver(
    installationId: InstallationId,
    settings: StoredAlertSettings,
    content: Pick<AlertMessage, 'id' | 'alerts'>,
  ): Promise<Message | undefined> {
    const installation = await this.installationReader.find(installationId);
    const sent = {
      ...content,
      installationId,
      companyName: installation?.companyName ?? '',
      link: this.connectorSite.pageAddress(pageFor(content.alerts)),
    };
    switch (settings.channel) {
      case 'off':
        return message('delivery.off');
      case 'webhook':
        return this.callAlertWebhook.call(installationId, settings, sent);
      case 'mail':
        return this.sendMail(settings, sent);
    }
  }

  private async sendMail({ address = '' }: StoredAlertSettings, sent: AlertMessage): Promise<Message | undefined> {
    try {
      await this.mailer.send({
        id: sent.id,
        to: address,
        subject: mailSubject(sent),
        text: mailText(sent),
      });
      return undefined;
    } catch (error) {
      this.appLogger.of('alerts').warn({ err: error, messageId: sent.id }, 'alert.mail_refused');
      return message(this.mailer.canSend ? 'delivery.mail-refused' : 'delivery.no-mail-server');
    }
  }
}
