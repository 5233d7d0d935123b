import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger, type ErpMasterData } from '../erp/erp-ledger.js';
import { InstallationsService } from '../installations/installations.service.js';

/** What is there to map to. */
@Injectable()
export class LoadMasterData {
  constructor(
    private readonly installationsService: InstallationsService,
    private readonly erpLedger: ErpLedger,
  ) {}

  /**
   * @returns undefined when no ERP company is linked, or the linked one is gone
   * @throws ErpUnavailable
   */
  async load(installationId: InstallationId): Promise<ErpMasterData | undefined> {
    const installation = await this.installationsService.find(installationId);
    return installation?.erpCompanyId && this.erpLedger.loadMasterData(installation.erpCompanyId);
  }
}
