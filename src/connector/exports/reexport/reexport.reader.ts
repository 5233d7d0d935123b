import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { reexportView, type ReexportView } from './reexport.repository.js';

@Injectable()
export class ReexportReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  async find(installationId: InstallationId, id: string): Promise<ReexportView | undefined> {
    return this.tenantDatabase.readOnce('read re-export', installationId, (tx) =>
      tx.maybeOne(reexportView(installationId, { id })),
    );
  }

  /** The newest one of an issue. */
  async findNewest(installationId: InstallationId, issueKey: string): Promise<ReexportView | undefined> {
    return this.tenantDatabase.readOnce('find re-export', installationId, (tx) =>
      tx.maybeOne(reexportView(installationId, { issueKey })),
    );
  }
}
