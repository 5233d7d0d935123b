import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { ALL_SYNC_KINDS, type SyncKind } from './domain/sync-plan.js';
import type { SyncRunView } from './domain/sync-run.js';
import { RequestSyncs, type SyncOptions } from './request-syncs.js';
import { SyncRunRepository } from './sync-run.repository.js';

/** Requests runs outside their schedule. */
@Injectable()
export class StartSyncs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly requestSyncs: RequestSyncs,
    private readonly syncRunRepository: SyncRunRepository,
  ) {}

  /**
   * On behalf of a person.
   * @returns the open run of each kind, in their order; none for an unknown installation
   */
  async startForPerson(
    installationId: InstallationId,
    kinds: readonly SyncKind[] = ALL_SYNC_KINDS,
    options: SyncOptions = {},
  ): Promise<readonly SyncRunView[]> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined) {
      return [];
    }
    const company = { installationId, companyId: installation.companyId };
    return this.tenantDatabase.inInstallation('request syncs', installationId, async (tx) => {
      const ids = await this.requestSyncs.request(tx, company, kinds, 'person', options);
      const views: SyncRunView[] = [];
      for (const id of ids) {
        const view = await this.syncRunRepository.find(tx, installationId, id);
        views.push(...(view === undefined ? [] : [view]));
      }
      return views;
    });
  }

  /** The platform has a new vendor that the ERP may not have. Before the first run of a connection that run finds it. */
  async startAfterVendorCreated(installationId: InstallationId): Promise<void> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state === 'active' && installation.erpCompanyId !== undefined) {
      const company = { installationId, companyId: installation.companyId };
      await this.tenantDatabase.inInstallation('vendor appeared', installationId, (tx) =>
        this.requestSyncs.request(tx, company, ['vendor-drafts'], 'vendor-created'),
      );
    }
  }
}
