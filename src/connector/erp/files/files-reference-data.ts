import {
  ACCOUNT_TYPES,
  type MasterAccount,
  type MasterDimension,
  type MasterTaxCode,
  type MasterVendorList,
} from '../../bookkeeping/item/master-data.js';
import type { ErpCall } from '../erp-call.js';
import { ErpReferenceData } from '../erp-reference-data.js';
import { FILES_COMPANY } from './files-company.js';
import type { FilesSettings } from './settings/files-settings.js';

/** The lists of the settings, for the expense platform. */
export class FilesReferenceData extends ErpReferenceData {
  /** @param settings throws ErpUnavailable when they are not usable */
  constructor(private readonly settings: () => FilesSettings) {
    super();
  }

  accounts(call: ErpCall): Promise<readonly MasterAccount[] | undefined> {
    return this.read(call, (settings) =>
      [...settings.accounts.values()].map(({ code, name, active, type, taxCode }) => ({
        externalId: code,
        code,
        name,
        active,
        ...(isAccountType(type) && { type }),
        ...(taxCode === undefined ? {} : { taxCode }),
      })),
    );
  }

  taxCodes(call: ErpCall): Promise<readonly MasterTaxCode[] | undefined> {
    return this.read(call, (settings) =>
      [...settings.taxCodes.values()].map(({ code, name, rate, active, type, inputAccount, outputAccount }) => ({
        code,
        name,
        rate,
        active,
        ...(type === undefined ? {} : { type }),
        ...(inputAccount === undefined ? {} : { inputAccount }),
        ...(outputAccount === undefined ? {} : { outputAccount }),
      })),
    );
  }

  dimensions(call: ErpCall): Promise<readonly MasterDimension[] | undefined> {
    return this.read(call, (settings) =>
      [...settings.dimensions.values()].map(({ code, name, values }) => ({
        code,
        name,
        active: true,
        values: [...values.values()],
      })),
    );
  }

  vendors(call: ErpCall): Promise<MasterVendorList | undefined> {
    return this.read(call, (settings) => ({
      functionalCurrency: settings.functionalCurrency,
      vendors: [...settings.vendors.values()].map((vendor) => ({
        number: vendor.number,
        name: vendor.name,
        isEmployee: vendor.isEmployee,
        usable: vendor.active,
        ...(vendor.country === undefined ? {} : { country: vendor.country }),
        ...(vendor.registrationNumber === undefined ? {} : { registrationNumber: vendor.registrationNumber }),
        ...(vendor.taxNumber === undefined ? {} : { taxNumber: vendor.taxNumber }),
        ...(vendor.currency === undefined ? {} : { currency: vendor.currency }),
      })),
    }));
  }

  private read<T>({ company }: ErpCall, select: (settings: FilesSettings) => T): Promise<T | undefined> {
    return new Promise((resolve) => {
      const settings = this.settings();
      resolve(company === FILES_COMPANY ? select(settings) : undefined);
    });
  }
}

function isAccountType(text: string | undefined): text is (typeof ACCOUNT_TYPES)[number] {
  return ACCOUNT_TYPES.some((type) => type === text);
}
