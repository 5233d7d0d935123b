import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { ConnectWithApiKey, type KeyConnection } from './connect/connect-with-api-key.js';
import { CredentialRepository, type CredentialSummary } from './credentials/credential.repository.js';
import { DataKeyRepository, type WrappedBy } from './credentials/data-key.repository.js';
import type { Installation } from './domain/installation.js';
import { ExportInstallationData } from './uninstall/export-installation-data.js';
import { InstallationRepository } from './installation.repository.js';
import { maintainSubscriptionTask } from './installations.tasks.js';
import { KeyRingService } from './credentials/key-ring.service.js';
import {
  SubscriptionRepository,
  type SubscriptionStatus,
  type SubscriptionSummary,
} from './subscription/subscription.repository.js';
import { Uninstall } from './uninstall/uninstall.js';

export type { KeyConnection };

/** What is stored of a company's connection to the platform. */
export interface Connection {
  readonly installation: Installation;
  readonly credential: CredentialSummary | undefined;
  /** Whether the platform's subscription and its secret are known. */
  readonly subscribed: boolean;
}

/** What a person may see and do about the connection of an installation to the platform. */
@Injectable()
export class ConnectionService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly keyRingService: KeyRingService,
    private readonly taskQueue: TaskQueue,
    private readonly apiKeys: ConnectWithApiKey,
    private readonly uninstalling: Uninstall,
    private readonly exportInstallationData: ExportInstallationData,
  ) {}

  async connection(installationId: InstallationId): Promise<Connection | undefined> {
    return this.tenantDatabase.inInstallation('read connection', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      const credential = await this.credentialRepository.summary(tx, installationId);
      const subscription = await this.subscriptionRepository.summary(tx, installationId);
      const subscribed = subscription?.platformSubscriptionId != null;
      return installation && { installation, credential, subscribed };
    });
  }

  /** @returns undefined while none has been asked for */
  async subscription(installationId: InstallationId): Promise<SubscriptionSummary | undefined> {
    return this.tenantDatabase.inInstallation('read subscription', installationId, (tx) =>
      this.subscriptionRepository.summary(tx, installationId),
    );
  }

  /** The platform is told in the background. @returns false when nothing is subscribed yet */
  async setWantedStatus(installationId: InstallationId, status: SubscriptionStatus): Promise<boolean> {
    return this.tenantDatabase.inInstallation('want subscription status', installationId, async (tx) => {
      const isThere = await this.subscriptionRepository.setWantedStatus(tx, installationId, status);
      await this.taskQueue.send(tx, maintainSubscriptionTask, { installationId }, installationId);
      return isThere;
    });
  }

  /** Rotates in the background; the secret before is accepted for another day. @returns false when there is none yet */
  async rotateSecret(installationId: InstallationId): Promise<boolean> {
    return this.tenantDatabase.inInstallation('request secret rotation', installationId, async (tx) => {
      const isThere = await this.subscriptionRepository.requestRotation(tx, installationId);
      await this.taskQueue.send(tx, maintainSubscriptionTask, { installationId }, installationId);
      return isThere;
    });
  }

  /** @throws PlatformRefusal, InvalidPlatformResponse or NoResponse when the platform could not be asked */
  async connectWithApiKey(key: string, companyId: string | undefined): Promise<KeyConnection> {
    return this.apiKeys.connect(key, companyId);
  }

  /** As `connectWithApiKey`, for the company this installation has. */
  async replaceApiKey(installationId: InstallationId, key: string): Promise<KeyConnection> {
    return this.apiKeys.replaceKey(installationId, key);
  }

  /** @returns whether the platform knows; undefined when it was uninstalled before */
  async uninstall(installationId: InstallationId): Promise<boolean | undefined> {
    return this.uninstalling.uninstall(installationId);
  }

  /** Everything that is kept of the installation, as one JSON document. */
  exportData(installationId: InstallationId): Readable {
    return this.exportInstallationData.openExport(installationId);
  }

  /** For the operator: how far the first key of the ring has taken over. */
  async keyRotation(): Promise<{ readonly primary: string; readonly wrapped: readonly WrappedBy[] }> {
    const wrapped = await this.tenantDatabase.acrossInstallations('count data keys', (tx) =>
      this.dataKeyRepository.countByRingKey(tx),
    );
    return { primary: this.keyRingService.primary, wrapped };
  }
}
