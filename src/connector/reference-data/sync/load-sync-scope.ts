import { Injectable } from '@nestjs/common';
import { InstallationReader } from '../../installations/installation.reader.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import type { SyncLease } from '../domain/sync-run.js';
import { SyncBlocked, type SyncScope } from './sync-scope.js';

/** Finds the two sides of a run. */
@Injectable()
export class LoadSyncScope {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly platformAccess: PlatformAccess,
  ) {}

  /** @throws SyncBlocked when one of the two is not there */
  async load({
    installationId,
    companyId,
  }: Pick<SyncLease, 'installationId' | 'companyId'>): Promise<SyncScope> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state !== 'active' && installation?.state !== 'authorized') {
      throw new SyncBlocked('The connection to the platform is not active: connect the company again.');
    }
    const { erpCompanyId } = installation;
    if (erpCompanyId === undefined) {
      throw new SyncBlocked(
        'No company of the accounting system is linked: link one in the settings, then start the run again.',
      );
    }
    return {
      installationId,
      companyId,
      erpCompanyId,
      auth: this.platformAccess.authorizationFor(installationId),
    };
  }
}
