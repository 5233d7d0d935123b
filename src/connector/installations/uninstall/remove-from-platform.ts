import { Injectable } from '@nestjs/common';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { withTimeout } from '../../../foundation/clock/with-timeout.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { AuthorizationLost, isTransient, PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import { unstoredKey, unstoredTokens } from '../connect/unstored-credential.js';
import type { StoredCredential } from '../credentials/credential.repository.js';
import type { Installation } from '../domain/installation.js';
import { InstallationRepository } from '../installation.repository.js';

/** An installation as it was before it was uninstalled. */
export interface UninstallingInstallation {
  readonly installation: Installation;
  /** Undefined where none can be decrypted. */
  readonly credential: StoredCredential | undefined;
  readonly subscriptionId: string | undefined;
}

/** All of it is harmless to repeat, and nothing repeats it once the key is destroyed. */
const ATTEMPTS = retry(handleWhen(isWorthRepeating), {
  maxAttempts: 4,
  backoff: new ExponentialBackoff({ initialDelay: 250, maxDelay: 2_000 }),
});

function isWorthRepeating(error: unknown): boolean {
  const isFinal = error instanceof AuthorizationLost || (error instanceof PlatformRefusal && !isTransient(error));
  return !isFinal;
}

/** Removes our subscription and installation from the platform, as far as the credential still allows it. */
@Injectable()
export class RemoveFromPlatform {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly platformApi: PlatformApi,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Never throws for a platform that fails: the customer is uninstalled in any case.
   * @param limitMs for all requests together, with those that are repeated; a third more where not one could be sent in it
   * @returns whether the platform has confirmed it
   */
  async remove(uninstalling: UninstallingInstallation, limitMs: number): Promise<boolean> {
    const { installation, credential } = uninstalling;
    const usable = credential !== undefined && (credential.kind === 'api-key' || credential.alive);
    if (!usable || installation.state === 'needs_reauthorization') {
      return false;
    }
    const auth = credential.kind === 'api-key' ? unstoredKey(credential.key) : unstoredTokens(credential);
    const progress = { isAsked: false };
    const send = () => this.sendRequests(uninstalling, auth, limitMs / 3, progress);
    try {
      // No attempt begins after the limit.
      const requests = ATTEMPTS.execute(send, AbortSignal.timeout(limitMs));
      await withTimeout(limitMs, 'notifying the platform', requests).catch(async (error: unknown) => {
        if (progress.isAsked) {
          throw error;
        }
        // This process stood still: the limit is over, and the platform has not heard of it.
        await withTimeout(limitMs / 3, 'notifying the platform late', send());
      });
      return true;
    } catch (error) {
      this.appLogger.of('installations').warn({ err: error }, 'uninstall.platform_not_notified');
      return false;
    }
  }

  /**
   * A subscription that cannot be deleted ends with the installation, unless the installation stays for other companies.
   * @param requestMs limit for each request, so that time is left for the next
   * @param progress notes that the installation is being deleted
   */
  private async sendRequests(
    { installation, subscriptionId }: UninstallingInstallation,
    auth: PlatformAuthorization,
    requestMs: number,
    progress: { isAsked: boolean },
  ): Promise<void> {
    const isShared = await this.hasSharedCredential(installation);
    if (subscriptionId !== undefined) {
      const unsubscribing = this.platformApi.deleteSubscription(auth, subscriptionId);
      await withTimeout(requestMs, 'deleting the subscription', unsubscribing).catch((error: unknown) => {
        if (isShared) {
          throw error;
        }
        this.appLogger.of('installations').warn({ err: error }, 'uninstall.subscription_left');
      });
    }
    if (!isShared && !(await this.isInstalledAgain(installation))) {
      progress.isAsked = true;
      await withTimeout(requestMs, 'deleting the installation', this.platformApi.deleteInstallation(auth));
    }
  }

  /** The platform has one installation of the company: deleting it would revoke the new consent as well. */
  private async isInstalledAgain({ id }: Installation): Promise<boolean> {
    const current = await this.tenantDatabase.readOnce('look for reinstall', id, (tx) =>
      this.installationRepository.find(tx, id),
    );
    return current?.state !== 'uninstalled';
  }

  /** Deleting an organization's installation would disconnect its other companies. */
  private async hasSharedCredential({ id, accessLevel, organizationId }: Installation): Promise<boolean> {
    return (
      accessLevel === 'organization' &&
      organizationId !== undefined &&
      (await this.tenantDatabase.acrossInstallations('find siblings', (tx) =>
        this.installationRepository.hasSiblings(tx, id, organizationId),
      ))
    );
  }
}
