// Third step of connecting, in the background: subscription, its secret, the ERP company, activation. Each step looks
// before it acts, so the task can be repeated from anywhere.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { MaintainSubscription } from '../subscription/maintain-subscription.js';
import { connectionProblem } from './connection-problem.js';
import { CredentialRepository } from '../credentials/credential.repository.js';
import type { Installation } from '../domain/installation.js';
import { compareRegistrationNumbers } from '../domain/registration-number.js';
import { InstallationRepository } from '../installation.repository.js';
import { PlatformAccess } from '../credentials/platform-access.js';

@Injectable()
export class FinishConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly maintainSubscription: MaintainSubscription,
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly erpLedger: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /** @throws what kept it from finishing, after it was noted for the customer's administrator; the task comes again */
  async finishConnection(installationId: InstallationId): Promise<void> {
    const installation = await this.tenantDatabase.inInstallation('load installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
    if (installation?.state !== 'authorized') {
      return;
    }
    try {
      await this.completeSteps(installation);
    } catch (error) {
      await this.tenantDatabase.inInstallation('note connection problem', installationId, (tx) =>
        this.installationRepository.recordProblem(tx, installationId, connectionProblem(error)),
      );
      throw error;
    }
  }

  private async completeSteps(installation: Installation): Promise<void> {
    const { id } = installation;
    const auth = this.platformAccess.authorizationFor(id);
    const credential = await this.tenantDatabase.inInstallation('load kind of credential', id, (tx) =>
      this.credentialRepository.summary(tx, id),
    );
    const isApiKey = credential?.kind === 'api-key';
    if (isApiKey) {
      await this.platformApi.createInstallation(auth);
    }
    await this.maintainSubscription.ensure(id);
    await this.linkErpCompany(installation);
    await (isApiKey
      ? this.platformApi.setInstallationActivated(auth)
      : this.platformApi.activateInstallation(auth));
    await this.tenantDatabase.inInstallation('activate installation', id, (tx) =>
      this.installationRepository.activate(tx, id, this.clock.now()),
    );
  }

  /** Links the one ERP company with the same registration number; anything less certain waits for a person. */
  private async linkErpCompany(installation: Installation): Promise<void> {
    if (installation.erpCompanyId !== undefined) {
      return;
    }
    const company = await this.platformApi.getCompany(
      this.platformAccess.authorizationFor(installation.id),
      installation.companyId,
    );
    const candidates = (await this.erpLedger.listCompanies()).filter(
      ({ registrationNumber }) =>
        compareRegistrationNumbers(company.registrationNumber, registrationNumber) === 'same',
    );
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) {
      await this.tenantDatabase.inInstallation('link ERP company', installation.id, (tx) =>
        this.installationRepository.linkErpCompany(tx, installation.id, only.id),
      );
    }
  }
}
