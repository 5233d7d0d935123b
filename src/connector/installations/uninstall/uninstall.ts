// Uninstalling, in this order and within half a minute (I32): no credential is issued any more, the platform is notified, the
// data key is destroyed whatever the platform responded.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Permanent } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { CredentialRepository } from '../credentials/credential.repository.js';
import { DataKeyRepository } from '../credentials/data-key.repository.js';
import { InstallationRepository } from '../installation.repository.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { RemoveFromPlatform, type UninstallingInstallation } from './remove-from-platform.js';

/** Leaves time in the half minute for the verdicts before and the destruction of the key after. */
const NOTIFY_TIMEOUT_MS = 15_000;
/** For an interrupted uninstall, whose half minute began long before. */
const LATE_NOTIFY_TIMEOUT_MS = 5_000;

@Injectable()
export class Uninstall {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly removeFromPlatform: RemoveFromPlatform,
  ) {}

  /** @returns whether the platform has confirmed it; undefined when it was uninstalled before */
  async uninstall(installationId: InstallationId): Promise<boolean | undefined> {
    const uninstalling = await this.closeInstallation(installationId);
    if (uninstalling === undefined) {
      return undefined;
    }
    const isConfirmed = await this.removeFromPlatform.remove(uninstalling, NOTIFY_TIMEOUT_MS);
    await this.destroyKey(installationId);
    return isConfirmed;
  }

  /** Completes an uninstall that was interrupted, perhaps before the platform was notified. */
  async resumeInterrupted(installationId: InstallationId): Promise<void> {
    const uninstalling = await this.tenantDatabase.inInstallation('load uninstalled', installationId, (tx) =>
      this.readUninstalling(tx, installationId),
    );
    if (uninstalling?.installation.state === 'uninstalled') {
      await this.removeFromPlatform.remove(uninstalling, LATE_NOTIFY_TIMEOUT_MS);
    }
    await this.destroyKey(installationId);
  }

  private async destroyKey(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('destroy data key', installationId, (tx) =>
      this.dataKeyRepository.destroy(tx, installationId),
    );
  }

  /** From here on no credential of the installation is issued. */
  private async closeInstallation(installationId: InstallationId): Promise<UninstallingInstallation | undefined> {
    return this.tenantDatabase.inInstallation('uninstall', installationId, async (tx) => {
      const uninstalling = await this.readUninstalling(tx, installationId);
      return (await this.installationRepository.uninstall(tx, installationId)) ? uninstalling : undefined;
    });
  }

  private async readUninstalling(
    tx: Tx,
    installationId: InstallationId,
  ): Promise<UninstallingInstallation | undefined> {
    const installation = await this.installationRepository.find(tx, installationId);
    if (installation === undefined) {
      return undefined;
    }
    const credential = await this.credentialRepository.find(tx, installationId).catch(ignoreUnreadableCredential);
    const subscription = await this.subscriptionRepository.summary(tx, installationId);
    return { installation, credential, subscriptionId: subscription?.platformSubscriptionId ?? undefined };
  }
}

/** A credential that cannot be decrypted must not keep the customer from uninstalling. */
function ignoreUnreadableCredential(error: unknown): undefined {
  if (!(error instanceof Permanent)) {
    throw error;
  }
}
