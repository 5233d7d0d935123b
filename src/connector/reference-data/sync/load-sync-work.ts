import { Injectable } from '@nestjs/common';
import { InstallationsService } from '../../installations/installations.service.js';
import type { SyncLease } from '../domain/sync-run.js';
import { SyncBlocked, type SyncWork } from './sync-work.js';

/** Finds the two sides of a run. */
@Injectable()
export class LoadSyncWork {
  constructor(private readonly installations: InstallationsService) {}

  /** @throws SyncBlocked when one of the two is not there */
  async run({
    installationId,
    companyId,
  }: Pick<SyncLease, 'installationId' | 'companyId'>): Promise<SyncWork> {
    const installation = await this.installations.find(installationId);
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
      auth: this.installations.authorization(installationId),
    };
  }
}
