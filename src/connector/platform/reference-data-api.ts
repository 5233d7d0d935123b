// Client of the platform's reference data: accounts, tax codes, tag groups, tags, vendors, companies (P4 to P8).
// What is repeated blindly and what is not follows from what the platform does with the same request twice.
import type { PlatformAuthorization, PlatformHttp, PlatformRequest } from './platform-http.js';
import { single } from './platform.schema.js';
import { acknowledgment, responseParser } from './parse-response.js';
import { fetchAll } from './read-pages.js';
import {
  accountBatchSchema,
  accountSchema,
  offeredCompanySchema,
  tagGroupSchema,
  tagGroupsSchema,
  tagSchema,
  taxCodeSchema,
  vendorSchema,
  type WireAccount,
  type WireAccountBatch,
  type WireCompany,
  type WireTag,
  type WireTagGroup,
  type WireTaxCode,
  type WireVendor,
} from './reference-data.schema.js';

/** Most accounts of one batch (P4). */
export const ACCOUNT_BATCH_LIMIT = 1_000;
/** Most tags of one bulk operation (P7). */
export const TAG_BULK_LIMIT = 100;
/** Most values of one filter of the vendor search (P6). */
export const VENDOR_FILTER_LIMIT = 100;

export type AccountRequest = Omit<WireAccount, 'id' | 'externalId'>;
export type NewAccountRequest = Omit<WireAccount, 'id'>;
export type TaxCodeRequest = Omit<WireTaxCode, 'id'>;
export type TagGroupRequest = Omit<WireTagGroup, 'id'>;
export type TagRequest = Omit<WireTag, 'id'>;

/** What is undefined is left out, and then unknown to the platform. */
export interface VendorRequest {
  readonly name: string;
  readonly defaultCurrency: string;
  readonly externalId: string;
  readonly code: string;
  readonly country: string | undefined;
  readonly registrationNumber: string | undefined;
  readonly taxRegistrationNumber: string | undefined;
}

/** Empty and absent filters filter nothing. */
export interface VendorFilter {
  readonly ids?: readonly string[];
  readonly states?: readonly string[];
  readonly externalIds?: readonly string[];
  readonly codes?: readonly string[];
}

export class ReferenceDataApi {
  constructor(private readonly platformHttp: PlatformHttp) {}

  /** Search accounts (P4): active and archived ones. */
  async listAccounts(auth: PlatformAuthorization, companyId: string): Promise<readonly WireAccount[]> {
    const request = { method: 'POST', path: '/v1/chart-of-accounts:search', body: { companyId } } as const;
    return fetchAll(this.platformHttp, auth, request, accountSchema);
  }

  /** Repeating it is harmless: the same account again is returned as it stands. */
  async createAccount(auth: PlatformAuthorization, companyId: string, account: NewAccountRequest): Promise<void> {
    const body = { companyId, ...account };
    await this.platformHttp.fetch(auth, { method: 'POST', path: '/v1/chart-of-accounts', body }, acknowledgment);
  }

  /** At most 1,000. Repeating it is harmless: what is there comes back as failed. */
  async createAccounts(
    auth: PlatformAuthorization,
    companyId: string,
    items: readonly NewAccountRequest[],
  ): Promise<WireAccountBatch> {
    const body = { companyId, items };
    const request = { method: 'POST', path: '/v1/chart-of-accounts/batch', body } as const;
    return (await this.platformHttp.fetch(auth, request, responseParser(accountBatchSchema))).data;
  }

  async updateAccount(auth: PlatformAuthorization, id: string, account: AccountRequest): Promise<void> {
    const path = `/v1/chart-of-accounts/${encodeURIComponent(id)}`;
    await this.platformHttp.fetch(auth, { method: 'PUT', path, body: account }, acknowledgment);
  }

  /** Active and archived ones. */
  async listTaxCodes(auth: PlatformAuthorization, companyId: string): Promise<readonly WireTaxCode[]> {
    const query = new URLSearchParams({ company_id: companyId });
    const request = { method: 'POST', path: '/v0/tax-codes:search', query, body: {} } as const;
    return fetchAll(this.platformHttp, auth, request, taxCodeSchema);
  }

  /** Not repeated blindly: nothing keeps two tax codes from having one code. */
  async createTaxCode(auth: PlatformAuthorization, companyId: string, taxCode: TaxCodeRequest): Promise<void> {
    const request = { method: 'POST', path: '/v0/tax-codes', body: { companyId, ...taxCode } } as const;
    acknowledgment(await this.platformHttp.sendOnce(auth, request));
  }

  async updateTaxCode(
    auth: PlatformAuthorization,
    companyId: string,
    id: string,
    taxCode: TaxCodeRequest,
  ): Promise<void> {
    const path = `/v0/tax-codes/${encodeURIComponent(id)}`;
    await this.platformHttp.fetch(auth, { method: 'PUT', path, body: { companyId, ...taxCode } }, acknowledgment);
  }

  /** Active and archived ones; this list has no pages. */
  async listTagGroups(auth: PlatformAuthorization, companyId: string): Promise<readonly WireTagGroup[]> {
    const query = new URLSearchParams({ company_id: companyId, include_archived: 'true' });
    const request = { method: 'GET', path: '/v0/tag-groups', query } as const;
    return (await this.platformHttp.fetch(auth, request, responseParser(tagGroupsSchema))).data;
  }

  /** Not repeated blindly: nothing keeps two groups from having one code. */
  async createTagGroup(auth: PlatformAuthorization, companyId: string, group: TagGroupRequest): Promise<WireTagGroup> {
    const query = new URLSearchParams({ company_id: companyId });
    const request = { method: 'POST', path: '/v0/tag-groups', query, body: group } as const;
    return responseParser(single(tagGroupSchema))(await this.platformHttp.sendOnce(auth, request)).data;
  }

  /** Update a tag group (P7). */
  async updateTagGroup(auth: PlatformAuthorization, id: string, group: TagGroupRequest): Promise<void> {
    const path = `/v0/tag-groups/${encodeURIComponent(id)}`;
    await this.platformHttp.fetch(auth, { method: 'PUT', path, body: group }, acknowledgment);
  }

  /** Active and archived ones. */
  async listTags(auth: PlatformAuthorization, groupId: string): Promise<readonly WireTag[]> {
    const path = `/v0/tag-groups/${encodeURIComponent(groupId)}/tags`;
    const query = new URLSearchParams({ include_archived: 'true' });
    return fetchAll(this.platformHttp, auth, { method: 'GET', path, query }, tagSchema);
  }

  /** Repeating it is harmless: a code that is there gets 409. */
  async createTag(auth: PlatformAuthorization, groupId: string, tag: TagRequest): Promise<void> {
    const path = `/v0/tag-groups/${encodeURIComponent(groupId)}/tags`;
    await this.platformHttp.fetch(auth, { method: 'POST', path, body: tag }, acknowledgment);
  }

  /** Update a tag (P7). */
  async updateTag(auth: PlatformAuthorization, id: string, tag: TagRequest): Promise<void> {
    const path = `/v0/tags/${encodeURIComponent(id)}`;
    await this.platformHttp.fetch(auth, { method: 'PUT', path, body: tag }, acknowledgment);
  }

  /** At most 100; all of them or none. */
  async archiveTags(auth: PlatformAuthorization, companyId: string, tagIds: readonly string[]): Promise<void> {
    const body = { archived: true, companyId, tagIds };
    await this.platformHttp.fetch(auth, { method: 'POST', path: '/v0/tags/archive', body }, acknowledgment);
  }

  async listVendors(
    auth: PlatformAuthorization,
    companyId: string,
    filter: VendorFilter = {},
  ): Promise<readonly WireVendor[]> {
    const query = new URLSearchParams({ company_id: companyId });
    const request = { method: 'POST', path: '/v1/vendors:search', query, body: filter } as const;
    return fetchAll(this.platformHttp, auth, request, vendorSchema);
  }

  /** Create a vendor (P6). Repeating it is harmless: an `externalId` that is there gets 409. */
  async createVendor(auth: PlatformAuthorization, companyId: string, vendor: VendorRequest): Promise<WireVendor> {
    const request = { method: 'POST', path: '/v1/vendors', body: { companyId, ...vendor } } as const;
    return (await this.platformHttp.fetch(auth, request, responseParser(single(vendorSchema)))).data;
  }

  /** Replaces everything of the vendor, which is active then. */
  async updateVendor(auth: PlatformAuthorization, companyId: string, id: string, vendor: VendorRequest): Promise<void> {
    const body = { companyId, state: 'ACTIVE', ...vendor };
    await this.platformHttp.fetch(auth, { method: 'PUT', path: vendorPath(id), body }, acknowledgment);
  }

  /** Sends the two numbers alone: the interface names no other field for it (P6). */
  async activateVendor(
    auth: PlatformAuthorization,
    id: string,
    { externalId, code }: Pick<VendorRequest, 'externalId' | 'code'>,
  ): Promise<void> {
    const request = { method: 'POST', path: `${vendorPath(id)}:activate`, body: { externalId, code } } as const;
    await this.platformHttp.fetch(auth, request, acknowledgment);
  }

  async archiveVendor(auth: PlatformAuthorization, id: string): Promise<void> {
    await this.platformHttp.fetch(auth, { method: 'POST', path: `${vendorPath(id)}:archive` }, acknowledgment);
  }

  /**
   * Search for companies (P8): those the token may see.
   * @param organizationId only those of this organization
   */
  async listCompanies(auth: PlatformAuthorization, organizationId?: string): Promise<readonly WireCompany[]> {
    const query = new URLSearchParams(organizationId === undefined ? {} : { organization_id: organizationId });
    const request: PlatformRequest = { method: 'GET', path: '/v1/companies', query };
    return fetchAll(this.platformHttp, auth, request, offeredCompanySchema);
  }
}

function vendorPath(id: string): string {
  return `/v1/vendors/${encodeURIComponent(id)}`;
}
