import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { GatheredCalls } from '../../../foundation/process/gathered-calls.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { Installation } from '../domain/installation.js';
import { InstallationRepository } from '../installation.repository.js';
import { signingKey } from './signing-key.js';
import {
  SubscriptionRepository,
  type StoredSubscription,
  type SubscriptionSummary,
} from './subscription.repository.js';

/** The owner of a webhook address, and what its messages are verified with. */
export interface WebhookEndpoint {
  readonly installation: Installation;
  /** Of the current secret and, during a rotation, of the one before (S15). */
  readonly signingKeys: readonly KeyObject[];
  readonly timestampMeaning: StoredSubscription['timestampMeaning'];
  /** Required value of our own header (S16); undefined until the platform has confirmed that it sends the header. */
  readonly key: string | undefined;
  /** Whether all this still holds; asked in the transaction that stores what came to the address. */
  readonly isUnchanged: (tx: Tx) => Promise<boolean>;
}

const MAX_TOGETHER = 1_000;

/** Reads subscriptions, each call in a transaction of its own; messages to one address at the same moment share one. */
@Injectable()
export class SubscriptionReader {
  private readonly endpointLookUps = new GatheredCalls<string, undefined, WebhookEndpoint | undefined>(
    async (endpointToken, calls) => {
      const endpoint = await this.loadEndpoint(endpointToken);
      return calls.map(() => endpoint);
    },
    MAX_TOGETHER,
  );

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
  ) {}

  /** @returns undefined before the first subscription */
  async summary(installationId: InstallationId): Promise<SubscriptionSummary | undefined> {
    return this.tenantDatabase.readOnce('read subscription', installationId, (tx) =>
      this.subscriptionRepository.summary(tx, installationId),
    );
  }

  /** @returns undefined before the first subscription */
  async timestampMeaning(installationId: InstallationId): Promise<StoredSubscription['timestampMeaning'] | undefined> {
    return this.tenantDatabase.readOnce('read subscription', installationId, (tx) =>
      this.subscriptionRepository.findTimestampMeaning(tx, installationId),
    );
  }

  /**
   * @param endpointToken last part of the webhook address
   * @returns undefined for an unknown address; without keys for the address of an uninstalled installation
   */
  async findEndpoint(endpointToken: string): Promise<WebhookEndpoint | undefined> {
    return this.endpointLookUps.call(endpointToken, undefined);
  }

  private async loadEndpoint(endpointToken: string): Promise<WebhookEndpoint | undefined> {
    const installationId = await this.tenantDatabase.readOnceAcross('find webhook endpoint', (tx) =>
      this.subscriptionRepository.findInstallationByEndpoint(tx, endpointToken),
    );
    if (installationId === undefined) {
      return undefined;
    }
    return this.tenantDatabase.inInstallation('load webhook endpoint', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation === undefined || installation.state === 'uninstalled') {
        return installation && unverifiable(installation);
      }
      const subscription = await this.subscriptionRepository.find(tx, installationId);
      return subscription && this.endpointOf(installation, subscription);
    });
  }

  private endpointOf(installation: Installation, subscription: StoredSubscription): WebhookEndpoint {
    const { secret, previousSecret, timestampMeaning, headerConfirmed, headerValue, version } = subscription;
    return {
      installation,
      signingKeys: [secret, previousSecret].filter((one) => one !== undefined).map(signingKey),
      timestampMeaning,
      key: headerConfirmed ? headerValue : undefined,
      isUnchanged: (tx) => this.subscriptionRepository.isUnchanged(tx, installation, version),
    };
  }
}

function unverifiable(installation: Installation): WebhookEndpoint {
  const isUnchanged = () => Promise.resolve(false);
  return { installation, signingKeys: [], timestampMeaning: 'attempt', key: undefined, isUnchanged };
}
