import { Injectable } from '@nestjs/common';
import type { AddressProblem } from '../../foundation/http/client/public-hosts.js';
import { WebhookClient } from '../../foundation/http/client/webhook-client.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import type { AlertChannel } from './domain/alert-settings.js';

export type RecipientProblem =
  | { readonly outcome: 'no-mail-server' }
  /** What is wrong with the address. */
  | { readonly outcome: 'bad-address'; readonly problem: AddressProblem | 'none-kept' };

/** Whether this program could send alerts to a recipient. Resolves host names, so it stands outside any transaction. */
@Injectable()
export class CheckRecipient {
  constructor(
    private readonly webhookClient: WebhookClient,
    private readonly mailer: Mailer,
  ) {}

  /** @param address undefined: the stored one, which was checked */
  async check(channel: AlertChannel, address: string | undefined): Promise<RecipientProblem | undefined> {
    if (channel === 'mail' && !this.mailer.canSend) {
      return { outcome: 'no-mail-server' };
    }
    const problem =
      channel === 'webhook' && address !== undefined ? await this.webhookClient.check(address) : undefined;
    return problem === undefined ? undefined : { outcome: 'bad-address', problem };
  }
}
