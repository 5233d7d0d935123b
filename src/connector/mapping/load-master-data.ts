import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import type { ConnectedErp } from '../erp/connected-erp.js';
import { ErpConnections } from '../erp/erp-connections.js';
import { ErpUnavailable, type ErpMasterData } from '../erp/erp-ledger.js';
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
    return (await this.open(installationId))?.loadMasterData();
  }

  /** As `load`, perhaps as an export has read it lately. */
  async loadLately(installationId: InstallationId): Promise<ErpMasterData | undefined> {
    return (await (await this.open(installationId))?.reuseMasterData())?.masterData;
  }

  /** As `load`, at most a minute old: for a person who looks again and again. */
  async loadWithinMinute(installationId: InstallationId): Promise<ErpMasterData | undefined> {
    return (await (await this.open(installationId))?.reuseMasterData(60_000))?.masterData;
  }

  /** Whether entries may be drafts there. @returns undefined while no ERP company is linked, or no ERP connected */
  async canKeepDrafts(installationId: InstallationId): Promise<boolean | undefined> {
    try {
      return (await this.open(installationId))?.capabilities.drafts;
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return undefined;
      }
      throw error;
    }
  }

  private async open(installationId: InstallationId): Promise<ConnectedErp | undefined> {
    const installation = await this.installationReader.find(installationId);
    const erpCompanyId = installation?.erpCompanyId;
    return erpCompanyId && this.erpConnections.open(installationId, erpCompanyId);
  }
}
