import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { isUuid, toWebhookId, type InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { NotificationRepository } from './notification.repository.js';
import { QuarantineRepository } from './quarantine.repository.js';
import { IngestNotification, type IngestResult } from './ingest-notification.js';
import { handleNotificationTask } from './webhooks.tasks.js';

export type Replay =
  | IngestResult
  /** It was accepted before: what follows from it was started once more. */
  | { readonly outcome: 'handled-again' }
  | { readonly outcome: 'unknown' }
  /** Older than a week: the body is not kept any more. */
  | { readonly outcome: 'body-deleted' };

const ACCEPTED = /^accepted\.([A-Za-z0-9_-]{1,128})$/;
const QUARANTINE = /^quarantine\.([0-9a-f-]{36})$/;

/** Takes a message once more, through the same door: what was accepted already changes nothing. */
@Injectable()
export class ReplayMessage {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationsService: InstallationsService,
    private readonly notificationRepository: NotificationRepository,
    private readonly quarantineRepository: QuarantineRepository,
    private readonly ingestNotification: IngestNotification,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /** @param id as the list of notifications names it */
  async replay(installationId: InstallationId, id: string): Promise<Replay> {
    const stored = ACCEPTED.exec(id)?.[1];
    const aside = QUARANTINE.exec(id)?.[1];
    if (stored !== undefined) {
      return this.requeueAccepted(installationId, stored);
    }
    return aside !== undefined && isUuid(aside)
      ? this.ingestQuarantined(installationId, aside)
      : { outcome: 'unknown' };
  }

  private async requeueAccepted(installationId: InstallationId, text: string): Promise<Replay> {
    const webhookId = toWebhookId(text);
    return this.tenantDatabase.inInstallation('handle again', installationId, async (tx): Promise<Replay> => {
      if ((await this.notificationRepository.findEventType(tx, installationId, webhookId)) === undefined) {
        return { outcome: 'unknown' };
      }
      await this.installationsService.schedulePollSoon(tx, installationId);
      const key = `${installationId}/${webhookId}`;
      await this.taskQueue.send(tx, handleNotificationTask, { installationId, webhookId }, key);
      return { outcome: 'handled-again' };
    });
  }

  private async ingestQuarantined(installationId: InstallationId, id: string): Promise<Replay> {
    const kept = await this.tenantDatabase.inInstallation('load message', installationId, (tx) =>
      this.quarantineRepository.find(tx, installationId, id),
    );
    const installation = await this.installationsService.find(installationId);
    if (kept === undefined || installation === undefined) {
      return { outcome: 'unknown' };
    }
    if (kept.body === null) {
      return { outcome: 'body-deleted' };
    }
    const taken = await this.ingestNotification.ingest(installation, toWebhookId(kept.webhookId), kept.body);
    if (taken.outcome !== 'quarantined') {
      await this.tenantDatabase.inInstallation('mark message as taken', installationId, (tx) =>
        this.quarantineRepository.markIngested(tx, installationId, id, this.clock.now()),
      );
    }
    return taken;
  }
}
