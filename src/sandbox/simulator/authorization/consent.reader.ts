import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { ConsentView } from './authorization.pages.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { PERSONS } from './persons.js';

/** Reads the contents of the consent page. */
@Injectable()
export class ConsentReader {
  constructor(
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly database: Database,
  ) {}

  async read(clientId: string, scopes: readonly string[]): Promise<Omit<ConsentView, 'companyId'>> {
    return this.database.inTransaction('show consent', async (tx) => {
      const client = await this.oAuthClientRepository.find(tx, clientId);
      const companies = await this.companyRepository.findAll(tx);
      return { clientName: client?.name ?? clientId, scopes, companies, persons: PERSONS };
    });
  }
}
