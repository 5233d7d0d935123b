// The ledger's master data over HTTP, page by page.
import { z } from 'zod';
import type { HttpClient } from '../../../foundation/http/client/http-client.js';
import type { Secret } from '../../../foundation/config/secret.js';
import { parseCurrency } from '../../../kernel/currency.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendor,
  MasterVendorList,
} from '../../bookkeeping/item/master-data.js';
import { ErpUnavailable } from '../erp-ledger.js';
import { ErpReferenceData } from '../erp-reference-data.js';
import { companyPath, LedgerHttp } from './ledger-http.js';
import { accountSchema, companySchema, vendorSchema } from './ledger-wire.schema.js';

const text = z.string().max(1_000);
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
  private readonly http: LedgerHttp;

  constructor(client: HttpClient, apiKey: Secret) {
    super();
    this.http = new LedgerHttp(client, apiKey);
  }

  /** Accounts of the ledger have no usual tax code. */
  override async accounts(company: ErpCompanyId): Promise<readonly MasterAccount[] | undefined> {
    return this.http.readAll(accountSchema, `${companyPath(company)}/accounts`);
  }

  /** Tax codes of the ledger do not show whether they are for a reverse charge. */
  override async taxCodes(company: ErpCompanyId): Promise<readonly MasterTaxCode[] | undefined> {
    const rows = await this.http.readAll(taxCodeSchema, `${companyPath(company)}/tax-codes`);
    return rows?.map(({ code, name, rate, active, inputAccountCode, outputAccountCode }) => ({
      code,
      name,
      rate,
      active,
      ...(inputAccountCode != null && { inputAccount: inputAccountCode }),
      ...(outputAccountCode != null && { outputAccount: outputAccountCode }),
    }));
  }

  override async dimensions(company: ErpCompanyId): Promise<readonly MasterDimension[] | undefined> {
    const dimensions = await this.http.readAll(dimensionSchema, `${companyPath(company)}/dimensions`);
    const values =
      dimensions && (await this.http.readAll(dimensionValueSchema, `${companyPath(company)}/dimension-values`));
    const byDimension = Map.groupBy(values ?? [], ({ dimensionCode }) => dimensionCode);
    return dimensions?.map((dimension) => ({ ...dimension, values: byDimension.get(dimension.code) ?? [] }));
  }

  override async vendors(company: ErpCompanyId): Promise<MasterVendorList | undefined> {
    const path = companyPath(company);
    const found = await this.http.read(companySchema, { method: 'GET', path });
    const rows = found && (await this.http.readAll(masterVendorSchema, `${companyPath(company)}/vendors`));
    if (found === undefined || rows === undefined) {
      return undefined;
    }
    const functionalCurrency = parseCurrency(found.functionalCurrency);
    if (functionalCurrency === undefined) {
      throw new ErpUnavailable({
        kind: 'server-error',
        message: `the functional currency ${found.functionalCurrency} of company ${company} is not known`,
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
