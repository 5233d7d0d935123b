import type { CompanyId, ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';

/**
 * `authorized`: the customer consented, connecting is not finished · `active`: exports run · `needs_reauthorization`: the
 * grant was revoked, a person must connect again · `uninstalled`: only its records are retained.
 */
export type InstallationState = 'authorized' | 'active' | 'needs_reauthorization' | 'uninstalled';

/** Owner of the credential: an organization's credential is valid for all its companies. */
export type AccessLevel = 'company' | 'organization';

/** Our tenant: one platform customer connected to this connector. */
export interface Installation {
  readonly id: InstallationId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  /** The company's organization on the platform; undefined where the platform has not named it. */
  readonly organizationId: string | undefined;
  readonly accessLevel: AccessLevel;
  readonly state: InstallationState;
  /** Number of times it was installed, from 1. */
  readonly generation: number;
  /** The ERP company its entries are posted to; undefined until one is linked. */
  readonly erpCompanyId: ErpCompanyId | undefined;
  /** While the operator has paused its exports: since when and why. */
  readonly pause?: { readonly reason: string; readonly at: Date } | undefined;
  /** Why connecting stopped, for the customer's administrator. */
  readonly problem: { readonly detail: Message; readonly at: Date } | undefined;
}
