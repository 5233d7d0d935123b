import { Bug } from './faults.js';

declare const idBrand: unique symbol;

/** Identifiers of different things are different types, so that one can never be handed over for another. */
type Id<Kind extends string> = string & { readonly [idBrand]: Kind };

export type InstallationId = Id<'installation'>;
export type CompanyId = Id<'company'>;
export type ExportJobId = Id<'exportJob'>;
export type AccountingEntryId = Id<'accountingEntry'>;
export type WebhookId = Id<'webhook'>;
export type ErpCompanyId = Id<'erpCompany'>;
export type ErpVendorId = Id<'erpVendor'>;
export type ErpAccountId = Id<'erpAccount'>;
export type ErpTaxCodeId = Id<'erpTaxCode'>;

/** A company of an installation. */
export interface CompanyKey {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Characters (code points), as the API's document and the database count them. */
const MAX_OPAQUE_LENGTH = 255;

/** Any version and variant, either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

// UUIDs are kept in lower case, as PostgreSQL gives them back: two spellings would be two keys. Each of these throws
// `Bug` on a text that is no UUID; where a text comes from outside, ask `isUuid` first.
export const toInstallationId = (text: string): InstallationId => uuid(text) as InstallationId;
export const toCompanyId = (text: string): CompanyId => uuid(text) as CompanyId;
export const toExportJobId = (text: string): ExportJobId => uuid(text) as ExportJobId;
export const toAccountingEntryId = (text: string): AccountingEntryId => uuid(text) as AccountingEntryId;

// Identifiers that others make up: kept letter by letter. Each throws `Bug` on an empty or over-long text.
export const toWebhookId = (text: string): WebhookId => opaque(text) as WebhookId;
export const toErpCompanyId = (text: string): ErpCompanyId => opaque(text) as ErpCompanyId;
export const toErpVendorId = (text: string): ErpVendorId => opaque(text) as ErpVendorId;
export const toErpAccountId = (text: string): ErpAccountId => opaque(text) as ErpAccountId;
export const toErpTaxCodeId = (text: string): ErpTaxCodeId => opaque(text) as ErpTaxCodeId;

function uuid(text: string): string {
  if (!isUuid(text)) throw new Bug(`not a UUID: ${text.slice(0, MAX_OPAQUE_LENGTH)}`);
  return text.toLowerCase();
}

function opaque(text: string): string {
  if (text === '' || isTooLong(text)) throw new Bug('an identifier has 1 to 255 characters');
  return text;
}

/** Counts only where code units do not decide it already: identifiers of every row pass through here. */
function isTooLong(text: string): boolean {
  if (text.length <= MAX_OPAQUE_LENGTH) return false;
  return text.length > 2 * MAX_OPAQUE_LENGTH || Array.from(text).length > MAX_OPAQUE_LENGTH;
}
