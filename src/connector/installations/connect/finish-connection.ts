// Third step of connecting, in the background: subscription with its secret, activation. Each step reads the
// state before it acts, so the task can be repeated from any point.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { Retryable } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { CredentialRepository, PLATFORM } from '../credentials/credential.repository.js';
import { InstallationRepository } from '../installation.repository.js';
import { MaintainSubscription } from '../subscription/maintain-subscription.js';
import { connectionProblem } from './connection-problem.js';
import { PlatformRegistration } from './platform-registration.js';

/** More changes of the credential than this during one call count as a fault. */
const MAX_TRIES = 3;

@Injectable()
export class FinishConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly credentialRepository: CredentialRepository,
    private readonly platformRegistration: PlatformRegistration,
    private readonly maintainSubscription: MaintainSubscription,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing unless the installation is authorized and not yet active. A consent that came meanwhile is completed as well: what
   * was done for the one before says nothing about it.
   * @throws what the platform or the ERP throws, after it was recorded for the customer's administrator; the steps done so
   * far stay done, and the task is repeated
   */
  async finishConnection(installationId: InstallationId): Promise<void> {
    for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
      const unfinished = await this.findUnfinished(installationId);
      if (unfinished === undefined || (await this.finishOne(installationId, unfinished.version))) {
        return;
      }
    }
    throw new Retryable('the credential was replaced again and again while the connection was completed');
  }

  /**
   * @returns the version of the credential that is to be completed, none where it is missing: the first request will say so;
   * undefined when there is nothing to complete
   */
  private async findUnfinished(
    installationId: InstallationId,
  ): Promise<{ readonly version: number | undefined } | undefined> {
    return this.tenantDatabase.inInstallation('load installation', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      return installation?.state === 'authorized'
        ? { version: await this.credentialRepository.findVersion(tx, installationId) }
        : undefined;
    });
  }

  /** @returns false when the credential has been replaced meanwhile */
  private async finishOne(id: InstallationId, version: number | undefined): Promise<boolean> {
    try {
      await this.platformRegistration.create(id);
      await this.maintainSubscription.ensure(id);
      await this.platformRegistration.activate(id);
      return await this.activateWith(id, version);
    } catch (error) {
      await this.tenantDatabase.inInstallation('record connection problem', id, (tx) =>
        this.installationRepository.recordProblem(tx, id, connectionProblem(error)),
      );
      throw error;
    }
  }

  private async activateWith(id: InstallationId, version: number | undefined): Promise<boolean> {
    return this.tenantDatabase.inInstallation('activate installation', id, async (tx) => {
      const isCurrent =
        version !== undefined && (await this.credentialRepository.isCurrent(tx, id, { issuer: PLATFORM, version }));
      if (isCurrent) {
        await this.installationRepository.activate(tx, id, this.clock.now());
      }
      return isCurrent;
    });
  }
}
