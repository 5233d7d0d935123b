import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { ConsentView } from './authorization.pages.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { PersonReader } from './person.reader.js';
import { PERSONS } from './persons.js';

/** Reads the contents of the consent page. */
@Injectable()
export class ConsentReader {
  constructor(
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly personReader: PersonReader,
    private readonly database: Database,
  ) {}

  /** @param visit company and person of the simulator's page in the same browser, whether they exist or not */
  async read(
    clientId: string,
    scopes: readonly string[],
    [companyId = '', personId = '']: readonly string[],
  ): Promise<ConsentView> {
    const visitor = await this.personReader.findOfCompany(companyId, personId);
    return this.database.inTransaction('show consent', async (tx) => {
      const client = await this.oAuthClientRepository.find(tx, clientId);
      const companies = await this.companyRepository.findAll(tx);
      const persons = visitor === undefined ? PERSONS : [visitor, ...PERSONS];
      return { clientName: client?.name ?? clientId, scopes, companies, persons, companyId, visitor };
    });
  }
}
