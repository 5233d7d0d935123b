import type { CompanyId, ErpCompanyId, InstallationId } from '../../../kernel/ids.js';

/**
 * `authorized`: the customer consented, set-up is not finished · `active`: exports run · `needs_reauthorization`: the
 * grant is dead, a person must connect again · `uninstalled`: kept for its books only.
 */
export type InstallationState = 'authorized' | 'active' | 'needs_reauthorization' | 'uninstalled';

/** Whose the credential is: an organization's acts for every company of it. */
export type AccessLevel = 'company' | 'organisation';

/** Our tenant: one platform customer connected to this connector. */
export interface Installation {
  readonly id: InstallationId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  /** The company's organization on the platform; undefined where we were never told. */
  readonly organizationId: string | undefined;
  readonly accessLevel: AccessLevel;
  readonly state: InstallationState;
  /** How many times it was installed, from 1. */
  readonly generation: number;
  /** The ERP company its entries go to; undefined until it is known. */
  readonly erpCompanyId: ErpCompanyId | undefined;
  /** Why connecting does not go on, for the customer's administrator. */
  readonly problem: { readonly text: string; readonly at: Date } | undefined;
}
