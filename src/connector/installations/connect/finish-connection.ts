// Third step of connecting, in the background: subscription with its secret, activation. Each step reads the
// state before it acts, so the task can be repeated from any point.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { Installation } from '../domain/installation.js';
import { InstallationRepository } from '../installation.repository.js';
import { MaintainSubscription } from '../subscription/maintain-subscription.js';
import { connectionProblem } from './connection-problem.js';
import { PlatformRegistration } from './platform-registration.js';

@Injectable()
export class FinishConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly platformRegistration: PlatformRegistration,
    private readonly maintainSubscription: MaintainSubscription,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing unless the installation is authorized and not yet active.
   * @throws what the platform or the ERP throws, after it was recorded for the customer's administrator; the steps done so
   * far stay done, and the task is repeated
   */
  async finishConnection(installationId: InstallationId): Promise<void> {
    const installation = await this.tenantDatabase.readOnce('load installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
    if (installation?.state !== 'authorized') {
      return;
    }
    try {
      await this.completeSteps(installation);
    } catch (error) {
      await this.tenantDatabase.inInstallation('record connection problem', installationId, (tx) =>
        this.installationRepository.recordProblem(tx, installationId, connectionProblem(error)),
      );
      throw error;
    }
  }

  private async completeSteps(installation: Installation): Promise<void> {
    const { id } = installation;
    await this.platformRegistration.create(id);
    await this.maintainSubscription.ensure(id);
    await this.platformRegistration.activate(id);
    await this.tenantDatabase.inInstallation('activate installation', id, (tx) =>
      this.installationRepository.activate(tx, id, this.clock.now()),
    );
  }
}
