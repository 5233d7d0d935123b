import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { isUuid, toWebhookId, type InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { NotificationRepository } from './notification.repository.js';
import { QuarantineRepository } from './quarantine.repository.js';
import { TakeMessage, type TakenMessage } from './take-message.js';
import { handleNotificationTask } from './webhooks.tasks.js';

export type Replay =
  | TakenMessage
  /** It was accepted before: what follows from it was started once more. */
  | { readonly outcome: 'handled-again' }
  | { readonly outcome: 'unknown' }
  /** Older than a week: the body is not kept any more. */
  | { readonly outcome: 'body-gone' };

const ACCEPTED = /^accepted\.([A-Za-z0-9_-]{1,128})$/;
const QUARANTINE = /^quarantine\.([0-9a-f-]{36})$/;

/** Takes a message once more, through the same door: what was accepted already changes nothing. */
@Injectable()
export class ReplayMessage {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly notifications: NotificationRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly messages: TakeMessage,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /** @param id as the list of notifications names it */
  async run(installationId: InstallationId, id: string): Promise<Replay> {
    const stored = ACCEPTED.exec(id)?.[1];
    const aside = QUARANTINE.exec(id)?.[1];
    if (stored !== undefined) {
      return this.handleAgain(installationId, stored);
    }
    return aside !== undefined && isUuid(aside)
      ? this.takeAgain(installationId, aside)
      : { outcome: 'unknown' };
  }

  private async handleAgain(installationId: InstallationId, text: string): Promise<Replay> {
    const webhookId = toWebhookId(text);
    return this.database.inInstallation('handle again', installationId, async (tx): Promise<Replay> => {
      if ((await this.notifications.findEventType(tx, installationId, webhookId)) === undefined) {
        return { outcome: 'unknown' };
      }
      await this.installations.pollSoon(tx, installationId);
      const key = `${installationId}/${webhookId}`;
      await this.tasks.send(tx, handleNotificationTask, { installationId, webhookId }, key);
      return { outcome: 'handled-again' };
    });
  }

  private async takeAgain(installationId: InstallationId, id: string): Promise<Replay> {
    const kept = await this.database.inInstallation('load message', installationId, (tx) =>
      this.quarantine.find(tx, installationId, id),
    );
    const installation = await this.installations.find(installationId);
    if (kept === undefined || installation === undefined) {
      return { outcome: 'unknown' };
    }
    if (kept.body === null) {
      return { outcome: 'body-gone' };
    }
    const taken = await this.messages.run(installation, toWebhookId(kept.webhookId), kept.body);
    if (taken.outcome !== 'quarantined') {
      await this.database.inInstallation('mark message as taken', installationId, (tx) =>
        this.quarantine.markTaken(tx, installationId, id, this.clock.now()),
      );
    }
    return taken;
  }
}
