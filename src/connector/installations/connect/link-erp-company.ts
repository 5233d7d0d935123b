import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { Installation } from '../domain/installation.js';
import { compareNumbers } from '../domain/registration-number.js';
import { ErpCompanyTaken, InstallationRepository } from '../installation.repository.js';
import { PlatformAccess } from '../credentials/platform-access.js';

export type ErpCompanyLink =
  | 'linked'
  /** There is no such installation, or it was uninstalled. */
  | 'not-installed'
  /** The ERP has no such company. */
  | 'unknown'
  /** It has another registration number than the company on the platform. */
  | 'other-company'
  /** Another installation posts to it. */
  | 'taken';

/** Lets a person say which company of the ERP is meant. */
@Injectable()
export class LinkErpCompany {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly platform: PlatformApi,
    private readonly access: PlatformAccess,
    private readonly erp: ErpLedger,
  ) {}

  /**
   * One key opens all companies of the ERP, so a customer's own admin may take only one that can be theirs; the operator
   * has looked.
   * @throws ErpUnavailable, and for an admin whatever keeps the platform from being asked: nothing is changed
   */
  async run(
    installationId: InstallationId,
    erpCompanyId: string,
    by: 'admin' | 'operator',
  ): Promise<ErpCompanyLink> {
    const installation = await this.database.inInstallation('find installation', installationId, (tx) =>
      this.installations.find(tx, installationId),
    );
    if (installation === undefined || installation.state === 'uninstalled') {
      return 'not-installed';
    }
    const company = (await this.erp.listCompanies()).find((candidate) => candidate.id === erpCompanyId);
    if (company === undefined) {
      return 'unknown';
    }
    if (by === 'admin' && (await this.isAnother(installation, company.registrationNumber))) {
      return 'other-company';
    }
    return this.link(installationId, company.id);
  }

  private async isAnother(installation: Installation, number: string | undefined): Promise<boolean> {
    const auth = { ...this.access.of(installation.id), asker: 'people' } as const;
    const { registrationNumber } = await this.platform.getCompany(auth, installation.companyId);
    return compareNumbers(registrationNumber, number) === 'different';
  }

  private async link(installationId: InstallationId, erpCompanyId: ErpCompanyId): Promise<ErpCompanyLink> {
    try {
      return await this.database.inInstallation('link ERP company', installationId, async (tx) => {
        if (!(await this.installations.holdLiving(tx, installationId))) {
          return 'not-installed';
        }
        await this.installations.linkErpCompany(tx, installationId, erpCompanyId);
        return 'linked';
      });
    } catch (error) {
      if (error instanceof ErpCompanyTaken) {
        return 'taken';
      }
      throw error;
    }
  }
}
