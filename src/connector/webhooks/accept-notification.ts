// One webhook message from raw bytes to a durable row: verify, read, store with its task in one transaction. The row and
// the installation's turn to be polled are what counts: without a usable queue the message is accepted all the same.
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { toWebhookId, type InstallationId, type WebhookId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { verifySignature, type SignedMessage } from './domain/verify-signature.js';
import { handleNotificationTask } from './webhooks.tasks.js';
import { NotificationRepository } from './notification.repository.js';
import { readNotification, type Notification } from './notification.schema.js';

export type Acceptance = { readonly outcome: 'stored' } | { readonly outcome: 'duplicate' } | Refusal;

export type Refusal =
  | { readonly outcome: 'unknown-endpoint' }
  | { readonly outcome: 'not-verified' }
  | { readonly outcome: 'malformed'; readonly reason: string }
  /** Correctly signed, but about a company that is not this installation's. */
  | { readonly outcome: 'foreign-company' }
  /** The same message id came before with another body; the first one stands. */
  | { readonly outcome: 'conflicting-body' };

@Injectable()
export class AcceptNotification {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly notifications: NotificationRepository,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /** @throws the database's error when nothing could be stored; the sender then tries again */
  async run(endpointToken: string, message: SignedMessage): Promise<Acceptance> {
    const endpoint = await this.installations.findWebhookEndpoint(endpointToken);
    if (endpoint === undefined) {
      return { outcome: 'unknown-endpoint' };
    }
    const { installation, secrets, timestampMeaning } = endpoint;
    const nowSeconds = Math.floor(this.clock.now().getTime() / 1_000);
    const verification = verifySignature(message, secrets, timestampMeaning, nowSeconds);
    if (!verification.verified) {
      if (verification.stale) {
        await this.hint(installation.id);
      }
      return { outcome: 'not-verified' };
    }
    const notification = readNotification(message.body);
    if (typeof notification === 'string') {
      return { outcome: 'malformed', reason: notification };
    }
    if (notification.data.companyId.toLowerCase() !== installation.companyId) {
      return { outcome: 'foreign-company' };
    }
    return this.store(installation.id, toWebhookId(verification.webhookId), notification, message.body);
  }

  private async store(
    installationId: InstallationId,
    webhookId: WebhookId,
    notification: Notification,
    body: Buffer,
  ): Promise<Acceptance> {
    const bodyDigest = createHash('sha256').update(body).digest();
    return this.database.inInstallation(
      'store notification',
      installationId,
      async (tx): Promise<Acceptance> => {
        const { eventId, eventType } = notification;
        const receivedAt = this.clock.now();
        const row = { webhookId, eventId, eventType, body, bodyDigest, receivedAt };
        if (await this.notifications.insert(tx, installationId, row)) {
          // The task makes it fast, this makes it sure: a lost task leaves the installation due.
          await this.installations.pollSoon(tx, installationId);
          await this.tasks.send(
            tx,
            handleNotificationTask,
            { installationId, webhookId },
            `${installationId}/${webhookId}`,
          );
          return { outcome: 'stored' };
        }
        const known = await this.notifications.findDigest(tx, installationId, webhookId);
        return {
          outcome: known === undefined || known.equals(bodyDigest) ? 'duplicate' : 'conflicting-body',
        };
      },
    );
  }

  /** A stale message was sent by the platform once: something may wait there that nobody told us of in time. */
  private async hint(installationId: InstallationId): Promise<void> {
    await this.database.inInstallation('stale webhook', installationId, async (tx) => {
      await this.installations.pollSoon(tx, installationId);
      await this.tasks.send(tx, handleNotificationTask, { installationId }, `${installationId}/stale`);
    });
  }
}
