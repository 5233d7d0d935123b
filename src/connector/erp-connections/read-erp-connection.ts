import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpCapability } from '../erp/erp-ledger.js';
import { guaranteeOf, type ErpCapabilities } from '../erp/kit/capabilities.js';
import { ErpConnectionRepository, type ErpConnectionView } from './erp-connection.repository.js';
import { ErpKinds } from './erp-kinds.js';

export interface ErpConnectionReading {
  readonly connection: ErpConnectionView;
  /** As people call the ERP. */
  readonly name: string;
  readonly capabilities: ErpCapabilities | undefined;
  /** What follows a post whose outcome is unknown. */
  readonly guarantee: ErpCapability['level'] | undefined;
}

@Injectable()
export class ReadErpConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly erpKinds: ErpKinds,
  ) {}

  /** @returns without secrets; undefined when nothing is connected */
  async read(installationId: InstallationId): Promise<ErpConnectionReading | undefined> {
    const stored = await this.tenantDatabase.inInstallation('find ERP connection', installationId, (tx) =>
      this.erpConnectionRepository.findCurrent(tx, installationId),
    );
    if (stored === undefined) {
      return undefined;
    }
    const { secrets, ...connection } = stored;
    const definition = this.erpKinds.find(connection.kind);
    const capabilities = definition?.capabilities({ ...connection.settings, ...secrets });
    const guarantee = capabilities && guaranteeOf(capabilities).level;
    return { connection, name: definition?.name ?? connection.kind, capabilities, guarantee };
  }
}
