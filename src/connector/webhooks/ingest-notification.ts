// A message with a valid signature is stored with its task, or quarantined, in one transaction. The row and the
// installation's next poll are what counts: without a usable queue the message is still accepted.
import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { GatheredCalls } from '../../foundation/process/gathered-calls.js';
import { currentTrace, inTrace, type TraceCarrier } from '../../foundation/tracing/tracing.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import { toCompanyId, type WebhookId } from '../../kernel/ids.js';
import type { Installation } from '../installations/domain/installation.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import type { QuarantineReason } from './domain/notification-state.js';
import { NotificationRepository, type NewNotification } from './notification.repository.js';
import { readNotification, type Notification } from './notification.schema.js';
import { QuarantineRepository } from './quarantine.repository.js';
import { QueueNotification } from './queue-notification.js';

interface Quarantined {
  readonly outcome: 'quarantined';
  readonly reason: QuarantineReason;
  readonly detail: string;
  /** Of a company that no person has connected. */
  readonly unconnectedJobId?: string | undefined;
}

/** The installation of a message, and whether the secrets that verified it are still current. */
export interface NotificationSource {
  readonly installation: Installation;
  readonly isUnchanged: (tx: Tx) => Promise<boolean>;
}

export type IngestResult = { readonly outcome: 'stored' } | { readonly outcome: 'duplicate' } | Quarantined;

/** `endpoint-changed`: nothing was stored, because the secrets that verified the message have changed. */
export type Ingestion = IngestResult | { readonly outcome: 'endpoint-changed' };

const MAX_TOGETHER = 100;

interface TracedNotification extends NewNotification {
  readonly trace: TraceCarrier | undefined;
}

@Injectable()
export class IngestNotification {
  private readonly storing = new GatheredCalls<NotificationSource, TracedNotification, Ingestion>(
    (source, messages) => this.storeTogether(source, messages),
    MAX_TOGETHER,
  );

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly notificationRepository: NotificationRepository,
    private readonly quarantineRepository: QuarantineRepository,
    private readonly queueNotification: QueueNotification,
    private readonly clock: Clock,
  ) {}

  /** @throws the database's error when nothing could be stored; the sender then tries again */
  async ingest(source: NotificationSource, webhookId: WebhookId, body: Buffer): Promise<Ingestion> {
    const notification = readNotification(body);
    if (typeof notification === 'string') {
      return this.storeInQuarantine(source, webhookId, body, toQuarantined('malformed', notification));
    }
    const foreign = await this.findForeignCompany(source.installation, notification);
    if (foreign !== undefined) {
      return this.storeInQuarantine(source, webhookId, body, foreign);
    }
    const result = await this.store(source, webhookId, notification, body);
    return result.outcome === 'quarantined' ? this.storeInQuarantine(source, webhookId, body, result) : result;
  }

  private async storeInQuarantine(
    { installation, isUnchanged }: NotificationSource,
    webhookId: WebhookId,
    body: Buffer,
    quarantined: Quarantined,
  ): Promise<Ingestion> {
    const { reason, detail, unconnectedJobId } = quarantined;
    const message = { webhookId, reason, detail, body, bodyDigest: sha256(body) };
    return this.tenantDatabase.inInstallation('quarantine message', installation.id, async (tx) => {
      if (!(await isUnchanged(tx))) {
        return { outcome: 'endpoint-changed' };
      }
      await this.quarantineRepository.add(tx, installation.id, { ...message, receivedAt: this.clock.now() });
      if (unconnectedJobId !== undefined) {
        await this.queueNotification.queueRefusal(tx, installation.id, unconnectedJobId);
      }
      return quarantined;
    });
  }

  private async store(
    source: NotificationSource,
    webhookId: WebhookId,
    { eventId, eventType, data }: Notification,
    body: Buffer,
  ): Promise<Ingestion> {
    const receivedAt = this.clock.now();
    const about = { eventId, eventType, subjectId: data.id };
    const message = { ...about, webhookId, body, bodyDigest: sha256(body), receivedAt };
    // Messages that arrive together are stored in one transaction, outside the trace of any of them.
    return this.storing.call(source, { ...message, trace: currentTrace() });
  }

  /** Messages that arrive together, in one transaction. The first new one of each event type queues a task, which serves all of them. */
  private async storeTogether(
    { installation: { id }, isUnchanged }: NotificationSource,
    messages: readonly TracedNotification[],
  ): Promise<readonly Ingestion[]> {
    return this.tenantDatabase.byKeys('store notifications', id, async (tx) => {
      if (!(await isUnchanged(tx))) {
        return messages.map(() => ({ outcome: 'endpoint-changed' }));
      }
      const stored = new Set(await this.notificationRepository.insert(tx, id, messages));
      const firstOfType = new Map(
        messages
          .filter(({ webhookId }) => stored.has(webhookId))
          .toReversed()
          .map((message) => [message.eventType, message]),
      );
      for (const { webhookId, trace } of firstOfType.values()) {
        await inTrace(trace, () => this.queueNotification.queue(tx, id, webhookId));
      }
      // Of several with one id the first was stored.
      const others = messages.filter(({ webhookId }) => !stored.delete(webhookId));
      const ids = others.map(({ webhookId }) => webhookId);
      const digests = await this.notificationRepository.findDigests(tx, id, ids);
      const results = new Map(others.map((message) => [message, resultOfKnown(message, digests)]));
      return messages.map((message) => results.get(message) ?? { outcome: 'stored' });
    });
  }

  /** An organization's subscription also announces companies that have a connection of their own, or none. */
  private async findForeignCompany(
    installation: Installation,
    { eventType, data }: Notification,
  ): Promise<Quarantined | undefined> {
    if (data.companyId === undefined) {
      return undefined;
    }
    const companyId = toCompanyId(data.companyId);
    if (companyId === installation.companyId) {
      return undefined;
    }
    const { accessLevel, organizationId } = installation;
    if (accessLevel !== 'organization' || organizationId === undefined) {
      return toQuarantined('foreign-company', 'the message is about a company this subscription is not for');
    }
    const owner = await this.tenantDatabase.readOnceAcross('find company', (tx) =>
      this.installationRepository.findOrganizationOf(tx, companyId),
    );
    // Of a company that was connected by itself the platform need not name the organization.
    if (typeof owner === 'string' && owner !== organizationId) {
      return toQuarantined('foreign-company', 'the message is about a company of another organization');
    }
    return owner === undefined
      ? {
          ...toQuarantined('company-not-mapped', 'a company of the organization that is not connected'),
          unconnectedJobId: eventType === 'v1.export-job.created' ? data.id : undefined,
        }
      : toQuarantined('company-not-mapped', 'a company with a connection of its own');
  }
}

/** Of a message that was not stored: another one with its id, or with its event, was. */
function resultOfKnown({ webhookId, bodyDigest }: NewNotification, digests: ReadonlyMap<string, Buffer>): IngestResult {
  const known = digests.get(webhookId);
  return known === undefined || known.equals(bodyDigest)
    ? { outcome: 'duplicate' }
    : toQuarantined('conflicting-body', 'a message with this id and another body was accepted before');
}

function toQuarantined(reason: QuarantineReason, detail: string): Quarantined {
  return { outcome: 'quarantined', reason, detail };
}
