import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpConnections } from '../erp/erp-connections.js';
import { ErpCompanyAlreadyLinked, InstallationRepository } from '../installations/installation.repository.js';
import { companyRef } from './domain/company-ref.js';
import { ErpConnectionRepository } from './erp-connection.repository.js';
import { RecordCompanyClaim } from './record-company-claim.js';

export type ErpCompanyLink =
  | 'linked'
  /** The installation does not exist, or was uninstalled. */
  | 'not-installed'
  /** The credentials of the connection, as it is now, open no company with this id. */
  | 'unknown'
  /** The sandbox's ledger opens every company with one key: only the operator links there. */
  | 'operator-only'
  /** Another installation posts to it (P9.2). */
  | 'taken';

/** Links an installation to the ERP company its entries are posted to. Nothing is ever linked by itself (S76). */
@Injectable()
export class LinkErpCompany {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly erpConnections: ErpConnections,
    private readonly recordCompanyClaim: RecordCompanyClaim,
  ) {}

  /**
   * Whose company it is, is proved by the credentials that open it: an administrator may link any that the installation's
   * own connection shows. Registration numbers prove nothing.
   * @param companyId as the ERP names it
   * @throws ErpUnavailable; nothing is changed then
   */
  async linkCompany(
    installationId: InstallationId,
    companyId: string,
    by: 'admin' | 'operator',
  ): Promise<ErpCompanyLink> {
    const [installation, connection] = await this.tenantDatabase.inInstallation(
      'find installation',
      installationId,
      async (tx) => [
        await this.installationRepository.find(tx, installationId),
        await this.erpConnectionRepository.findCurrent(tx, installationId),
      ],
    );
    if (installation === undefined || installation.state === 'uninstalled') {
      return 'not-installed';
    }
    const system = connection?.system ?? 'default';
    if (connection === undefined && by === 'admin') {
      await this.recordCompanyClaim.recordClaim(installationId, system, companyId);
      return 'operator-only';
    }
    const companies = await this.erpConnections.listCompanies(installationId);
    const company = companies.find(({ id }) => id === companyId);
    if (company === undefined) {
      await this.recordCompanyClaim.recordClaim(installationId, system, companyId);
      return 'unknown';
    }
    const ref =
      connection === undefined ? company.id : companyRef(connection.generation, connection.isFirst, company.id);
    try {
      return await this.tenantDatabase.inInstallation('link ERP company', installationId, async (tx) => {
        if (!(await this.installationRepository.lockActive(tx, installationId))) {
          return 'not-installed';
        }
        // Another person may have ended it since, or connected another ERP.
        const current = await this.erpConnectionRepository.findCurrent(tx, installationId);
        if (current?.generation !== connection?.generation) {
          return 'unknown';
        }
        await this.installationRepository.linkErpCompany(tx, installationId, { system, company: company.id }, ref);
        return 'linked';
      });
    } catch (error) {
      if (error instanceof ErpCompanyAlreadyLinked) {
        await this.recordCompanyClaim.recordClaim(installationId, system, companyId);
        return 'taken';
      }
      throw error;
    }
  }
}
