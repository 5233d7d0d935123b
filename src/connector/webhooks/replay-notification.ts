import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Bug } from '../../kernel/faults.js';
import { isUuid, toWebhookId, type InstallationId } from '../../kernel/ids.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { IngestNotification, type IngestResult } from './ingest-notification.js';
import { NotificationRepository } from './notification.repository.js';
import { QuarantineRepository } from './quarantine.repository.js';
import { QueueNotification } from './queue-notification.js';

export type NotificationReplay =
  | IngestResult
  /** It was accepted before; its task was queued again. */
  | { readonly outcome: 'requeued' }
  | { readonly outcome: 'unknown' }
  /** Older than a week: its body was deleted. */
  | { readonly outcome: 'body-deleted' };

const ACCEPTED = /^accepted\.([A-Za-z0-9_-]{1,128})$/;
const QUARANTINED = /^quarantine\.([0-9a-f-]{36})$/;

/** Handles a stored message once more: an accepted one is queued again, a quarantined one is ingested again. */
@Injectable()
export class ReplayNotification {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly notificationRepository: NotificationRepository,
    private readonly quarantineRepository: QuarantineRepository,
    private readonly ingestNotification: IngestNotification,
    private readonly queueNotification: QueueNotification,
  ) {}

  /** @param id as the list of notifications names it */
  async replay(installationId: InstallationId, id: string): Promise<NotificationReplay> {
    const accepted = ACCEPTED.exec(id)?.[1];
    const quarantined = QUARANTINED.exec(id)?.[1];
    if (accepted !== undefined) {
      return this.requeueAccepted(installationId, accepted);
    }
    return quarantined !== undefined && isUuid(quarantined)
      ? this.ingestQuarantined(installationId, quarantined)
      : { outcome: 'unknown' };
  }

  private async requeueAccepted(installationId: InstallationId, text: string): Promise<NotificationReplay> {
    const webhookId = toWebhookId(text);
    return this.tenantDatabase.inInstallation('requeue notification', installationId, async (tx) => {
      if ((await this.notificationRepository.findEventType(tx, installationId, webhookId)) === undefined) {
        return { outcome: 'unknown' };
      }
      await this.queueNotification.queue(tx, installationId, webhookId);
      return { outcome: 'requeued' };
    });
  }

  private async ingestQuarantined(installationId: InstallationId, id: string): Promise<NotificationReplay> {
    const { message, installation } = await this.tenantDatabase.inInstallation(
      'load quarantined message',
      installationId,
      async (tx) => ({
        message: await this.quarantineRepository.find(tx, installationId, id),
        installation: await this.installationRepository.find(tx, installationId),
      }),
    );
    if (message === undefined || installation === undefined) {
      return { outcome: 'unknown' };
    }
    if (message.body === null) {
      return { outcome: 'body-deleted' };
    }
    const { webhookId, body } = message;
    // It was verified when it came.
    const source = { installation, isUnchanged: () => Promise.resolve(true) };
    const result = await this.ingestNotification.ingest(source, toWebhookId(webhookId), body);
    if (result.outcome === 'endpoint-changed') {
      throw new Bug('a message is replayed whatever has become of the address it came to');
    }
    if (result.outcome !== 'quarantined') {
      await this.tenantDatabase.inInstallation('mark message as ingested', installationId, (tx) =>
        this.quarantineRepository.markIngested(tx, installationId, id),
      );
    }
    return result;
  }
}
