import type { CompanyId, ErpCompanyId, InstallationId } from '../../../kernel/ids.js';

/**
 * `authorised`: the customer consented, set-up is not finished · `active`: exports run · `needs_reauthorisation`: the
 * grant is dead, a person must connect again · `uninstalled`: kept for its books only.
 */
export type InstallationState = 'authorised' | 'active' | 'needs_reauthorisation' | 'uninstalled';

/** Our tenant: one platform customer connected to this connector. */
export interface Installation {
  readonly id: InstallationId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly state: InstallationState;
  /** The ERP company its entries go to; undefined until it is known. */
  readonly erpCompanyId: ErpCompanyId | undefined;
}
