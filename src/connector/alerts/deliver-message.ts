import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import type { InstallationId } from '../../kernel/ids.js';
import { SettingsSite } from '../access/settings-site.service.js';
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
    private readonly settingsSite: SettingsSite,
    private readonly appLogger: AppLogger,
  ) {}

  /** @returns undefined when it was accepted, else why not, in words for the administrator */
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
      link: this.settingsSite.pageAddress(pageFor(content.alerts)),
    };
    switch (settings.channel) {
      case 'off':
        return 'alerts are switched off';
      case 'webhook':
        return this.callAlertWebhook.call(installationId, settings, message);
      case 'mail':
        return this.sendMail(settings, message);
    }
  }

  private async sendMail({ address = '' }: StoredAlertSettings, message: AlertMessage): Promise<string | undefined> {
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
