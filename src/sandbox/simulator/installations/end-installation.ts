import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { OAuthRecordRepository } from '../authorization/oauth-record.repository.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { resourceUrn } from '../wire/resource-urn.js';
import type { Installation } from './installation.js';
import { InstallationRepository, type InstallationOwner } from './installation.repository.js';

/** Ends access: of an installation that is deleted, or of one that stays and has to be authorized again. */
@Injectable()
export class EndInstallation {
  constructor(
    private readonly installationRepository: InstallationRepository,
    private readonly oAuthRecordRepository: OAuthRecordRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** The installations of all applications for a company, oldest first. */
  async listOfCompany(companyId: string): Promise<readonly Installation[]> {
    return this.database.inTransaction('find installations', (tx) =>
      this.installationRepository.findByResource(tx, resourceUrn('company', companyId)),
    );
  }

  /** As `endInstallation` for every application of a company. @returns how many there were */
  async disconnectCompany(companyId: string): Promise<number> {
    const installations = await this.listOfCompany(companyId);
    for (const installation of installations) {
      await this.endInstallation(installation);
    }
    return installations.length;
  }

  /** As `revokeTokens` for every application of a company. @returns how many there were */
  async revokeTokensOfCompany(companyId: string): Promise<number> {
    const installations = await this.listOfCompany(companyId);
    for (const installation of installations) {
      await this.revokeTokens(installation);
    }
    return installations.length;
  }

  /**
   * Deletes an installation with its subscriptions, and revokes all its tokens (P3.1, "Revocation").
   * @returns false when there is no such installation
   */
  async endInstallation(owner: InstallationOwner): Promise<boolean> {
    const now = this.simulatorClock.now();
    return this.database.inTransaction('delete installation', async (tx) => {
      const found = await this.installationRepository.find(tx, owner);
      if (found === undefined) {
        return false;
      }
      await this.oAuthRecordRepository.removeByInstallation(tx, found.id);
      await this.subscriptionRepository.removeAllOf(tx, owner, now);
      await this.installationRepository.markDeleted(tx, found.id, now);
      return true;
    });
  }

  /**
   * Revokes the tokens of an installation only.
   * @returns false when there is no such installation
   */
  async revokeTokens(owner: InstallationOwner): Promise<boolean> {
    return this.database.inTransaction('revoke tokens', async (tx) => {
      const found = await this.installationRepository.find(tx, owner);
      if (found !== undefined) {
        await this.oAuthRecordRepository.removeByInstallation(tx, found.id);
      }
      return found !== undefined;
    });
  }
}
