// The ERP's master data as the platform's users choose from it. Booking needs less: see `bookkeeping-context.ts`.
import type { CurrencyCode } from '../../../kernel/currency.js';

export const ACCOUNT_TYPES = ['asset', 'liability', 'equity', 'income', 'expense'] as const;

export interface MasterAccount {
  /** Never changes while the account exists. */
  readonly externalId: string;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** Absent when the ERP does not tell. */
  readonly type?: (typeof ACCOUNT_TYPES)[number] | undefined;
  /** Code of its usual tax code, null for none; absent when the ERP has no such thing. */
  readonly taxCode?: string | null;
}

export interface MasterTaxCode {
  readonly code: string;
  readonly name: string;
  /** Decimal text of a share: "0.25" is 25 %. */
  readonly rate: string;
  readonly active: boolean;
  /** Absent when the ERP does not tell one from the other. */
  readonly type?: 'inclusive' | 'reverse';
  /** Codes of accounts. */
  readonly inputAccount?: string;
  readonly outputAccount?: string;
}

export interface MasterValue {
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
}

export interface MasterDimension extends MasterValue {
  readonly values: readonly MasterValue[];
}

export interface MasterVendor {
  /** As a bookkeeper knows it; never changes while the vendor exists. */
  readonly number: string;
  readonly externalId?: string;
  readonly name: string;
  /** ISO 3166 alpha-2, as the ERP writes it. */
  readonly country?: string;
  readonly registrationNumber?: string;
  readonly taxNumber?: string;
  readonly currency?: CurrencyCode;
  readonly isEmployee: boolean;
  /** Neither blocked nor archived: entries may be posted to it. */
  readonly usable: boolean;
}

export interface MasterVendorList {
  readonly functionalCurrency: CurrencyCode;
  readonly vendors: readonly MasterVendor[];
}
