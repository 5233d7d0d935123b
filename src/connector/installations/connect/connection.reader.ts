import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { CredentialRepository, type CredentialSummary } from '../credentials/credential.repository.js';
import type { Installation } from '../domain/installation.js';
import { InstallationRepository } from '../installation.repository.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';

/** What is stored of a company's connection to the platform. */
export interface Connection {
  readonly installation: Installation;
  readonly credential: CredentialSummary | undefined;
  /** Whether the platform's subscription and its secret are known. */
  readonly subscribed: boolean;
}

@Injectable()
export class ConnectionReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
  ) {}

  /** @returns undefined when the installation does not exist */
  async read(installationId: InstallationId): Promise<Connection | undefined> {
    return this.tenantDatabase.inInstallation('read connection', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      const credential = await this.credentialRepository.summary(tx, installationId);
      const subscription = await this.subscriptionRepository.summary(tx, installationId);
      const subscribed = subscription?.platformSubscriptionId != null;
      return installation && { installation, credential, subscribed };
    });
  }
}
