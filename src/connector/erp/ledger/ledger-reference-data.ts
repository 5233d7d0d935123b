// The ledger's master data over HTTP, page by page.
import { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';
import {
  ACCOUNT_TYPES,
  type MasterAccount,
  type MasterDimension,
  type MasterTaxCode,
  type MasterVendor,
  type MasterVendorList,
} from '../../bookkeeping/item/master-data.js';
import type { ErpCall } from '../erp-call.js';
import { ErpUnavailable } from '../erp-ledger.js';
import { ErpReferenceData } from '../erp-reference-data.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath, readAll } from './ledger-http.js';
import { accountSchema, companySchema, vendorSchema } from './ledger-wire.schema.js';

const text = z.string().max(1_000);
const masterAccountSchema = accountSchema.extend({ type: z.enum(ACCOUNT_TYPES).optional() });
const taxCodeSchema = z.object({
  code: text,
  name: text,
  rate: text,
  active: z.boolean(),
  inputAccountCode: text.nullish(),
  outputAccountCode: text.nullish(),
});
const dimensionSchema = z.object({ code: text, name: text, active: z.boolean() });
const dimensionValueSchema = dimensionSchema.extend({ dimensionCode: text });
const masterVendorSchema = vendorSchema.extend({
  registrationNumber: text.nullish(),
  defaultCurrency: text.nullish(),
});

export class LedgerReferenceData extends ErpReferenceData {
  constructor(private readonly http: ErpHttp) {
    super();
  }

  /** Accounts of the ledger have no usual tax code. */
  override async accounts(call: ErpCall): Promise<readonly MasterAccount[] | undefined> {
    return readAll(this.http, call, masterAccountSchema, `${companyPath(call)}/accounts`);
  }

  /** Tax codes of the ledger do not show whether they are for a reverse charge. */
  override async taxCodes(call: ErpCall): Promise<readonly MasterTaxCode[] | undefined> {
    const rows = await readAll(this.http, call, taxCodeSchema, `${companyPath(call)}/tax-codes`);
    return rows?.map(({ code, name, rate, active, inputAccountCode, outputAccountCode }) => ({
      code,
      name,
      rate,
      active,
      ...(inputAccountCode != null && { inputAccount: inputAccountCode }),
      ...(outputAccountCode != null && { outputAccount: outputAccountCode }),
    }));
  }

  override async dimensions(call: ErpCall): Promise<readonly MasterDimension[] | undefined> {
    const dimensions = await readAll(this.http, call, dimensionSchema, `${companyPath(call)}/dimensions`);
    const values =
      dimensions && (await readAll(this.http, call, dimensionValueSchema, `${companyPath(call)}/dimension-values`));
    const byDimension = Map.groupBy(values ?? [], ({ dimensionCode }) => dimensionCode);
    return dimensions?.map((dimension) => ({ ...dimension, values: byDimension.get(dimension.code) ?? [] }));
  }

  override async vendors(call: ErpCall): Promise<MasterVendorList | undefined> {
    const path = companyPath(call);
    const found = await this.http.read(call, companySchema, { method: 'GET', path });
    const rows = found && (await readAll(this.http, call, masterVendorSchema, `${companyPath(call)}/vendors`));
    if (found === undefined || rows === undefined) {
      return undefined;
    }
    const functionalCurrency = parseCurrency(found.functionalCurrency);
    if (functionalCurrency === undefined) {
      throw new ErpUnavailable({
        kind: 'server-error',
        message: `the functional currency ${found.functionalCurrency} of company ${call.company} is not known`,
      });
    }
    return { functionalCurrency, vendors: rows.map(masterVendorOf) };
  }
}

function masterVendorOf(vendor: z.output<typeof masterVendorSchema>): MasterVendor {
  const { externalId, country, registrationNumber, taxRegistrationNumber } = vendor;
  const currency = parseCurrency(vendor.defaultCurrency ?? '');
  return {
    number: vendor.number,
    name: vendor.name,
    isEmployee: vendor.isEmployee,
    usable: !vendor.blocked && !vendor.archived,
    ...(externalId != null && { externalId }),
    ...(country != null && { country }),
    ...(registrationNumber != null && { registrationNumber }),
    ...(taxRegistrationNumber != null && { taxNumber: taxRegistrationNumber }),
    ...(currency !== undefined && { currency }),
  };
}
