// Leaving, from our side. First nothing may act for the installation any more, then the platform is told, then the keys are
// destroyed, whatever the platform said: all within half a minute (invariant I32).
import { Injectable } from '@nestjs/common';
import { within } from '../../../foundation/clock/within.js';
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
const TELL_LIMIT_MS = 15_000;
/** For one that was interrupted, whose half minute has begun long before. */
const TELL_LATE_LIMIT_MS = 5_000;

interface Leaving {
  readonly installation: Installation;
  readonly credential: StoredCredential | undefined;
  readonly subscriptionId: string | undefined;
}

@Injectable()
export class Uninstall {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly credentials: CredentialRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly dataKeys: DataKeyRepository,
    private readonly platform: PlatformApi,
    private readonly logger: AppLogger,
  ) {}

  /** @returns whether the platform has confirmed that it knows; undefined when it was uninstalled before */
  async run(installationId: InstallationId): Promise<boolean | undefined> {
    const leaving = await this.close(installationId);
    if (leaving === undefined) {
      return undefined;
    }
    const told = await this.tell(leaving, TELL_LIMIT_MS);
    await this.shred(installationId);
    return told;
  }

  /** Ends an uninstalling that was interrupted: perhaps before the platform was told. */
  async finish(installationId: InstallationId): Promise<void> {
    const leaving = await this.database.inInstallation('load uninstalled', installationId, (tx) =>
      this.leavingOf(tx, installationId),
    );
    if (leaving?.installation.state === 'uninstalled') {
      await this.tell(leaving, TELL_LATE_LIMIT_MS);
    }
    await this.shred(installationId);
  }

  private async shred(installationId: InstallationId): Promise<void> {
    await this.database.inInstallation('destroy data key', installationId, (tx) =>
      this.dataKeys.destroy(tx, installationId),
    );
  }

  /** From here on no credential of the installation is given out. */
  private async close(installationId: InstallationId): Promise<Leaving | undefined> {
    return this.database.inInstallation('uninstall', installationId, async (tx) => {
      const leaving = await this.leavingOf(tx, installationId);
      return (await this.installations.uninstall(tx, installationId)) ? leaving : undefined;
    });
  }

  private async leavingOf(tx: Tx, installationId: InstallationId): Promise<Leaving | undefined> {
    const installation = await this.installations.find(tx, installationId);
    if (installation === undefined) {
      return undefined;
    }
    const credential = await this.credentials.find(tx, installationId).catch(unlessUnreadable);
    const subscription = await this.subscriptions.summary(tx, installationId);
    return { installation, credential, subscriptionId: subscription?.platformSubscriptionId ?? undefined };
  }

  /** @returns whether the platform has confirmed it */
  private async tell(leaving: Leaving, limitMs: number): Promise<boolean> {
    const { installation, credential } = leaving;
    const usable = credential !== undefined && (credential.kind === 'api-key' || credential.alive);
    if (!usable || installation.state === 'needs_reauthorization') {
      return false;
    }
    const auth = credential.kind === 'api-key' ? unstoredKey(credential.key) : unstoredTokens(credential);
    try {
      await within(limitMs, 'telling the platform', this.remove(leaving, auth, limitMs / 3));
      return true;
    } catch (error) {
      this.logger.of('installations').warn({ err: error }, 'uninstall.platform_not_told');
      return false;
    }
  }

  /**
   * A subscription that cannot be removed goes with the installation.
   * @param unsubscribeMs of the time there is, for the subscription: the installation must be heard of too
   */
  private async remove(
    { installation, subscriptionId }: Leaving,
    auth: PlatformAuthorization,
    unsubscribeMs: number,
  ): Promise<void> {
    const isShared = await this.sharesItsCredential(installation);
    if (subscriptionId !== undefined) {
      const unsubscribing = this.platform.deleteSubscription(auth, subscriptionId);
      await within(unsubscribeMs, 'removing the subscription', unsubscribing).catch((error: unknown) => {
        if (isShared) {
          throw error;
        }
        this.logger.of('installations').warn({ err: error }, 'uninstall.subscription_left');
      });
    }
    if (!isShared) {
      await this.platform.deleteInstallation(auth);
    }
  }

  /** Taking an organization's installation away would cut off its other companies. */
  private async sharesItsCredential({ id, accessLevel, organizationId }: Installation): Promise<boolean> {
    return (
      accessLevel === 'organisation' &&
      organizationId !== undefined &&
      (await this.database.acrossInstallations('find siblings', (tx) =>
        this.installations.hasSiblings(tx, id, organizationId),
      ))
    );
  }
}

/** A credential that nothing opens any more must not keep the customer from leaving. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof Permanent)) {
    throw error;
  }
}
