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
  /** The installation does not exist, or was uninstalled. */
  | 'not-installed'
  /** The ERP has no company with this id. */
  | 'unknown'
  /** Its registration number differs from the one of the platform's company. */
  | 'other-company'
  /** Another installation posts to it (P9.2). */
  | 'taken';

/** Links an installation to the ERP company its entries are posted to. */
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
   * The connector's ERP credential opens every company, so an administrator may link only one whose registration number
   * does not differ; the operator may link any.
   * @throws ErpUnavailable, and for an administrator what the platform client throws; nothing is changed then
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

  /**
   * Links the one ERP company that has the same registration number; with none or several an administrator decides.
   * @throws ErpUnavailable, ErpCompanyAlreadyLinked, and what the platform client throws
   */
  async linkMatching(installation: Installation): Promise<void> {
    const { id, companyId, erpCompanyId } = installation;
    if (erpCompanyId !== undefined) {
      return;
    }
    const company = await this.platformApi.getCompany(this.platformAccess.authorizationFor(id), companyId);
    const candidates = (await this.erpLedger.listCompanies()).filter(
      ({ registrationNumber }) => compareRegistrationNumbers(company.registrationNumber, registrationNumber) === 'same',
    );
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) {
      await this.tenantDatabase.inInstallation('link ERP company', id, (tx) =>
        this.installationRepository.linkErpCompany(tx, id, only.id),
      );
    }
  }

  private async hasOtherRegistrationNumber(installation: Installation, number: string | undefined): Promise<boolean> {
    const auth = this.platformAccess.authorizationFor(installation.id, 'people');
    const { registrationNumber } = await this.platformApi.getCompany(auth, installation.companyId);
    return compareRegistrationNumbers(registrationNumber, number) === 'different';
  }

  private async storeLink(installationId: InstallationId, erpCompanyId: ErpCompanyId): Promise<ErpCompanyLink> {
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
