import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { CredentialRepository } from '../credentials/credential.repository.js';
import { PlatformAccess } from '../credentials/platform-access.js';

/** Our installation as the platform lists it. A consent creates it there; with an API key the connector does. */
@Injectable()
export class PlatformRegistration {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly credentialRepository: CredentialRepository,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
  ) {}

  /** Repeatable. @throws PlatformRefusal, InvalidPlatformResponse, NoResponse or AuthorizationLost */
  async create(installationId: InstallationId): Promise<void> {
    if (await this.hasApiKey(installationId)) {
      await this.platformApi.createInstallation(this.platformAccess.authorizationFor(installationId));
    }
  }

  /** Repeatable. @throws PlatformRefusal, InvalidPlatformResponse, NoResponse or AuthorizationLost */
  async activate(installationId: InstallationId): Promise<void> {
    const auth = this.platformAccess.authorizationFor(installationId);
    await ((await this.hasApiKey(installationId))
      ? this.platformApi.setInstallationActivated(auth)
      : this.platformApi.activateInstallation(auth));
  }

  private async hasApiKey(installationId: InstallationId): Promise<boolean> {
    const credential = await this.tenantDatabase.readOnce('load credential', installationId, (tx) =>
      this.credentialRepository.summary(tx, installationId),
    );
    return credential?.kind === 'api-key';
  }
}
