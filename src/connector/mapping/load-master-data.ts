import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpConnections } from '../erp/erp-connections.js';
import type { ErpMasterData } from '../erp/erp-ledger.js';
import { InstallationReader } from '../installations/installation.reader.js';

/** What is there to map to. */
@Injectable()
export class LoadMasterData {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly erpConnections: ErpConnections,
  ) {}

  /**
   * @returns undefined when no ERP company is linked, or the linked one is gone
   * @throws ErpUnavailable
   */
  async load(installationId: InstallationId): Promise<ErpMasterData | undefined> {
    const installation = await this.installationReader.find(installationId);
    const erpCompanyId = installation?.erpCompanyId;
    return erpCompanyId && (await this.erpConnections.open(installationId, erpCompanyId)).loadMasterData();
  }
}
