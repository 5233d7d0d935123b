import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { Installation } from '../domain/installation.js';
import { compareRegistrationNumbers } from '../domain/registration-number.js';
import { ErpCompanyAlreadyLinked, InstallationRepository } from '../installation.repository.js';
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
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly erpLedger: ErpLedger,
  ) {}

  /**
   * One key opens all companies of the ERP, so a customer's own admin may take only one that can be theirs; the operator
   * has looked.
   * @throws ErpUnavailable, and for an admin whatever keeps the platform from being asked: nothing is changed
   */
  async linkCompany(
    installationId: InstallationId,
    erpCompanyId: string,
    by: 'admin' | 'operator',
  ): Promise<ErpCompanyLink> {
    const installation = await this.tenantDatabase.inInstallation('find installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
    if (installation === undefined || installation.state === 'uninstalled') {
      return 'not-installed';
    }
    const company = (await this.erpLedger.listCompanies()).find((candidate) => candidate.id === erpCompanyId);
    if (company === undefined) {
      return 'unknown';
    }
    if (by === 'admin' && (await this.hasOtherRegistrationNumber(installation, company.registrationNumber))) {
      return 'other-company';
    }
    return this.storeLink(installationId, company.id);
  }

  private async hasOtherRegistrationNumber(
    installation: Installation,
    number: string | undefined,
  ): Promise<boolean> {
    const auth = this.platformAccess.authorizationFor(installation.id, 'people');
    const { registrationNumber } = await this.platformApi.getCompany(auth, installation.companyId);
    return compareRegistrationNumbers(registrationNumber, number) === 'different';
  }

  private async storeLink(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
  ): Promise<ErpCompanyLink> {
    try {
      return await this.tenantDatabase.inInstallation('link ERP company', installationId, async (tx) => {
        if (!(await this.installationRepository.lockActive(tx, installationId))) {
          return 'not-installed';
        }
        await this.installationRepository.linkErpCompany(tx, installationId, erpCompanyId);
        return 'linked';
      });
    } catch (error) {
      if (error instanceof ErpCompanyAlreadyLinked) {
        return 'taken';
      }
      throw error;
    }
  }
}
