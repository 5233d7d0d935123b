import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { Ownership } from '../../runs/lease.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import type { SyncLease } from '../domain/sync-run.js';
import { SyncBlocked } from '../domain/sync-blocked.js';
import type { SyncScope } from './sync-scope.js';

/** Finds the platform company and the ERP company of a run. */
@Injectable()
export class LoadSyncScope {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly platformAccess: PlatformAccess,
    private readonly erpConnections: ErpConnections,
  ) {}

  /** @throws SyncBlocked for an unknown installation, and as `load` does */
  async loadOf(installationId: InstallationId): Promise<SyncScope> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined) {
      throw new SyncBlocked(message('sync.failure.no-installation'));
    }
    return this.load({ installationId, companyId: installation.companyId });
  }

  /** @throws SyncBlocked when the platform or the ERP is not connected */
  async load(
    { installationId, companyId }: Pick<SyncLease, 'installationId' | 'companyId'>,
    ownership?: Ownership,
  ): Promise<SyncScope> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state !== 'active' && installation?.state !== 'authorized') {
      throw new SyncBlocked(message('sync.failure.not-active'));
    }
    const { erpCompanyId } = installation;
    if (erpCompanyId === undefined) {
      throw new SyncBlocked(message('sync.failure.not-linked'));
    }
    return {
      installationId,
      companyId,
      erpCompanyId,
      erp: await this.erpConnections.open(installationId, erpCompanyId, ownership),
      auth: this.platformAccess.authorizationFor(installationId),
    };
  }
}
