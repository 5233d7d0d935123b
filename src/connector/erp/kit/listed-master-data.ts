// Master data for booking from the lists that the platform's users choose from, for ERPs whose tax codes, vendors and
// dimensions are named by their codes.
import { toErpAccountId, toErpTaxCodeId, toErpVendorId } from '../../../kernel/ids.js';
import type { ErpCall } from '../erp-call.js';
import type { ErpMasterData } from '../erp-ledger.js';
import type { ErpReferenceData } from '../erp-reference-data.js';

/**
 * @param rest what the lists do not say
 * @returns undefined when the ERP knows no such company
 * @throws ErpUnavailable
 */
export async function listedMasterData(
  lists: ErpReferenceData,
  call: ErpCall,
  rest: Pick<ErpMasterData, 'timeZone' | 'descriptionLimit' | 'periods'>,
): Promise<ErpMasterData | undefined> {
  const [accounts, taxCodes, dimensions, vendors] = await Promise.all([
    lists.accounts(call),
    lists.taxCodes(call),
    lists.dimensions(call),
    lists.vendors(call),
  ]);
  if (accounts === undefined || taxCodes === undefined || dimensions === undefined || vendors === undefined) {
    return undefined;
  }
  return {
    ...rest,
    functionalCurrency: vendors.functionalCurrency,
    accounts: accounts.map((account) => ({ ...account, externalId: toErpAccountId(account.externalId) })),
    taxCodes: taxCodes.map(({ code, name, active, inputAccount, outputAccount }) => ({
      externalId: toErpTaxCodeId(code),
      code,
      name,
      active,
      ...(inputAccount !== undefined && { inputAccount }),
      ...(outputAccount !== undefined && { outputAccount }),
    })),
    dimensions,
    vendors: vendors.vendors.map(({ number, usable, ...vendor }) => ({
      id: toErpVendorId(number),
      code: number,
      blocked: !usable,
      name: vendor.name,
      isEmployee: vendor.isEmployee,
      ...(vendor.externalId !== undefined && { externalId: vendor.externalId }),
      ...(vendor.country !== undefined && { country: vendor.country }),
      ...(vendor.taxNumber !== undefined && { taxNumber: vendor.taxNumber }),
    })),
  };
}
