import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { PlatformApi } from '../platform/platform-api.js';
import { PlatformAccess } from './platform-access.js';
import { PublicAddress } from './public-address.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** The event whose notifications we ask for. */
const EXPORT_JOB_CREATED = 'v1.export-job.created';

/** Makes sure the platform sends export-job events to our address for this installation, and that we know the secret. */
@Injectable()
export class SetUpSubscription {
  constructor(
    private readonly database: TenantDatabase,
    private readonly subscriptions: SubscriptionRepository,
    private readonly platform: PlatformApi,
    private readonly access: PlatformAccess,
    private readonly address: PublicAddress,
  ) {}

  async run(installationId: InstallationId): Promise<void> {
    const endpointToken = await this.database.inInstallation(
      'reserve endpoint',
      installationId,
      async (tx) => {
        await this.subscriptions.reserve(tx, installationId, randomBytes(24).toString('base64url'));
        return (await this.subscriptions.find(tx, installationId))?.endpointToken ?? '';
      },
    );
    const endpointUrl = this.address.webhook(endpointToken);
    const auth = this.access.of(installationId);
    const request = { endpointUrl, eventTypes: [EXPORT_JOB_CREATED], status: 'ACTIVE' as const };
    // Our address is unique, so a subscription that an earlier, interrupted run created is found by it.
    const existing = (await this.platform.listSubscriptions(auth)).find(
      (one) => one.endpointUrl === endpointUrl,
    );
    const subscription =
      existing === undefined
        ? await this.platform.createSubscription(auth, request)
        : await this.platform.updateSubscription(auth, existing.id, request);
    const secret = await this.platform.getSubscriptionSecret(auth, subscription.id);
    await this.database.inInstallation('confirm subscription', installationId, (tx) =>
      this.subscriptions.confirm(tx, installationId, subscription.id, secret),
    );
  }
}
