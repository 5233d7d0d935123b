import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger, type ErpBooks } from '../erp/erp-ledger.js';
import { InstallationsService } from '../installations/installations.service.js';

/** What is there to map to. */
@Injectable()
export class LoadBooks {
  constructor(
    private readonly installations: InstallationsService,
    private readonly erp: ErpLedger,
  ) {}

  /**
   * @returns undefined when no ERP company is linked, or the linked one is gone
   * @throws ErpUnavailable
   */
  async run(installationId: InstallationId): Promise<ErpBooks | undefined> {
    const installation = await this.installations.find(installationId);
    return installation?.erpCompanyId && this.erp.loadBooks(installation.erpCompanyId);
  }
}
