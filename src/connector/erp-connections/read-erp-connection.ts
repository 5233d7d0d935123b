import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpCapability } from '../erp/erp-ledger.js';
import type { ErpDefinition } from '../erp/kit/define-erp.js';
import { guaranteeOf, type ErpCapabilities } from '../erp/kit/capabilities.js';
import { ErpConnectionRepository, type ErpConnectionView } from './erp-connection.repository.js';
import { ErpKinds } from './erp-kinds.js';

/** A kind of ERP that can be connected, and what has to be entered for it. */
export interface ErpKindView {
  readonly kind: string;
  readonly name: string;
  /** JSON Schema. */
  readonly settingsSchema: ErpDefinition['connection']['schema'];
  readonly secrets: readonly string[];
}

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

  listKinds(): readonly ErpKindView[] {
    return this.erpKinds.list().map(({ id, name, connection }) => ({
      kind: id,
      name,
      settingsSchema: connection.schema,
      secrets: connection.secrets,
    }));
  }

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
