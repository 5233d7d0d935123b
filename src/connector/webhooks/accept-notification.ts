// One webhook message from raw bytes to a durable row: owner of the address, our own header, signature, then ingestion.
import { Injectable } from '@nestjs/common';
import { isSameSecret } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { describeSpan, inSpan } from '../../foundation/tracing/tracing.js';
import { Clock } from '../../kernel/clock.js';
import { Retryable } from '../../kernel/faults.js';
import { toWebhookId, type InstallationId } from '../../kernel/ids.js';
import { RecentEndpoints } from '../installations/subscription/recent-endpoints.js';
import type { WebhookEndpoint } from '../installations/subscription/subscription.reader.js';
import { verifySignature, type SignedNotification } from './domain/verify-signature.js';
import { IngestNotification, type Ingestion, type IngestResult } from './ingest-notification.js';
import { QueueNotification } from './queue-notification.js';
import { observeIntake } from './webhooks.metrics.js';

export type Acceptance = IngestResult | Refusal;

export type Refusal =
  | { readonly outcome: 'unknown-endpoint' }
  /** Of an installation that was uninstalled: the sender should stop. */
  | { readonly outcome: 'endpoint-uninstalled' }
  | NotVerified;

interface NotVerified {
  readonly outcome: 'not-verified';
  /** Correctly signed, but too old or too new. */
  readonly isStale: boolean;
}

/** More changes of its secrets than this while one message arrives count as a fault. */
const MAX_READS = 3;
/** Ids of this form are written to the log before the signature is verified. */
const PLAIN_ID = /^[\w.-]{1,100}$/;

/** A message as received. */
export interface IncomingNotification extends SignedNotification {
  /** Value of our own header. */
  readonly key: string | undefined;
}

@Injectable()
export class AcceptNotification {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly recentEndpoints: RecentEndpoints,
    private readonly ingestNotification: IngestNotification,
    private readonly queueNotification: QueueNotification,
    private readonly clock: Clock,
  ) {}

  /** @throws the database's error when nothing could be stored; the sender then tries again */
  async accept(endpointToken: string, message: IncomingNotification): Promise<Acceptance> {
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

  /** What is cached of an address may be outdated: a message that it does not accept is checked again with what is stored. */
  private async verifyAndIngest(endpointToken: string, message: IncomingNotification): Promise<Acceptance> {
    const recent = this.recentEndpoints.find(endpointToken);
    const accepted = recent && (await this.ingestVerified(recent, message));
    if (accepted !== undefined && accepted.outcome !== 'not-verified' && accepted.outcome !== 'endpoint-changed') {
      return accepted;
    }
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const endpoint = await this.recentEndpoints.read(endpointToken);
      if (endpoint === undefined) {
        return { outcome: 'unknown-endpoint' };
      }
      if (endpoint.installation.state === 'uninstalled') {
        return { outcome: 'endpoint-uninstalled' };
      }
      const result = await this.ingestVerified(endpoint, message);
      if (result.outcome === 'not-verified' && result.isStale) {
        await this.schedulePoll(endpoint.installation.id);
      }
      if (result.outcome !== 'endpoint-changed') {
        return result;
      }
    }
    throw new Retryable('the address changed while the message was stored');
  }

  private async ingestVerified(
    endpoint: WebhookEndpoint,
    message: IncomingNotification,
  ): Promise<Ingestion | NotVerified> {
    const { signingKeys, timestampMeaning, key } = endpoint;
    if (key !== undefined && !isSameSecret(key, message.key ?? '')) {
      return { outcome: 'not-verified', isStale: false };
    }
    const nowSeconds = Math.floor(this.clock.now().getTime() / 1_000);
    const verification = verifySignature(message, signingKeys, timestampMeaning, nowSeconds);
    return verification.verified
      ? this.ingestNotification.ingest(endpoint, toWebhookId(verification.webhookId), message.body)
      : { outcome: 'not-verified', isStale: verification.stale };
  }

  /** The signature is right, so the platform did send the message: an export job that was not announced in time may wait there. */
  private async schedulePoll(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('stale webhook', installationId, (tx) =>
      this.queueNotification.queue(tx, installationId, undefined),
    );
  }
}
