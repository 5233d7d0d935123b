// One webhook message from raw bytes to a durable row: owner of the address, our own header, signature, then ingestion.
import { Injectable } from '@nestjs/common';
import { isSameSecret } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { describeSpan, inSpan } from '../../foundation/tracing/tracing.js';
import { Clock } from '../../kernel/clock.js';
import { toWebhookId, type InstallationId } from '../../kernel/ids.js';
import { SubscriptionReader } from '../installations/subscription/subscription.reader.js';
import { verifySignature, type SignedMessage } from './domain/verify-signature.js';
import { IngestNotification, type IngestResult } from './ingest-notification.js';
import { QueueNotification } from './queue-notification.js';
import { observeIntake } from './webhooks.metrics.js';

export type Acceptance = IngestResult | Refusal;

export type Refusal =
  | { readonly outcome: 'unknown-endpoint' }
  /** Of an installation that was uninstalled: the sender should stop. */
  | { readonly outcome: 'endpoint-uninstalled' }
  | { readonly outcome: 'not-verified' };

/** Of these log lines take the id before it is verified. */
const PLAIN_ID = /^[\w.-]{1,100}$/;

/** A message as received. */
export interface IncomingMessage extends SignedMessage {
  /** Value of our own header. */
  readonly key: string | undefined;
}

@Injectable()
export class AcceptNotification {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly subscriptionReader: SubscriptionReader,
    private readonly ingestNotification: IngestNotification,
    private readonly queueNotification: QueueNotification,
    private readonly clock: Clock,
  ) {}

  /** @throws the database's error when nothing could be stored; the sender then tries again */
  async acceptMessage(endpointToken: string, message: IncomingMessage): Promise<Acceptance> {
    const beganAt = this.clock.monotonicMs();
    const observe = (outcome: string) => {
      observeIntake(outcome, (this.clock.monotonicMs() - beganAt) / 1_000);
    };
    try {
      const about = PLAIN_ID.test(message.id ?? '') ? { webhookId: message.id ?? '' } : {};
      const acceptance = await inSpan('webhook', { kind: 'server', about }, async () => {
        const accepted = await this.verifyAndIngest(endpointToken, message);
        describeSpan({ outcome: accepted.outcome });
        return accepted;
      });
      observe(acceptance.outcome);
      return acceptance;
    } catch (error) {
      observe('error');
      throw error;
    }
  }

  private async verifyAndIngest(endpointToken: string, message: IncomingMessage): Promise<Acceptance> {
    const endpoint = await this.subscriptionReader.findEndpoint(endpointToken);
    if (endpoint === undefined) {
      return { outcome: 'unknown-endpoint' };
    }
    const { installation, secrets, timestampMeaning, key } = endpoint;
    if (installation.state === 'uninstalled') {
      return { outcome: 'endpoint-uninstalled' };
    }
    if (key !== undefined && !isSameSecret(key, message.key ?? '')) {
      return { outcome: 'not-verified' };
    }
    const nowSeconds = Math.floor(this.clock.now().getTime() / 1_000);
    const verification = verifySignature(message, secrets, timestampMeaning, nowSeconds);
    if (!verification.verified) {
      if (verification.stale) {
        await this.schedulePoll(installation.id);
      }
      return { outcome: 'not-verified' };
    }
    return this.ingestNotification.ingest(installation, toWebhookId(verification.webhookId), message.body);
  }

  /** The platform did send a stale message at some time: an export job may wait there that was not announced in time. */
  private async schedulePoll(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('stale webhook', installationId, (tx) =>
      this.queueNotification.queue(tx, installationId, undefined),
    );
  }
}
