// Third step of connecting, in the background: subscription, its secret, the ERP company, activation. Each step looks
// before it acts, so the task can be repeated from anywhere.
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger } from '../erp/erp-ledger.js';
import { PlatformApi } from '../platform/platform-api.js';
import type { Installation } from './domain/installation.js';
import { InstallationRepository } from './installation.repository.js';
import { PlatformAccess } from './platform-access.js';
import { PublicAddress } from './public-address.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** The event whose notifications we ask for. */
const EXPORT_JOB_CREATED = 'v1.export-job.created';

@Injectable()
export class FinishConnection {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly subscriptions: SubscriptionSetup,
    private readonly platform: PlatformApi,
    private readonly access: PlatformAccess,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  async run(installationId: InstallationId): Promise<void> {
    const installation = await this.database.inInstallation('load installation', installationId, (tx) =>
      this.installations.find(tx, installationId),
    );
    if (installation?.state !== 'authorised') {
      return;
    }
    await this.subscriptions.ensure(installationId);
    await this.linkErpCompany(installation);
    await this.platform.activateInstallation(this.access.of(installationId));
    await this.database.inInstallation('activate installation', installationId, (tx) =>
      this.installations.activate(tx, installationId, this.clock.now()),
    );
  }

  /** Links the one ERP company with the same registration number; anything less certain waits for a person. */
  private async linkErpCompany(installation: Installation): Promise<void> {
    if (installation.erpCompanyId !== undefined) {
      return;
    }
    const company = await this.platform.getCompany(this.access.of(installation.id), installation.companyId);
    const number = company.registrationNumber?.trim();
    const candidates = (await this.erp.listCompanies()).filter(
      (candidate) => number !== undefined && number !== '' && candidate.registrationNumber === number,
    );
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) {
      await this.database.inInstallation('link ERP company', installation.id, (tx) =>
        this.installations.linkErpCompany(tx, installation.id, only.id),
      );
    }
  }
}

/** Makes sure the platform sends export-job events to our address for this installation, and that we know the secret. */
@Injectable()
export class SubscriptionSetup {
  constructor(
    private readonly database: TenantDatabase,
    private readonly subscriptions: SubscriptionRepository,
    private readonly platform: PlatformApi,
    private readonly access: PlatformAccess,
    private readonly address: PublicAddress,
  ) {}

  async ensure(installationId: InstallationId): Promise<void> {
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
