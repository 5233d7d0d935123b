// Third step of connecting, in the background: subscription, its secret, the ERP company, activation. Each step looks
// before it acts, so the task can be repeated from anywhere.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger } from '../erp/erp-ledger.js';
import { PlatformApi } from '../platform/platform-api.js';
import type { Installation } from './domain/installation.js';
import { InstallationRepository } from './installation.repository.js';
import { PlatformAccess } from './platform-access.js';
import { SetUpSubscription } from './set-up-subscription.js';

@Injectable()
export class FinishConnection {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly subscription: SetUpSubscription,
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
    await this.subscription.run(installationId);
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
