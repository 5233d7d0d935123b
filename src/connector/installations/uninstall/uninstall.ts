// Leaving, from our side. First nothing may act for the installation any more, then the platform is told, then the keys are
// destroyed, whatever the platform said: all within half a minute (invariant I32).
import { Injectable } from '@nestjs/common';
import { withTimeout } from '../../../foundation/clock/with-timeout.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Permanent } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import { CredentialRepository, type StoredCredential } from '../credentials/credential.repository.js';
import { DataKeyRepository } from '../credentials/data-key.repository.js';
import type { Installation } from '../domain/installation.js';
import { InstallationRepository } from '../installation.repository.js';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';
import { unstoredKey, unstoredTokens } from '../connect/unstored-credential.js';

/** Leaves room in the half minute for the verdicts before and the destruction of the keys after. */
const NOTIFY_TIMEOUT_MS = 15_000;
/** For one that was interrupted, whose half minute has begun long before. */
const LATE_NOTIFY_TIMEOUT_MS = 5_000;

interface UninstallingInstallation {
  readonly installation: Installation;
  readonly credential: StoredCredential | undefined;
  readonly subscriptionId: string | undefined;
}

@Injectable()
export class Uninstall {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly platformApi: PlatformApi,
    private readonly appLogger: AppLogger,
  ) {}

  /** @returns whether the platform has confirmed that it knows; undefined when it was uninstalled before */
  async uninstall(installationId: InstallationId): Promise<boolean | undefined> {
    const leaving = await this.closeInstallation(installationId);
    if (leaving === undefined) {
      return undefined;
    }
    const told = await this.notifyPlatform(leaving, NOTIFY_TIMEOUT_MS);
    await this.destroyKeys(installationId);
    return told;
  }

  /** Ends an uninstalling that was interrupted: perhaps before the platform was told. */
  async resumeInterrupted(installationId: InstallationId): Promise<void> {
    const leaving = await this.tenantDatabase.inInstallation('load uninstalled', installationId, (tx) =>
      this.readUninstalling(tx, installationId),
    );
    if (leaving?.installation.state === 'uninstalled') {
      await this.notifyPlatform(leaving, LATE_NOTIFY_TIMEOUT_MS);
    }
    await this.destroyKeys(installationId);
  }

  private async destroyKeys(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('destroy data key', installationId, (tx) =>
      this.dataKeyRepository.destroy(tx, installationId),
    );
  }

  /** From here on no credential of the installation is given out. */
  private async closeInstallation(
    installationId: InstallationId,
  ): Promise<UninstallingInstallation | undefined> {
    return this.tenantDatabase.inInstallation('uninstall', installationId, async (tx) => {
      const leaving = await this.readUninstalling(tx, installationId);
      return (await this.installationRepository.uninstall(tx, installationId)) ? leaving : undefined;
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
    const credential = await this.credentialRepository
      .find(tx, installationId)
      .catch(ignoreUnreadableCredential);
    const subscription = await this.subscriptionRepository.summary(tx, installationId);
    return { installation, credential, subscriptionId: subscription?.platformSubscriptionId ?? undefined };
  }

  /** @returns whether the platform has confirmed it */
  private async notifyPlatform(leaving: UninstallingInstallation, limitMs: number): Promise<boolean> {
    const { installation, credential } = leaving;
    const usable = credential !== undefined && (credential.kind === 'api-key' || credential.alive);
    if (!usable || installation.state === 'needs_reauthorization') {
      return false;
    }
    const auth = credential.kind === 'api-key' ? unstoredKey(credential.key) : unstoredTokens(credential);
    try {
      await withTimeout(limitMs, 'telling the platform', this.removeFromPlatform(leaving, auth, limitMs / 3));
      return true;
    } catch (error) {
      this.appLogger.of('installations').warn({ err: error }, 'uninstall.platform_not_told');
      return false;
    }
  }

  /**
   * A subscription that cannot be removed goes with the installation.
   * @param unsubscribeMs of the time there is, for the subscription: the installation must be heard of too
   */
  private async removeFromPlatform(
    { installation, subscriptionId }: UninstallingInstallation,
    auth: PlatformAuthorization,
    unsubscribeMs: number,
  ): Promise<void> {
    const isShared = await this.hasSharedCredential(installation);
    if (subscriptionId !== undefined) {
      const unsubscribing = this.platformApi.deleteSubscription(auth, subscriptionId);
      await withTimeout(unsubscribeMs, 'removing the subscription', unsubscribing).catch((error: unknown) => {
        if (isShared) {
          throw error;
        }
        this.appLogger.of('installations').warn({ err: error }, 'uninstall.subscription_left');
      });
    }
    if (!isShared) {
      await this.platformApi.deleteInstallation(auth);
    }
  }

  /** Taking an organization's installation away would cut off its other companies. */
  private async hasSharedCredential({ id, accessLevel, organizationId }: Installation): Promise<boolean> {
    return (
      accessLevel === 'organisation' &&
      organizationId !== undefined &&
      (await this.tenantDatabase.acrossInstallations('find siblings', (tx) =>
        this.installationRepository.hasSiblings(tx, id, organizationId),
      ))
    );
  }
}

/** A credential that nothing opens any more must not keep the customer from leaving. */
function ignoreUnreadableCredential(error: unknown): undefined {
  if (!(error instanceof Permanent)) {
    throw error;
  }
}
