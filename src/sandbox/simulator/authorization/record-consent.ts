import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { ChangeInstallation } from '../installations/change-installation.js';
import { ApiError } from '../wire/api-error.js';
import { resourceUrn } from '../wire/resource-urn.js';
import { AuthorizationServer } from './authorization-server.js';
import { ConsentRepository } from './consent.repository.js';
import { OAuthClientRepository } from './oauth-client.repository.js';

export interface Approval {
  readonly clientId: string;
  readonly personId: string;
  readonly companyId: string;
  /** For this company, or for all companies of its organization. */
  readonly accessLevel: 'company' | 'organisation';
  readonly scopes: readonly string[];
}

/** Records a person's approval (P3.1). */
@Injectable()
export class RecordConsent {
  constructor(
    private readonly authorizationServer: AuthorizationServer,
    private readonly consentRepository: ConsentRepository,
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly changeInstallation: ChangeInstallation,
    private readonly database: Database,
  ) {}

  /**
   * Creates the consent and, unless the company or organization has this app already, its installation in `AUTHORIZED`.
   * @returns id of the consent, root of its family of tokens
   * @throws ApiError 400 when there is no such company
   */
  async record(resource: string, approval: Approval): Promise<string> {
    const grant = new this.authorizationServer.provider.Grant({
      accountId: approval.personId,
      clientId: approval.clientId,
    });
    grant.addResourceScope(resource, approval.scopes.join(' '));
    const grantId = await grant.save();
    await this.database.inTransaction('record consent', async (tx) => {
      const client = await this.oAuthClientRepository.find(tx, approval.clientId);
      const [company] = await this.companyRepository.findByIds(tx, [approval.companyId]);
      if (client === undefined || company === undefined) {
        throw new ApiError(400, 'VALIDATION_FAILED', 'company_id: there is no such company');
      }
      const isForAll = approval.accessLevel === 'organisation';
      const installedFor = isForAll
        ? resourceUrn('organisation', company.organizationId)
        : resourceUrn('company', company.id);
      const installation = await this.changeInstallation.install(tx, {
        applicationId: client.applicationId,
        resource: installedFor,
      });
      await this.consentRepository.add(tx, {
        grantId,
        installationId: installation.id,
        companyId: isForAll ? null : company.id,
      });
    });
    return grantId;
  }
}
