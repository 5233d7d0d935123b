// Third step of connecting, in the background: subscription, its secret, the ERP company, activation. Each step looks
// before it acts, so the task can be repeated from anywhere.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { CareForSubscription } from '../subscription/care-for-subscription.js';
import { connectionProblem } from './connection-problem.js';
import { CredentialRepository } from '../credentials/credential.repository.js';
import type { Installation } from '../domain/installation.js';
import { compareNumbers } from '../domain/registration-number.js';
import { InstallationRepository } from '../installation.repository.js';
import { PlatformAccess } from '../credentials/platform-access.js';

@Injectable()
export class FinishConnection {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly credentials: CredentialRepository,
    private readonly subscription: CareForSubscription,
    private readonly platform: PlatformApi,
    private readonly access: PlatformAccess,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /** @throws what kept it from finishing, after it was noted for the customer's administrator; the task comes again */
  async run(installationId: InstallationId): Promise<void> {
    const installation = await this.database.inInstallation('load installation', installationId, (tx) =>
      this.installations.find(tx, installationId),
    );
    if (installation?.state !== 'authorized') {
      return;
    }
    try {
      await this.finish(installation);
    } catch (error) {
      await this.database.inInstallation('note connection problem', installationId, (tx) =>
        this.installations.noteProblem(tx, installationId, connectionProblem(error)),
      );
      throw error;
    }
  }

  private async finish(installation: Installation): Promise<void> {
    const { id } = installation;
    const auth = this.access.of(id);
    const credential = await this.database.inInstallation('load kind of credential', id, (tx) =>
      this.credentials.summary(tx, id),
    );
    const isApiKey = credential?.kind === 'api-key';
    if (isApiKey) {
      await this.platform.createInstallation(auth);
    }
    await this.subscription.run(id);
    await this.linkErpCompany(installation);
    await (isApiKey
      ? this.platform.setInstallationActivated(auth)
      : this.platform.activateInstallation(auth));
    await this.database.inInstallation('activate installation', id, (tx) =>
      this.installations.activate(tx, id, this.clock.now()),
    );
  }

  /** Links the one ERP company with the same registration number; anything less certain waits for a person. */
  private async linkErpCompany(installation: Installation): Promise<void> {
    if (installation.erpCompanyId !== undefined) {
      return;
    }
    const company = await this.platform.getCompany(this.access.of(installation.id), installation.companyId);
    const candidates = (await this.erp.listCompanies()).filter(
      ({ registrationNumber }) => compareNumbers(company.registrationNumber, registrationNumber) === 'same',
    );
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) {
      await this.database.inInstallation('link ERP company', installation.id, (tx) =>
        this.installations.linkErpCompany(tx, installation.id, only.id),
      );
    }
  }
}
