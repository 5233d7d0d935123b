import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { newWebhookSecret, WebhookClient } from '../../foundation/http/webhook-client.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import type { AlertSettings, SavedAlertSettings } from './domain/alert-settings.js';

export type AlertSettingsSaved =
  | {
      readonly outcome: 'saved';
      readonly settings: SavedAlertSettings;
      /** Of a webhook that is new: it is never shown again. */
      readonly secret: string | undefined;
    }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'no-mail-server' }
  /** What is wrong with the address. */
  | { readonly outcome: 'bad-address'; readonly detail: string };

export interface AlertSettingsChange extends AlertSettings {
  /** True: a new secret in the place of the one there is. */
  readonly newSecret: boolean;
}

@Injectable()
export class SaveAlertSettings {
  constructor(
    private readonly database: TenantDatabase,
    private readonly settings: AlertSettingRepository,
    private readonly installations: InstallationsService,
    private readonly webhooks: WebhookClient,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** @param seen version that was edited, 0 for the first */
  async run(
    installationId: InstallationId,
    seen: number,
    change: AlertSettingsChange,
  ): Promise<AlertSettingsSaved> {
    const { channel, address = '', kinds } = change;
    if (channel === 'mail' && !this.mailer.canSend) {
      return { outcome: 'no-mail-server' };
    }
    const problem = channel === 'webhook' ? await this.webhooks.check(address) : undefined;
    if (problem !== undefined) {
      return { outcome: 'bad-address', detail: problem };
    }
    return this.database.inInstallation('save alert settings', installationId, async (tx) => {
      const { sealedSecret, secret } = await this.secretFor(tx, installationId, change);
      const wanted = { channel, address: channel === 'off' ? undefined : address, kinds };
      const stored = { ...wanted, sealedSecret };
      const saved = await this.settings.save(tx, installationId, seen, stored, this.clock.now());
      return saved
        ? { outcome: 'saved', settings: { ...wanted, version: seen + 1 }, secret }
        : { outcome: 'stale' };
    });
  }

  /** A webhook keeps its secret; another address gets another one, because whoever was there knows the first. */
  private async secretFor(
    tx: Tx,
    installationId: InstallationId,
    { channel, address, newSecret }: AlertSettingsChange,
  ): Promise<{ readonly sealedSecret: string | undefined; readonly secret: string | undefined }> {
    if (channel !== 'webhook') {
      return { sealedSecret: undefined, secret: undefined };
    }
    const before = await this.settings.find(tx, installationId);
    if (before?.sealedSecret !== undefined && before.address === address && !newSecret) {
      return { sealedSecret: before.sealedSecret, secret: undefined };
    }
    const secret = newWebhookSecret();
    const key = await this.installations.dataKeyOf(tx, installationId);
    return { sealedSecret: key.seal('alert_setting.webhook_secret', secret), secret };
  }
}
