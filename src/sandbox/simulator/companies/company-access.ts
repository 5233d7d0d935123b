import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { ApiError, badParameter } from '../wire/api-error.js';
import { parseUuid, queryValue, type Query } from '../wire/parse-request.js';
import { CompanyRepository } from './company.repository.js';

/** Which companies a request is about. */
@Injectable()
export class CompanyAccess {
  constructor(private readonly companyRepository: CompanyRepository) {}

  /**
   * The companies that `company_id` or `organization_id` name; `company_id` wins (P7).
   * @returns undefined when the query names neither
   * @throws ApiError 403 when the credential reaches none of them
   */
  async namedByQuery(tx: Tx, caller: Caller, query: Query): Promise<readonly string[] | undefined> {
    const company = queryValue(query, 'company_id');
    if (company !== undefined) {
      return companiesOfQuery(caller, query);
    }
    const organization = queryValue(query, 'organization_id');
    return organization === undefined
      ? undefined
      : this.ofOrganization(tx, caller, parseUuid('organization_id', organization));
  }

  /** @throws ApiError 403 when no company of the credential belongs to the organization */
  async ofOrganization(tx: Tx, caller: Caller, organizationId: string): Promise<readonly string[]> {
    const ids = await this.companyRepository.idsOfOrganization(tx, caller.companyIds, organizationId);
    if (ids.length === 0) {
      throw new ApiError(403, 'FORBIDDEN', 'The credential gives no access to this organization.');
    }
    return ids;
  }
}

/**
 * The companies that a query parameter names: one, or all of the credential when it is not set.
 * @throws ApiError 403 for a foreign company; 400 when the value is no UUID
 */
export function companiesOfQuery(caller: Caller, query: Query, parameter = 'company_id'): readonly string[] {
  const given = queryValue(query, parameter);
  return companiesOf(caller, given === undefined ? undefined : parseUuid(parameter, given));
}

/**
 * The one company a request is about: the `company_id` parameter, or the only company of the credential.
 * @throws ApiError 400 when the credential covers several companies and none is named; 403 for a foreign one
 */
export function companyOfQuery(caller: Caller, query: Query): string {
  const [id, ...others] = companiesOfQuery(caller, query);
  if (id === undefined || others.length > 0) {
    throw badParameter('company_id: is needed by a credential that covers several companies');
  }
  return id;
}
